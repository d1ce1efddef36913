/** A conversion step that keeps what the other version cannot express. */
import { type JsonObject, jsonEquals } from '../schema/index.ts'
import { contentHash, keepingMetadata, type KeptFields, keptIn } from './kept-annotation.ts'
import { type LostField, lostFields, withKept } from './lost-fields.ts'
import type { LooseObject } from './parse-resource.ts'
import type { VersionModel } from './resource-model.ts'

/** A step from one version to another. */
interface LosslessStep {
  readonly from: VersionModel
  readonly to: VersionModel
  /** The functions of the author, with their checks. */
  readonly there: (object: LooseObject) => LooseObject
  readonly back: (object: LooseObject) => LooseObject
  /** The object as the target version reads it; undefined if it is not valid. */
  readonly valid: (object: LooseObject) => LooseObject | undefined
}

/**
 * Converts an object. What an earlier conversion kept for the target version is restored, unless a
 * client has changed it since. What the target version cannot express is kept in the annotation.
 */
export function losslessStep(object: LooseObject, step: LosslessStep): LooseObject {
  const { from, to, there, back } = step
  const { [to.name]: own, ...others } = keptIn(object.metadata)
  const isUnchanged = own?.of === contentHash(object)
  const plain = there(object)
  const converted = own === undefined ? plain : restored(plain, step, { own, isUnchanged })
  const returned = contentOf(back(converted))
  const fields = lostFields(from.schema, { object: contentOf(object), returned })
  const { [from.name]: _, ...passed } = others
  const kept =
    fields.length === 0
      ? passed
      : { ...passed, [from.name]: { of: contentHash(converted), fields } }
  return { ...converted, metadata: keepingMetadata(converted.metadata, kept) }
}

/**
 * The converted object with the kept fields. If the object has not changed since they were kept,
 * all of them fit. Otherwise only those count that are still as they were shown, and that change
 * nothing of what the source version says: a unit must not be restored for a changed number.
 */
function restored(
  plain: LooseObject,
  { back, valid }: LosslessStep,
  { own, isUnchanged }: { readonly own: KeptFields; readonly isUnchanged: boolean },
): LooseObject {
  const all = valid(withFields(plain, own.fields))
  if (all !== undefined && isUnchanged) return all
  const said = contentOf(back(plain))
  const fits = (candidate: LooseObject | undefined): candidate is LooseObject =>
    candidate !== undefined && jsonEquals(contentOf(back(candidate)), said)
  if (fits(all)) return all
  let result = plain
  for (const field of own.fields) {
    const candidate = valid(withFields(result, [field]))
    if (fits(candidate)) result = candidate
  }
  return result
}

function withFields(object: LooseObject, fields: readonly LostField[]): LooseObject {
  let content = contentOf(object)
  for (const field of fields) content = withKept(content, field) ?? content
  const { status: _, ...rest } = object
  return { ...rest, ...(content as Pick<LooseObject, 'spec' | 'status'>) }
}

function contentOf({ spec, status }: LooseObject): JsonObject {
  return { spec, ...(status === undefined ? {} : { status }) } as JsonObject
}
