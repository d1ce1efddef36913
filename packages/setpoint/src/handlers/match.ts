import type { ApiResource } from '../kinds/api-resource.ts'
import { hasFields, jsonEquals } from '../schema/json-value.ts'
import type { ChangeHandler, HandlerDeclaration } from './declare/handler-declaration.ts'
import type { FieldPath } from './declare/handler-options.ts'
import { type Diff, diffOf } from './diff.ts'
import { type Essence, isSameField, type Snapshot, valueAt } from './essence.ts'
import { areAccepted, isAccepted, present } from './filter.ts'
import type { IndexAccess } from './object-indexes.ts'

/** Whether a handler is for an object in its current state. */
export function matchesObject(
  { on, options }: HandlerDeclaration,
  object: ApiResource,
  access: IndexAccess,
): boolean {
  const { labels, annotations, filter, field, value = present } = options
  // For these handlers the change is compared, not the state.
  const isOfChange = on === 'create' || on === 'update'
  return (
    areAccepted(labels, object.metadata.labels, object) &&
    areAccepted(annotations, object.metadata.annotations, object) &&
    (field === undefined || isOfChange || isAccepted(value, valueAt(object, fieldNames(field)))) &&
    // The types of the author's function were checked where it was declared.
    (filter === undefined || filter(object as never, access))
  )
}

/** The names of a field path. */
export function fieldNames(field: FieldPath): readonly string[] {
  return typeof field === 'string' ? field.split('.') : field
}

/** A change, as a handler receives it. */
interface SeenChange {
  readonly old: unknown
  readonly new: unknown
  readonly diff: Diff
}

/** The change that a handler receives: of the whole object, or of its field. */
export function changeFor(
  { path, isNarrow }: ChangeHandler,
  old: Snapshot | undefined,
  now: Essence,
): SeenChange {
  const before = typeof old === 'string' ? undefined : old
  if (!isNarrow) return { old: before, new: now, diff: diffOf(before, now) }
  const [left, right] = [valueAt(before, path), valueAt(now, path)]
  return { old: left, new: right, diff: diffOf(left ?? emptyLike(right), right ?? emptyLike(left)) }
}

/**
 * When a parent field appears or disappears, the diff still lists its fields one by one: the first
 * label of an object is an added label, not an added map.
 */
function emptyLike(other: unknown): object | undefined {
  return hasFields(other) ? {} : undefined
}

/** Whether the creation or change of an object matches a handler. */
export function matchesChange(
  { on, path, options }: ChangeHandler,
  old: Snapshot | undefined,
  now: Essence,
): boolean {
  const isUnknown = typeof old === 'string'
  const after = valueAt(now, path)
  const before = isUnknown ? undefined : valueAt(old, path)
  const { value, old: from, new: to } = options
  const isSame = isUnknown ? isSameField(old, now, path) : jsonEquals(before, after)
  if (on === 'update' && isSame) return false
  if (to !== undefined && !isAccepted(to, after)) return false
  // An unknown old value passes the filter.
  if (from !== undefined && !isUnknown && !isAccepted(from, before)) return false
  if (value === undefined || isAccepted(value, after)) return true
  return on === 'update' && (isUnknown || isAccepted(value, before))
}
