import { isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'
import { unexpectedError } from '../status/index.ts'
import { orderMerged } from './merge-order.ts'
import type { PatchField, PatchSchema } from './patch-schema.ts'
import {
  commonItemType,
  itemNotMap,
  malformed,
  missingMergeKey,
  noMergeKeyDeclared,
  orderMismatch,
  unknownDirective,
  wrongType,
} from './strategic-errors.ts'
import { withoutDirectives } from './without-directives.ts'

/** Merges an item of a list. The caller passes it, because maps contain lists that contain maps. */
type MergeMaps = (live: JsonObject, patch: JsonObject, schema: PatchSchema) => JsonObject

/** A live list and its patch. */
interface ListMerge {
  readonly live: readonly JsonValue[]
  readonly patch: readonly JsonValue[]
  readonly field: PatchField
  /** The patch lists scalars to remove. */
  readonly isDeletion: boolean
  readonly mergeMaps: MergeMaps
}

/** Merges two lists by merge key, or as sets of scalars. */
export function mergeListItems(merge: ListMerge): JsonValue[] {
  const { live, patch, field, isDeletion } = merge
  if (live.length === 0 && patch.length === 0) return []
  const areMaps = commonItemType([...live], [...patch]) === 'map[string]interface {}'
  if (!areMaps) {
    if (isDeletion) return live.filter((item) => !includes(patch, item))
    const merged = distinct([...live, ...patch])
    return orderMerged({
      patched: merged.filter((item) => includes(patch, item)),
      patchOrder: patch,
      others: merged.filter((item) => !includes(patch, item)),
      liveOrder: live,
      mergeKey: '',
    })
  }
  const { mergeKey } = field
  if (mergeKey === '') throw noMergeKeyDeclared('struct')
  const plain = applyItemDirectives(live as JsonObject[], patch as JsonObject[], mergeKey)
  const merged = mergeItems(plain, field, merge.mergeMaps)
  const isPatched = (item: JsonValue) => findItem(plain.patch, mergeKey, keyOf(item, mergeKey)) >= 0
  return orderMerged({
    patched: merged.filter(isPatched),
    patchOrder: plain.patch,
    others: merged.filter((item) => !isPatched(item)),
    liveOrder: plain.live,
    mergeKey,
  })
}

function includes(list: readonly JsonValue[], item: JsonValue): boolean {
  return list.some((other) => jsonEquals(other, item))
}

/** Removes repeated scalars as a server does: the last item fills each gap. */
function distinct(items: JsonValue[]): JsonValue[] {
  for (let first = 0; first < items.length; first += 1) {
    for (let other = first + 1; other < items.length; other += 1) {
      if (!jsonEquals(items[first], items[other])) continue
      const last = items.pop()
      if (other < items.length && last !== undefined) items[other] = last
      other -= 1
    }
  }
  return items
}

function keyOf(item: JsonValue, mergeKey: string): JsonValue {
  const map = item as JsonObject
  const value = Object.hasOwn(map, mergeKey) ? map[mergeKey] : undefined
  if (value === undefined) throw missingMergeKey(map, mergeKey)
  return value
}

function findItem(items: readonly JsonValue[], mergeKey: string, value: JsonValue): number {
  return items.findIndex((item, index) => {
    if (!isJsonObject(item)) throw itemNotMap(index)
    return Object.hasOwn(item, mergeKey) && jsonEquals(item[mergeKey], value)
  })
}

interface Lists {
  readonly live: JsonObject[]
  readonly patch: JsonObject[]
}

function applyItemDirectives(live: JsonObject[], patch: JsonObject[], mergeKey: string): Lists {
  const plain: JsonObject[] = []
  let kept = live
  let isReplaced = false
  for (const item of patch) {
    if (!Object.hasOwn(item, '$patch')) {
      plain.push(item)
      continue
    }
    const what = item['$patch'] ?? null
    if (what === 'delete') {
      const value = keyOf(item, mergeKey)
      kept = kept.filter((other) => !jsonEquals(other[mergeKey], value))
    } else if (what === 'replace') isReplaced = true
    else if (what === 'merge') {
      throw unexpectedError('merging lists cannot yet be specified in the patch')
    } else throw unknownDirective(what, item)
  }
  return isReplaced ? { live: plain, patch: [] } : { live: kept, patch: plain }
}

function mergeItems({ live, patch }: Lists, field: PatchField, mergeMaps: MergeMaps): JsonObject[] {
  const merged = [...live]
  for (const item of patch) {
    const index = findItem(merged, field.mergeKey, keyOf(item, field.mergeKey))
    const own = merged[index]
    if (own === undefined) merged.push(item)
    else merged[index] = mergeMaps(own, item, field.schema)
  }
  return merged
}

/** A list whose order the patch sets with `$setElementOrder`. */
interface OrderedMerge {
  /** Undefined if the directive names no field. */
  readonly name: string | undefined
  readonly order: JsonValue
  readonly live: JsonValue | undefined
  readonly patch: JsonValue | undefined
  readonly field: () => PatchField
  readonly mergeMaps: MergeMaps
}

function listOf(value: JsonValue | undefined): JsonValue[] | undefined {
  if (value === undefined || Array.isArray(value)) return value
  throw wrongType('[]interface {}', value)
}

/** The merged list in its order; undefined if there is neither a live list nor a patch. */
export function mergeOrderedList(merge: OrderedMerge): JsonValue[] | undefined {
  const order = listOf(merge.order) ?? []
  if (merge.name === undefined) throw malformed.elementOrder()
  const live = listOf(merge.live)
  const patch = listOf(merge.patch)
  const field = merge.field()
  const { mergeKey } = field
  checkOrder(patch ?? [], order, mergeKey)
  if (live === undefined && patch === undefined) return undefined
  const merged = mergeBoth(live, patch, { field, mergeMaps: merge.mergeMaps })
  const inOrder = (item: JsonValue) =>
    mergeKey === '' ? includes(order, item) : findItem(order, mergeKey, keyOf(item, mergeKey)) >= 0
  const patched = merged.filter(inOrder)
  const others = merged.filter((item) => !inOrder(item))
  commonItemType(live ?? [], patch ?? [])
  return orderMerged({ patched, patchOrder: order, others, liveOrder: live ?? [], mergeKey })
}

function mergeBoth(
  live: JsonValue[] | undefined,
  patch: JsonValue[] | undefined,
  how: { readonly field: PatchField; readonly mergeMaps: MergeMaps },
): JsonValue[] {
  if (patch === undefined) return live ?? []
  if (live === undefined) return withoutDirectives(patch) as JsonValue[]
  if (how.field.strategy !== 'merge') return patch
  return mergeListItems({ live, patch, isDeletion: false, ...how })
}

/** The items of the patch must follow the order that it sets. */
function checkOrder(patch: JsonValue[], order: JsonValue[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return
  const placed = patch.filter((item) => !isJsonObject(item) || !Object.hasOwn(item, '$patch'))
  let next = 0
  for (const orderedItem of order) {
    const item = placed[next]
    if (item === undefined) return
    const isSame =
      mergeKey === ''
        ? jsonEquals(item, orderedItem)
        : jsonEquals(keyOf(mapOf(item), mergeKey), keyOf(mapOf(orderedItem), mergeKey))
    if (isSame) next += 1
  }
  if (next < placed.length) throw orderMismatch(patch, order)
}

function mapOf(item: JsonValue): JsonObject {
  if (!isJsonObject(item)) throw wrongType('map[string]interface {}', item)
  return item
}
