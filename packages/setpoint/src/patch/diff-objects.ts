import type { JsonPatchOperation, Patch } from '../client/index.ts'
import type { ListType, ListTypes } from '../kinds/list-types.ts'
import { hasFields } from '../schema/json-value.ts'
import { asMergePatch } from './as-merge-patch.ts'
import { pointerToken } from './json-pointer.ts'
import { fieldType, itemKey } from './merge-rules.ts'
import { isSameQuantity } from './same-quantity.ts'

type Fields = Readonly<Record<string, unknown>>

/** The differences between a live object and its desired state. */
export interface ObjectDiff {
  /** In order; empty when nothing has to change. */
  readonly operations: readonly JsonPatchOperation[]
  /**
   * Whether they are valid for this revision only: they replace values to which other clients may
   * have added something.
   */
  readonly needsRevision: boolean
  /** Whether they change fields only, no list items. */
  readonly isOfFields: boolean
}

/**
 * The changes that bring a live object to its desired state: none in a steady state. Fields that
 * the server or other clients added are ignored: lists that merge by key may have more items, maps
 * that are not atomic more entries.
 */
export function diffObjects(live: unknown, desired: Fields, listTypes: ListTypes): ObjectDiff {
  const work: Work = { operations: [], needsRevision: false, isOfFields: true }
  addFields(work, live, { desired, path: '', type: { fields: listTypes } })
  return work
}

interface Work {
  readonly operations: JsonPatchOperation[]
  needsRevision: boolean
  isOfFields: boolean
}

/** A desired value, its path, and how it merges. */
interface Place {
  readonly desired: unknown
  readonly path: string
  readonly type: ListType | undefined
}

function addFields(
  work: Work,
  live: unknown,
  { desired, path, type }: Place & { readonly desired: Fields },
): void {
  if (!hasFields(live)) return put(work, { path, value: desired, hasValue: live !== undefined })
  for (const field in desired) {
    const value = desired[field]
    // Apply does not send undefined fields.
    if (value === undefined) continue
    const place = `${path}/${pointerToken(field)}`
    addValue(work, live[field], { desired: value, path: place, type: fieldType(type, field) })
  }
  if (type?.atomic !== true) return
  for (const field of Object.keys(live).filter((one) => desired[one] === undefined)) {
    work.operations.push({ op: 'remove', path: `${path}/${pointerToken(field)}` })
  }
}

function addValue(work: Work, live: unknown, place: Place): void {
  const { desired, path, type } = place
  if (live === desired) return
  if (Array.isArray(desired)) return addItems(work, live, { desired, path, type })
  if (hasFields(desired)) {
    // Go omits empty objects.
    if (live === undefined && Object.values(desired).every((one) => one === undefined)) return
    return addFields(work, live, { desired, path, type })
  }
  // Go omits zero values.
  const isZero = desired === '' || desired === 0 || desired === false
  if (live === undefined && isZero) return
  if (isSameQuantity(live, desired) && amountPath.test(path)) return
  work.operations.push({ op: live === undefined ? 'add' : 'replace', path, value: desired })
}

function addItems(
  work: Work,
  live: unknown,
  { desired, path, type }: Place & { readonly desired: readonly unknown[] },
): void {
  const have: readonly unknown[] = Array.isArray(live) ? live : []
  const isMerged = type?.list === 'map' || type?.list === 'set'
  if (isMerged ? live === undefined && desired.length > 0 : have.length !== desired.length) {
    return put(work, { path, value: desired, hasValue: live !== undefined })
  }
  // The server accepts repeated keys: each desired item is matched with another live one.
  const taken = new Set<number>()
  for (const [position, item] of desired.entries()) {
    const index = isMerged ? indexOf(have, item, { type, taken }) : position
    taken.add(index)
    if (index === -1) {
      work.isOfFields = false
      const other = type?.list === 'map' ? sameNameIndex(have, item, { desired, type }) : -1
      const place = other === -1 ? '-' : String(other)
      put(work, { path: `${path}/${place}`, value: item, hasValue: other !== -1 })
      continue
    }
    const place = { desired: item, path: `${path}/${index}`, type: type?.items }
    const before = work.operations.length
    addValue(work, have[index], place)
    if (work.operations.length === before) continue
    work.isOfFields = false
    const guards = guardsOf(have[index], `${path}/${index}`, type)
    if (guards.length === 0) work.needsRevision = true
    work.operations.splice(before, 0, ...guards)
  }
}

/** Sets a whole value. It needs the revision: an addition of another client would be lost. */
function put(
  work: Work,
  { path, value, hasValue }: { path: string; value: unknown; hasValue: boolean },
): void {
  work.operations.push({ op: hasValue ? 'replace' : 'add', path, value })
  work.needsRevision = true
}

/**
 * A JSON patch addresses items by index: these tests make sure that the item still has this index.
 */
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
 * The live item that has the name of a desired one and another key. It is replaced: the server
 * refuses two items of one name (the ports of a Service).
 */
function sameNameIndex(
  have: readonly unknown[],
  item: unknown,
  { desired, type }: { readonly desired: readonly unknown[]; readonly type: ListType },
): number {
  if (!hasFields(item) || type.keys?.includes('name') === true) return -1
  // A single port of a Service needs no name.
  const isOnly = have.length === 1 && desired.length === 1 && type.keys?.includes('port') === true
  if (item['name'] === undefined && !isOnly) return -1
  const keys = new Set(desired.map((one) => itemKey(one, type)))
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

/** The paths of quantities, which the server normalises. */
const amountPath =
  /\/(requests|limits|capacity|hard|overhead|allocatable|min|max|default|defaultRequest|sizeLimit|divisor|averageValue|target\/value)(\/|$)/

/** Whether all changes of a diff are about fields that another diff changes, too. */
export function isCoveredBy(diff: ObjectDiff, other: ObjectDiff): boolean {
  const covering = changedPaths(other)
  return changedPaths(diff).every((path) =>
    covering.some((one) => path === one || path.startsWith(`${one}/`)),
  )
}

function changedPaths({ operations }: ObjectDiff): string[] {
  return operations.filter(({ op }) => op !== 'test').map(({ path }) => path)
}

/**
 * The cheapest patch that makes these changes. The server refuses it if another object has taken
 * the name since the diff.
 */
export function patchOf(
  { metadata }: { readonly metadata: { readonly resourceVersion: string; readonly uid: string } },
  { operations, needsRevision, isOfFields }: ObjectDiff,
): Patch {
  const expected = [
    { path: '/metadata/uid', value: metadata.uid },
    ...(needsRevision
      ? [{ path: '/metadata/resourceVersion', value: metadata.resourceVersion }]
      : []),
  ]
  // The server compares both in a merge patch with the current ones.
  const held = expected.map((field) => ({ op: 'replace', ...field }) as const)
  const merge = isOfFields ? asMergePatch([...held, ...operations]) : undefined
  if (merge !== undefined) return { merge }
  const tests = expected.map((field) => ({ op: 'test', ...field }) as const)
  return { json: [...tests, ...operations] }
}
