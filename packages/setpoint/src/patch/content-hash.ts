import type { ListType, ListTypes } from '../kinds/list-types.ts'
import { hashText, hashWord, type TextHash } from '../schema/hash-text.ts'
import { hasFields } from '../schema/json-value.ts'
import { fieldType, itemKey } from './merge-rules.ts'

/**
 * Two hashes of a manifest, independent of the order of its fields: `content` of its values,
 * `shape` of its fields and of the keys of lists that merge. While the shape stays the same, no
 * field has to be removed. The hashes are not cryptographic: with a hash of a secret value, a
 * guess could be confirmed. The values of Secrets are left out before.
 */
export interface ContentHash {
  readonly content: string
  readonly shape: string
}

/**
 * Hashes a manifest. It runs for every child in every reconcile: it allocates little and sorts
 * nothing.
 */
export function contentHash(value: unknown, types: ListTypes = {}): ContentHash {
  const { low, high, shapeLow, shapeHigh } = hashOf(value, { fields: types })
  return {
    content: hashWord(high) + hashWord(low),
    shape: hashWord(shapeHigh) + hashWord(shapeLow),
  }
}

/** The hashes of a value. */
interface ValueWords extends TextHash {
  readonly shapeLow: number
  readonly shapeHigh: number
}

function hashOf(value: unknown, type: ListType | undefined): ValueWords {
  if (Array.isArray(value)) return hashOfItems(value, type)
  if (hasFields(value)) return hashOfFields(value, type)
  const { low, high } = wordsOf(typeof value === 'string' ? value : `#${JSON.stringify(value)}`)
  return { low, high, shapeLow: 1, shapeHigh: 1 }
}

/** Sums are independent of the order of fields. */
function hashOfFields(
  value: Readonly<Record<string, unknown>>,
  type: ListType | undefined,
): ValueWords {
  let [low, high, shapeLow, shapeHigh] = [3, 5, 7, 9]
  for (const field in value) {
    if (value[field] === undefined) continue
    const name = wordsOfName(field)
    const inner = hashOf(value[field], fieldType(type, field))
    low = (low + mixed(name.low, inner.low)) | 0
    high = (high + mixed(name.high, inner.high)) | 0
    shapeLow = (shapeLow + mixed(name.low, inner.shapeLow)) | 0
    shapeHigh = (shapeHigh + mixed(name.high, inner.shapeHigh)) | 0
  }
  return { low, high, shapeLow, shapeHigh }
}

function hashOfItems(items: readonly unknown[], type: ListType | undefined): ValueWords {
  const isMerged = type?.list === 'map' || type?.list === 'set'
  let [low, high, shapeLow, shapeHigh] = [11, 13, 17, 19]
  for (const item of items) {
    const inner = hashOf(item, type?.items)
    low = mixed(low, inner.low)
    high = mixed(high, inner.high)
    // A list that is replaced as a whole has no shape.
    if (!isMerged) continue
    const key = wordsOf(itemKey(item, type) ?? '')
    shapeLow = mixed(mixed(shapeLow, key.low), inner.shapeLow)
    shapeHigh = mixed(mixed(shapeHigh, key.high), inner.shapeHigh)
  }
  return { low, high, shapeLow, shapeHigh }
}

/** Combines two words; the order matters. */
function mixed(one: number, other: number): number {
  let word = Math.imul(one ^ (one >>> 15), 0x2c1b3c6d) + Math.imul(other, 0x297a2d39)
  word = Math.imul(word ^ (word >>> 12), 0x85ebca6b)
  return word ^ (word >>> 16)
}

/**
 * Field names repeat, so their hashes are kept. Values do not repeat and may be secret: they are
 * not kept.
 */
const namesKnown = new Map<string, TextHash>()
const namesMax = 5000

function wordsOfName(name: string): TextHash {
  const known = namesKnown.get(name)
  if (known !== undefined) return known
  const words = wordsOf(name)
  if (namesKnown.size >= namesMax) namesKnown.clear()
  namesKnown.set(name, words)
  return words
}

function wordsOf(part: string): TextHash {
  return hashText(part, part.length)
}
