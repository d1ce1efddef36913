import { isJsonObject, jsonEquals, type JsonValue } from 'setpoint/schema'
import { missingMergeKey } from './strategic-errors.ts'

/** Finds an item by its merge key, or without a key by its value. */
function positionIn(list: readonly JsonValue[], item: JsonValue, mergeKey: string): number {
  const key = keyOf(item, mergeKey)
  return list.findIndex((other) => jsonEquals(keyOf(other, mergeKey), key))
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
  const placed = items.map((item) => ({ item, place: positionIn(order, item, mergeKey) }))
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
  const result: JsonValue[] = []
  let next = 0
  for (const item of patched) {
    const place = positionIn(liveOrder, item, mergeKey)
    for (; next < others.length; next += 1) {
      const other = others[next] ?? null
      const otherPlace = positionIn(liveOrder, other, mergeKey)
      if (place < 0 || otherPlace < 0 || otherPlace >= place) break
      result.push(other)
    }
    result.push(item)
  }
  return [...result, ...others.slice(next)]
}
