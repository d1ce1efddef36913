import type { JsonObject } from 'setpoint/schema'
import { badRequest } from '../../../status/index.ts'
import type { StoredObject } from '../../../store/index.ts'
import { readObject } from '../../object-text.ts'
import type { ListOptions } from '../../options/list-options.ts'
import type { FieldRequirement } from '../../select/field-selector.ts'
import type { ServedResource } from '../../resources/served-resource.ts'

/** Selects stored objects. */
export interface Matcher {
  readonly matches: (stored: StoredObject) => boolean
  /** Whether it parses the objects, which takes much longer than reading their keys and labels. */
  readonly readsContent: boolean
}

/** The selectors of a list; `undefined` selects everything. 400 for a field without an index. */
export function matcherOf(resource: ServedResource, options: ListOptions): Matcher | undefined {
  const { labels } = options
  for (const { field } of options.fields) {
    if (!resource.selectable.names.has(field)) throw badRequest(resource.selectable.refusal(field))
  }
  if (labels === undefined && options.fields.length === 0) return undefined
  const fields = expectedFields(options.fields)
  const byKey = fields.filter(({ field }) => isKeyField(field))
  const byContent = fields.filter(({ field }) => !isKeyField(field))
  const matches = (stored: StoredObject): boolean =>
    (labels === undefined || labels(stored.labels)) &&
    byKey.every((expected) => isMet(expected, keyField(stored, resource, expected.field))) &&
    (byContent.length === 0 || hasFields(resource, readObject(resource, stored), byContent))
  return { matches, readsContent: byContent.length > 0 }
}

/** All requirements on one field. A selector can have thousands. */
interface ExpectedField {
  readonly field: string
  readonly values: Set<string>
  readonly refused: Set<string>
}

function expectedFields(requirements: readonly FieldRequirement[]): ExpectedField[] {
  const byField = new Map<string, ExpectedField>()
  for (const { field, isEqual, value } of requirements) {
    const expected = byField.get(field) ?? { field, values: new Set(), refused: new Set() }
    byField.set(field, expected)
    if (isEqual) expected.values.add(value)
    else expected.refused.add(value)
  }
  return [...byField.values()]
}

function isKeyField(field: string): boolean {
  return field === 'metadata.name' || field === 'metadata.namespace'
}

function keyField({ key }: StoredObject, resource: ServedResource, field: string): string {
  const slash = resource.namespaced ? key.indexOf('/') : -1
  return field === 'metadata.name' ? key.slice(slash + 1) : key.slice(0, Math.max(slash, 0))
}

function hasFields(
  resource: ServedResource,
  object: JsonObject,
  fields: readonly ExpectedField[],
): boolean {
  return fields.every((expected) =>
    isMet(expected, resource.selectable.valueOf(object, expected.field)),
  )
}

/** A field cannot have two values. */
function isMet({ values, refused }: ExpectedField, actual: string): boolean {
  const isExpected = values.size === 0 || (values.size === 1 && values.has(actual))
  return isExpected && !refused.has(actual)
}
