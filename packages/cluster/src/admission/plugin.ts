import { goQuote } from 'setpoint/schema'
import { metadataOf, pathSegmentProblems } from '../object/index.ts'
import { forbidden, type ApiError } from '../status/index.ts'
import type { AdmissionAttributes } from './admission.ts'
import type { MutationPass } from './mutation-pass.ts'

/** One admission plugin. */
export interface Plugin {
  readonly name: string
  /**
   * Changes the object in place, or throws an ApiError to refuse it. A plugin that waits for
   * nothing returns no promise, because an `await` costs more than most plugins.
   */
  mutate?(attributes: AdmissionAttributes, pass: MutationPass): Promise<void> | void
  /** Refuses by throwing an ApiError. */
  validate?(attributes: AdmissionAttributes): Promise<void> | void
}

/** Whether a write is about the resource of this name itself, not about a subresource. */
export function isAbout(attributes: AdmissionAttributes, group: string, plural: string): boolean {
  const { resource, subresource } = attributes
  return resource.group === group && resource.plural === plural && subresource === ''
}

/** The name of the object in a refusal: `generateName` while the object has no name. */
export function shownName({ name, object }: AdmissionAttributes): string {
  const { name: own, generateName } = metadataOf(object)
  return [name, own, generateName].find((text) => text !== undefined && text !== '') ?? 'Unknown'
}

/** The error of a plugin that refuses a write. */
export function refusal(attributes: AdmissionAttributes, why: string): ApiError {
  const { group, plural } = attributes.resource
  return forbidden({ group, resource: plural }, shownName(attributes), why)
}

/** Why the client of a real server's plugins cannot look an object up by this name. */
export function lookupProblem(name: string): string | undefined {
  const problems = pathSegmentProblems(name)
  if (problems.length === 0) return undefined
  return `invalid resource name ${goQuote(name)}: [${problems.join(' ')}]`
}
