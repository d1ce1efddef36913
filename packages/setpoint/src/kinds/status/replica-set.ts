import { conditionOf } from './condition-of.ts'
import { type ExactKind, withHelpers } from '../define-kind.ts'
import {
  ReplicaSet as PlainReplicaSet,
  type ReplicaSet as ReplicaSetObject,
} from '../generated/apps-v1.ts'
import type { Observed } from './observed.ts'
import {
  countOf,
  done,
  unreportedReason,
  plural,
  sentence,
  waiting,
  type Readiness,
} from './readiness.ts'

/** Keeps a number of identical pods running; usually one revision of a Deployment. */
export type ReplicaSet = ReplicaSetObject

const helpers = {
  /**
   * Whether exactly the desired number of pods exists and all are available; templates are not
   * compared.
   */
  isRolledOut(replicaSet: Observed<ReplicaSetObject> | undefined): boolean {
    return rollout(replicaSet).isDone
  },
  /** The number of pods: `2 of 3 replicas available`. */
  progress(replicaSet: Observed<ReplicaSetObject> | undefined): string {
    return rollout(replicaSet).words
  },
}

/** The type of the value `ReplicaSet`. */
export interface ReplicaSetKind extends ExactKind<ReplicaSetObject>, Readonly<typeof helpers> {}

/** The kind of ReplicaSets, with `isRolledOut` and `progress`. */
export const ReplicaSet: ReplicaSetKind = /* @__PURE__ */ withHelpers(PlainReplicaSet, helpers)

function rollout(replicaSet: Observed<ReplicaSetObject> | undefined): Readiness {
  const early = unreportedReason(replicaSet)
  if (early !== undefined) return waiting(early)
  const desired = replicaSet?.spec?.replicas ?? 1
  const { replicas: existing = 0, availableReplicas: available = 0 } = replicaSet?.status ?? {}
  if (existing < desired) {
    const failure = conditionOf(replicaSet, 'ReplicaFailure')
    const reason = failure?.status === 'True' ? (failure.message ?? failure.reason) : undefined
    return waiting(sentence(countOf(existing, desired, ['replica', 'created']), reason))
  }
  if (existing > desired) {
    return waiting(`waiting for ${plural(existing - desired, 'surplus replica')} to stop`)
  }
  if (available < desired) return waiting(countOf(available, desired, ['replica', 'available']))
  if (desired === 0) return done('scaled to zero')
  return done(countOf(available, desired, ['replica', 'available']))
}
