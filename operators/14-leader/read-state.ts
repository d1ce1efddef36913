import type { Frozen } from 'setpoint'
import { isTerminating, type Lease, Pod } from 'setpoint/kinds'
import { type Choice, leaderLabel } from './leader-choice.ts'
import type { Candidate, LeaderState, Term } from './next-action.ts'

/** The annotation of the Lease with the leader before, until that pod is fenced. */
export const formerAnnotation = 'leadership.example.com/former'

/** The identity of a pod in the Lease. */
export function idOf({ metadata: { name, uid } }: Frozen<Pod>): string {
  return `${name}_${uid}`
}

/** The name of the pod in an identity. */
export function podNameOf(id: string): string {
  return id.slice(0, id.lastIndexOf('_'))
}

/** Whether an object has these labels. */
export function hasLabels(
  { metadata: { labels = {} } }: Frozen<Pod>,
  wanted: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(wanted).every(([key, value]) => labels[key] === value)
}

/** What the objects of a LeaderChoice say: from the cache, or from the server. */
export function readState(
  choice: Choice,
  pods: readonly Frozen<Pod>[],
  { lease, nowMs }: { readonly lease: Frozen<Lease> | undefined; readonly nowMs: number },
): LeaderState {
  const label = leaderLabel(choice)
  const candidates = pods
    .map((pod): Candidate => ({
      id: idOf(pod),
      isSelected: hasLabels(pod, choice.spec.selector),
      isReady: Pod.isReady(pod),
      isEnding: isTerminating(pod) || ['Succeeded', 'Failed'].includes(pod.status?.phase ?? ''),
      hasLabel: pod.metadata.labels?.[label] !== undefined,
    }))
    .filter(({ isSelected, hasLabel }) => isSelected || hasLabel)
  const leaseMs = choice.spec.leaseSeconds * 1000
  return { candidates, term: lease && termOf(lease), leaseMs, nowMs }
}

function termOf({ metadata, spec }: Frozen<Lease>): Term {
  return {
    holder: spec.holderIdentity ?? '',
    former: metadata.annotations?.[formerAnnotation] ?? '',
    renewedMs: Date.parse(spec.renewTime ?? '') || 0,
  }
}
