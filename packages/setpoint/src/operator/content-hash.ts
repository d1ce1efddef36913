import type { ListType, ListTypes } from '../kinds/list-types.ts'
import { hasFields } from '../schema/json-value.ts'
import { fieldType, itemKey } from './merge-rules.ts'

/**
 * Two short texts about a manifest, whatever the order of its keys: `content` is the same for the same values, `shape`
 * for the same fields and the same items of lists that merge. While the shape stays, nothing has to be taken
 * away from an object. Not for secrets.
 */
export interface ContentHash {
  readonly content: string
  readonly shape: string
}

/** Hashes a manifest. */
export function contentHash(value: unknown, types: ListTypes = {}): ContentHash {
  const content = new Hash()
  const shape = new Hash()
  add(value, { fields: types }, { content, shape })
  return { content: content.text, shape: shape.text }
}

interface Hashes {
  readonly content: Hash
  /** Left out below lists that are replaced as a whole. */
  readonly shape: Hash | undefined
}

function add(value: unknown, type: ListType | undefined, hashes: Hashes): void {
  const { content, shape } = hashes
  if (Array.isArray(value)) return addItems(value, type, hashes)
  if (!hasFields(value)) return content.add(JSON.stringify(value))
  content.add('{')
  shape?.add('{')
  for (const field of Object.keys(value).sort()) {
    if (value[field] === undefined) continue
    content.add(field)
    shape?.add(field)
    add(value[field], fieldType(type, field), hashes)
  }
  content.add('}')
  shape?.add('}')
}

function addItems(items: readonly unknown[], type: ListType | undefined, hashes: Hashes): void {
  const { content, shape } = hashes
  const isMerged = type?.list === 'map' || type?.list === 'set'
  content.add('[')
  shape?.add('[')
  for (const item of items) {
    content.add(',')
    if (isMerged) shape?.add(itemKey(item, type) ?? '')
    add(item, type?.items, { content, shape: isMerged ? shape : undefined })
  }
  content.add(']')
  shape?.add(']')
}

/** Two hashes of 32 bits (FNV-1a with different starts): fast, and good enough to notice a change. */
class Hash {
  #low = 0x811c9dc5
  #high = 0x9e3779b9

  add(part: string): void {
    let low = this.#low
    let high = this.#high
    for (let index = 0; index < part.length; index += 1) {
      const unit = part.charCodeAt(index)
      low = Math.imul(low ^ unit, 0x01000193)
      high = Math.imul(high ^ (unit + index), 0x01000193)
    }
    // Where one part ends and the next begins counts too.
    this.#low = Math.imul(low ^ 0x10000, 0x01000193)
    this.#high = Math.imul(high ^ part.length, 0x01000193)
  }

  get text(): string {
    return [this.#high, this.#low].map((word) => (word >>> 0).toString(36)).join('')
  }
}
