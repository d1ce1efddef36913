import { hasFields, jsonEquals } from '../schema/json-value.ts'
import { type Diff, diffOf } from './diff.ts'
import { type Essence, isSameField, type ServedObject, type Snapshot, valueAt } from './essence.ts'
import { areAccepted, isAccepted, present } from './filter.ts'
import type { ChangeHandler, HandlerDeclaration } from './declare/handler-declaration.ts'
import type { FieldPath } from './declare/handler-options.ts'
import type { IndexAccess } from './object-indexes.ts'

/** Whether a handler is for an object, as it is now. */
export function concerns(
  { on, options }: HandlerDeclaration,
  object: ServedObject,
  access: IndexAccess,
): boolean {
  const { labels, annotations, filter, field, value = present } = options
  // Of those it is the change that matters.
  const isOfChange = on === 'create' || on === 'update'
  return (
    areAccepted(labels, object.metadata.labels) &&
    areAccepted(annotations, object.metadata.annotations) &&
    (field === undefined || isOfChange || isAccepted(value, valueAt(object, fieldNames(field)))) &&
    // The types of the author's function were checked where it was declared.
    (filter === undefined || filter(object as never, access))
  )
}

/** The names that lead to a field. */
export function fieldNames(field: FieldPath): readonly string[] {
  return typeof field === 'string' ? field.split('.') : field
}

/** What changed, as a handler is told. */
interface SeenChange {
  readonly old: unknown
  readonly new: unknown
  readonly diff: Diff
}

/** What a handler is told about a change: all of it, or that of its field. */
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

/** A field that appears or goes with fields in it is told field by field: the first label is a label like the others. */
function emptyLike(other: unknown): object | undefined {
  return hasFields(other) ? {} : undefined
}

/** Whether a new object, or a change of one, is what a handler waits for. */
export function isTouched(
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
  // What is not known cannot be held against a change.
  if (from !== undefined && !isUnknown && !isAccepted(from, before)) return false
  if (value === undefined || isAccepted(value, after)) return true
  return on === 'update' && (isUnknown || isAccepted(value, before))
}
