import { goJson, isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'
import { unexpectedError } from '../status/index.ts'
import { distinct } from './distinct-items.ts'
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
    const inPatch = membership(patch)
    if (isDeletion) return live.filter((item) => !inPatch(item))
    const merged = distinct([...live, ...patch])
    return orderMerged({
      patched: merged.filter(inPatch),
      patchOrder: patch,
      others: merged.filter((item) => !inPatch(item)),
      liveOrder: live,
      mergeKey: '',
    })
  }
  const { mergeKey } = field
  if (mergeKey === '') throw noMergeKeyDeclared('struct')
  const plain = applyItemDirectives(live as JsonObject[], patch as JsonObject[], mergeKey)
  const merged = mergeItems(plain, field, merge.mergeMaps)
  const patched = indexByKey(plain.patch, mergeKey)
  const isPatched = (item: JsonValue) => patched.has(goJson(keyOf(item, mergeKey)))
  return orderMerged({
    patched: merged.filter(isPatched),
    patchOrder: plain.patch,
    others: merged.filter((item) => !isPatched(item)),
    liveOrder: plain.live,
    mergeKey,
  })
}

function membership(list: readonly JsonValue[]): (item: JsonValue) => boolean {
  const members = new Set(list.map(goJson))
  return (item) => members.has(goJson(item))
}

function keyOf(item: JsonValue, mergeKey: string): JsonValue {
  const map = item as JsonObject
  const value = Object.hasOwn(map, mergeKey) ? map[mergeKey] : undefined
  if (value === undefined) throw missingMergeKey(map, mergeKey)
  return value
}

/** The first item with each key, by the key's text. */
function indexByKey(items: readonly JsonValue[], mergeKey: string): Map<string, number> {
  const index = new Map<string, number>()
  for (const [place, item] of items.entries()) {
    if (!isJsonObject(item)) throw itemNotMap(place)
    const value = Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined
    if (value === undefined) continue
    const text = goJson(value)
    if (!index.has(text)) index.set(text, place)
  }
  return index
}

interface Lists {
  readonly live: JsonObject[]
  readonly patch: JsonObject[]
}

function applyItemDirectives(live: JsonObject[], patch: JsonObject[], mergeKey: string): Lists {
  const plain: JsonObject[] = []
  const deleted = new Set<string>()
  let isReplaced = false
  for (const item of patch) {
    if (!Object.hasOwn(item, '$patch')) {
      plain.push(item)
      continue
    }
    const what = item['$patch'] ?? null
    if (what === 'delete') {
      deleted.add(goJson(keyOf(item, mergeKey)))
    } else if (what === 'replace') isReplaced = true
    else if (what === 'merge') {
      throw unexpectedError('merging lists cannot yet be specified in the patch')
    } else throw unknownDirective(what, item)
  }
  if (isReplaced) return { live: plain, patch: [] }
  const isKept = ({ [mergeKey]: value }: JsonObject) =>
    value === undefined || !deleted.has(goJson(value))
  return { live: deleted.size === 0 ? live : live.filter(isKept), patch: plain }
}

function mergeItems({ live, patch }: Lists, field: PatchField, mergeMaps: MergeMaps): JsonObject[] {
  const merged = [...live]
  const index = indexByKey(merged, field.mergeKey)
  for (const item of patch) {
    const key = goJson(keyOf(item, field.mergeKey))
    const place = index.get(key) ?? merged.length
    const own = merged[place]
    index.set(key, place)
    merged[place] = own === undefined ? item : mergeMaps(own, item, field.schema)
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
  const inOrder =
    mergeKey === '' || merged.length === 0 ? membership(order) : keyIn(order, mergeKey)
  const patched = merged.filter(inOrder)
  const others = merged.filter((item) => !inOrder(item))
  commonItemType(live ?? [], patch ?? [])
  return orderMerged({ patched, patchOrder: order, others, liveOrder: live ?? [], mergeKey })
}

function keyIn(list: readonly JsonValue[], mergeKey: string): (item: JsonValue) => boolean {
  const index = indexByKey(list, mergeKey)
  return (item) => index.has(goJson(keyOf(item, mergeKey)))
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
