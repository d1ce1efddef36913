import type { JsonPatchOperation, Patch } from '../client/index.ts'
import type { ListType, ListTypes } from '../kinds/list-types.ts'
import { hasFields } from '../schema/json-value.ts'
import { asMergePatch } from './as-merge-patch.ts'
import { pointerToken } from './json-pointer.ts'
import { fieldType, itemKey } from './merge-rules.ts'
import { isSameQuantity } from './same-quantity.ts'

type Fields = Readonly<Record<string, unknown>>

/** What makes a live object have what is wanted of it. */
export interface PatchTowards {
  /** In order; empty when it has everything. */
  readonly operations: readonly JsonPatchOperation[]
  /** Whether they are right only for this very revision: others may have added what they would replace. */
  readonly needsRevision: boolean
  /** Whether they are about fields only, and not about items of lists. */
  readonly isOfFields: boolean
}

/**
 * The changes that give a live object what is wanted of it: none in a steady state, which therefore is free of
 * requests. What the server or others added is not looked at: lists that merge by key may have more items, maps more
 * entries.
 */
export function patchTowards(
  live: unknown,
  wanted: Fields,
  listTypes: ListTypes | undefined,
): PatchTowards {
  const work: Work = { operations: [], needsRevision: false, isOfFields: true }
  addFields(work, live, { wanted, path: '', type: { fields: listTypes ?? {} } })
  return work
}

interface Work {
  readonly operations: JsonPatchOperation[]
  needsRevision: boolean
  isOfFields: boolean
}

/** A wanted value, where it is wanted, and how values there merge. */
interface Place {
  readonly wanted: unknown
  readonly path: string
  readonly type: ListType | undefined
}

function addFields(
  work: Work,
  live: unknown,
  { wanted, path, type }: Place & { readonly wanted: Fields },
): void {
  if (!hasFields(live)) return put(work, { path, value: wanted, hasValue: live !== undefined })
  for (const field in wanted) {
    const value = wanted[field]
    // An application leaves out what is undefined.
    if (value === undefined) continue
    const place = `${path}/${pointerToken(field)}`
    addValue(work, live[field], { wanted: value, path: place, type: fieldType(type, field) })
  }
}

function addValue(work: Work, live: unknown, place: Place): void {
  const { wanted, path, type } = place
  if (live === wanted) return
  if (Array.isArray(wanted)) return addItems(work, live, { wanted, path, type })
  if (hasFields(wanted)) {
    // Go leaves empty objects out of what it prints.
    if (live === undefined && Object.values(wanted).every((one) => one === undefined)) return
    return addFields(work, live, { wanted, path, type })
  }
  // Zero values are left out too.
  const isZero = wanted === '' || wanted === 0 || wanted === false
  if (live === undefined && isZero) return
  if (isSameQuantity(live, wanted) && amountPath.test(path)) return
  work.operations.push({ op: live === undefined ? 'add' : 'replace', path, value: wanted })
}

function addItems(
  work: Work,
  live: unknown,
  { wanted, path, type }: Place & { readonly wanted: readonly unknown[] },
): void {
  const have: readonly unknown[] = Array.isArray(live) ? live : []
  const isMerged = type?.list === 'map' || type?.list === 'set'
  if (isMerged ? live === undefined && wanted.length > 0 : have.length !== wanted.length) {
    return put(work, { path, value: wanted, hasValue: live !== undefined })
  }
  // Keys may be repeated, by whoever made a mistake that servers allow: each item has its own counterpart.
  const taken = new Set<number>()
  for (const [position, item] of wanted.entries()) {
    const index = isMerged ? indexOf(have, item, { type, taken }) : position
    taken.add(index)
    if (index === -1) {
      work.isOfFields = false
      const rival = type?.list === 'map' ? rivalOf(have, item, { wanted, type }) : -1
      const place = rival === -1 ? '-' : String(rival)
      put(work, { path: `${path}/${place}`, value: item, hasValue: rival !== -1 })
      continue
    }
    const place = { wanted: item, path: `${path}/${index}`, type: type?.items }
    const before = work.operations.length
    addValue(work, have[index], place)
    if (work.operations.length === before) continue
    work.isOfFields = false
    const guards = guardsOf(have[index], `${path}/${index}`, type)
    if (guards.length === 0) work.needsRevision = true
    work.operations.splice(before, 0, ...guards)
  }
}

/** Sets a value as a whole; something that others put there in the meantime would be lost. */
function put(
  work: Work,
  { path, value, hasValue }: { path: string; value: unknown; hasValue: boolean },
): void {
  work.operations.push({ op: hasValue ? 'replace' : 'add', path, value })
  work.needsRevision = true
}

/** Items are found by their place: these make sure that the place still is that of the item. */
function guardsOf(
  item: unknown,
  path: string,
  type: ListType | undefined,
): readonly JsonPatchOperation[] {
  if (type?.list !== 'map' || !hasFields(item)) return []
  return (type.keys ?? []).flatMap((key) =>
    item[key] === undefined
      ? []
      : [{ op: 'test', path: `${path}/${pointerToken(key)}`, value: item[key] } as const],
  )
}

/**
 * The item that somebody put in the place of a wanted one: it has its name, and another key. Beside each other they would be
 * refused, as a name is unique wherever items have one (the ports of a Service).
 */
function rivalOf(
  have: readonly unknown[],
  item: unknown,
  { wanted, type }: { readonly wanted: readonly unknown[]; readonly type: ListType },
): number {
  if (!hasFields(item) || type.keys?.includes('name') === true) return -1
  // The only port of a Service needs no name.
  const isOnly = have.length === 1 && wanted.length === 1 && type.keys?.includes('port') === true
  if (item['name'] === undefined && !isOnly) return -1
  const keys = new Set(wanted.map((one) => itemKey(one, type)))
  return have.findIndex(
    (one) => hasFields(one) && one['name'] === item['name'] && !keys.has(itemKey(one, type)),
  )
}

function indexOf(
  have: readonly unknown[],
  item: unknown,
  { type, taken }: { readonly type: ListType | undefined; readonly taken: ReadonlySet<number> },
): number {
  const key = itemKey(item, type)
  return have.findIndex((one, index) => itemKey(one, type) === key && !taken.has(index))
}

/** Where amounts are, which servers write in their shortest form. */
const amountPath =
  /\/(requests|limits|capacity|hard|overhead|allocatable|min|max|default|defaultRequest|sizeLimit|divisor|averageValue|target\/value)(\/|$)/

/** The cheapest patch that makes these changes. */
export function patchOf(
  { metadata }: { readonly metadata: { readonly resourceVersion: string } },
  { operations, needsRevision, isOfFields }: PatchTowards,
): Patch {
  const revision = { path: '/metadata/resourceVersion', value: metadata.resourceVersion }
  // The server compares the revision in a merge patch with the current one.
  const held = needsRevision ? [{ op: 'replace', ...revision } as const, ...operations] : operations
  const merge = isOfFields ? asMergePatch(held) : undefined
  if (merge !== undefined) return { merge }
  return { json: needsRevision ? [{ op: 'test', ...revision }, ...operations] : operations }
}
