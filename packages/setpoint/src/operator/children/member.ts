import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import type { ChildDeclaration } from '../declare/operator-declaration.ts'
import type { ChildManifest } from '../manifest/child-manifest.ts'
import type { AppliedObject } from '../write/write-steps.ts'
import { isReadyByDefault, isUnobserved } from './child-readiness.ts'

/** A child, or one of a child set. */
export interface Member {
  /** The key in its set; empty for a single child. */
  readonly key: string
  readonly manifest: ChildManifest
  readonly live: ApiResource | undefined
  readonly state: MemberState
}

type MemberState =
  /** It does not exist. */
  | 'missing'
  /** It waits for the children it is declared `after`, so it is neither created nor updated. */
  | 'waiting'
  /** The desired state has changed since it was written. It may still be ready. */
  | 'outdated'
  /** It is written as desired, and not ready. */
  | 'updating'
  /** It is written as desired, and ready. */
  | 'ready'
  /** It is being deleted. */
  | 'terminating'

/** The input of `stateBefore`. */
interface MemberFacts {
  readonly live: ApiResource | undefined
  readonly isUpToDate: boolean
  readonly isWaiting: boolean
  readonly isReady: boolean
}

/** The state of a member before this reconcile writes it. */
export function stateBefore({ live, isUpToDate, isWaiting, isReady }: MemberFacts): MemberState {
  if (live !== undefined && isTerminating(live)) return 'terminating'
  if (!isUpToDate && isWaiting) return 'waiting'
  if (live === undefined) return 'missing'
  if (!isUpToDate) return 'outdated'
  return isReady ? 'ready' : 'updating'
}

/** The state of a member after this reconcile applied it. */
export function stateAfter(
  before: MemberState,
  { object, effect }: AppliedObject,
  child: ChildDeclaration,
): MemberState {
  if (effect === 'deleted' || isTerminating(object)) return 'terminating'
  // Its status is older than the update, so a rollout waits for the next reconcile.
  if (before === 'outdated' && child.rollout !== undefined) return 'updating'
  return isReady(child, object) ? 'ready' : 'updating'
}

/** Whether a live child is ready, with its newest or an older desired state. */
export function isReady({ readyWhen }: ChildDeclaration, live: ApiResource): boolean {
  if (isTerminating(live) || isUnobserved(live)) return false
  return (readyWhen ?? isReadyByDefault)(live)
}

/**
 * Whether a member may be written now. Drift is always corrected, and creating a member makes
 * nothing unavailable. With a rollout, at most `maxUnavailable` members are updated at the same
 * time, so updates that do not become ready stop the rollout.
 */
export function mayWrite(
  members: readonly Member[],
  member: Member,
  child: ChildDeclaration,
): boolean {
  if (member.state === 'waiting') return false
  const { rollout } = child
  if (member.state !== 'outdated' || rollout === undefined) return true
  const isAvailable = ({ state, live }: Member): boolean =>
    state === 'ready' ||
    ((state === 'outdated' || state === 'waiting') && live !== undefined && isReady(child, live))
  // Updating a member that is not ready makes nothing less available.
  if (!isAvailable(member)) return true
  const unavailable = members.filter((one) => !isAvailable(one)).length
  return unavailable < unavailableMax(rollout.maxUnavailable, members.length)
}

/** At least one, because with zero no member would ever be updated. */
function unavailableMax(maxUnavailable: number | `${number}%`, count: number): number {
  const limit =
    typeof maxUnavailable === 'number'
      ? maxUnavailable
      : Math.floor((Number.parseFloat(maxUnavailable) / 100) * count)
  return Math.max(1, limit)
}
