import type { JsonObject } from 'setpoint/schema'
import { badRequest } from '../../../status/index.ts'
import type { StoredObject } from '../../../store/index.ts'
import { readObject } from '../../object-text.ts'
import type { ListOptions } from '../../options/list-options.ts'
import type { FieldRequirement } from '../../select/field-selector.ts'
import type { ServedResource } from '../../resources/served-resource.ts'

/** Whether a stored object is selected; `undefined` selects everything. */
export type Matcher = ((stored: StoredObject) => boolean) | undefined

/** The selectors of a list as a function. 400 for a field that is not selectable. */
export function matcherOf(resource: ServedResource, options: ListOptions): Matcher {
  const { labels } = options
  for (const { field } of options.fields) {
    if (!resource.selectable.names.has(field)) throw badRequest(resource.selectable.refusal(field))
  }
  const byKey = options.fields.filter(({ field }) => isKeyField(field))
  const byContent = options.fields.filter(({ field }) => !isKeyField(field))
  if (labels === undefined && options.fields.length === 0) return undefined
  return (stored) =>
    (labels === undefined || labels(stored.labels)) &&
    byKey.every((requirement) =>
      isMet(requirement, keyField(stored, resource, requirement.field)),
    ) &&
    (byContent.length === 0 || hasFields(resource, readObject(resource, stored), byContent))
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
  requirements: readonly FieldRequirement[],
): boolean {
  return requirements.every((requirement) =>
    isMet(requirement, resource.selectable.valueOf(object, requirement.field)),
  )
}

function isMet({ isEqual, value }: FieldRequirement, actual: string): boolean {
  return (actual === value) === isEqual
}
