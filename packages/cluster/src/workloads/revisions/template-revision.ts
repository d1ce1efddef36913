import type { Frozen } from 'setpoint'
import type { ControllerRevision, PodTemplateSpec } from 'setpoint/kinds'
import { canonicalJson } from '../canonical-json.ts'

/** A revision as the cache has it. */
export type RevisionObject = Frozen<ControllerRevision>

/** What a revision of a set keeps: a patch that brings its template back. */
export function revisionData(set: {
  readonly spec: { readonly template: Frozen<PodTemplateSpec> }
}): object {
  return { spec: { template: { ...set.spec.template, $patch: 'replace' } } }
}

/** Whether a revision keeps what a new one would. */
export function keepsSame({ data }: RevisionObject, revised: { readonly data: object }): boolean {
  return canonicalJson(data) === canonicalJson(revised.data)
}

/** Revisions from the oldest to the newest. */
export function inOrder(revisions: readonly RevisionObject[]): RevisionObject[] {
  return revisions.toSorted(
    (a, b) =>
      a.revision - b.revision ||
      Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp) ||
      (a.metadata.name < b.metadata.name ? -1 : 1),
  )
}
