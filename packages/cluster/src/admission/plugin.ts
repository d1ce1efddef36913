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
