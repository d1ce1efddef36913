import type { Frozen } from 'setpoint'
import type { ControllerRevision, PodTemplateSpec } from 'setpoint/kinds'
import { canonicalJson } from '../canonical-json.ts'

export type RevisionObject = Frozen<ControllerRevision>

/** The data of a revision: a patch that restores the template. */
export function revisionData(set: {
  readonly spec: { readonly template: Frozen<PodTemplateSpec> }
}): object {
  return { spec: { template: { ...set.spec.template, $patch: 'replace' } } }
}

/** Whether a revision has the same data as a new one. */
export function hasSameData({ data }: RevisionObject, revised: { readonly data: object }): boolean {
  return canonicalJson(data) === canonicalJson(revised.data)
}

/** Sorts revisions from the oldest to the newest. */
export function inOrder(revisions: readonly RevisionObject[]): RevisionObject[] {
  return revisions.toSorted(
    (a, b) =>
      a.revision - b.revision ||
      Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp) ||
      (a.metadata.name < b.metadata.name ? -1 : 1),
  )
}
