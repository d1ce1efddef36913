import { goJson, isJsonObject, type JsonValue } from 'setpoint/schema'
import { missingMergeKey } from './strategic-errors.ts'

/** The positions of a list's items, found by their merge key, or without a key by their value. */
class Positions {
  readonly #mergeKey: string
  readonly #byIdentity = new Map<string, number>()

  constructor(list: readonly JsonValue[], mergeKey: string) {
    this.#mergeKey = mergeKey
    for (const [index, item] of list.entries()) {
      const identity = this.#identity(item)
      if (!this.#byIdentity.has(identity)) this.#byIdentity.set(identity, index)
    }
  }

  of(item: JsonValue): number {
    return this.#byIdentity.get(this.#identity(item)) ?? -1
  }

  #identity(item: JsonValue): string {
    const key = keyOf(item, this.#mergeKey)
    return key === undefined ? '' : goJson(key)
  }
}

function keyOf(item: JsonValue, mergeKey: string): JsonValue | undefined {
  if (mergeKey === '' || !isJsonObject(item)) return item
  return Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined
}

function sortedLike(
  items: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string,
): JsonValue[] {
  if (mergeKey !== '') {
    for (const item of [...items, ...order]) {
      if (isJsonObject(item) && !Object.hasOwn(item, mergeKey)) {
        throw missingMergeKey(item, mergeKey)
      }
    }
  }
  const positions = new Positions(order, mergeKey)
  const placed = items.map((item) => ({ item, place: positions.of(item) }))
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item)
}

/** The input for the order of a merged list. */
interface MergedItems {
  /** Items of the patch, and their order. */
  readonly patched: readonly JsonValue[]
  readonly patchOrder: readonly JsonValue[]
  /** Items that only the live list has, and their order. */
  readonly others: readonly JsonValue[]
  readonly liveOrder: readonly JsonValue[]
  /** Empty for lists of scalars. */
  readonly mergeKey: string
}

/**
 * Items of the patch in its order, the others in theirs. An item of the others comes before an item
 * of the patch if the live list had them in this order.
 */
export function orderMerged(items: MergedItems): JsonValue[] {
  const { patchOrder, liveOrder, mergeKey } = items
  const patched = sortedLike(items.patched, patchOrder, mergeKey)
  const others = sortedLike(items.others, liveOrder, mergeKey)
  const positions = new Positions(liveOrder, mergeKey)
  const result: JsonValue[] = []
  let next = 0
  for (const item of patched) {
    const place = positions.of(item)
    for (; next < others.length; next += 1) {
      const other = others[next] ?? null
      const otherPlace = positions.of(other)
      if (place < 0 || otherPlace < 0 || otherPlace >= place) break
      result.push(other)
    }
    result.push(item)
  }
  return [...result, ...others.slice(next)]
}
