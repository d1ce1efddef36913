import { metadataOf } from '../object/index.ts'
import { forbidden, type ApiError } from '../status/index.ts'
import type { AdmissionAttributes } from './admission.ts'

/** One admission plugin. */
export interface Plugin {
  readonly name: string
  /** Completes the object in place, or throws an ApiError to refuse it. */
  mutate?(attributes: AdmissionAttributes): void
  /** Refuses by throwing an ApiError. */
  validate?(attributes: AdmissionAttributes): void
}

/** Tells whether a write is about the resource itself (not a subresource) of this name. */
export function isAbout(attributes: AdmissionAttributes, group: string, plural: string): boolean {
  const { resource, subresource } = attributes
  return resource.group === group && resource.plural === plural && subresource === ''
}

/** How a refusal calls the object: one without a name yet goes by what its name will begin with. */
export function shownName({ name, object }: AdmissionAttributes): string {
  const { name: own, generateName } = metadataOf(object)
  return [name, own, generateName].find((text) => text !== undefined && text !== '') ?? 'Unknown'
}

/** What a plugin throws to refuse a write. */
export function refusal(attributes: AdmissionAttributes, why: string): ApiError {
  const { group, plural } = attributes.resource
  return forbidden({ group, resource: plural }, shownName(attributes), why)
}
