import { type ExactKind, withHelpers } from '../define-kind.ts'
import {
  StatefulSet as PlainStatefulSet,
  type StatefulSet as StatefulSetObject,
} from '../generated/apps-v1.ts'
import type { Observed } from './observed.ts'
import { countOf, done, unreportedReason, waiting, type Readiness } from './readiness.ts'

/** Keeps pods with stable names and their own volumes. They are started and updated in order. */
export type StatefulSet = StatefulSetObject

const helpers = {
  /** Whether all pods are ready and those that the strategy updates run the current template. */
  isRolledOut(statefulSet: Observed<StatefulSetObject> | undefined): boolean {
    return statefulSetRollout(statefulSet).isDone
  },
  /** The progress of the rollout, for the message of a condition: `1 of 3 pods ready`. */
  progress(statefulSet: Observed<StatefulSetObject> | undefined): string {
    return statefulSetRollout(statefulSet).words
  },
}

/** The type of the value `StatefulSet`. */
export interface StatefulSetKind extends ExactKind<StatefulSetObject>, Readonly<typeof helpers> {}

/**
 * The kind of StatefulSets, with `isRolledOut` and `progress`: the rules of `kubectl rollout
 * status`, which require ready pods. kubectl refuses the OnDelete strategy; here it requires that
 * every outdated pod was deleted.
 */
export const StatefulSet: StatefulSetKind = /* @__PURE__ */ withHelpers(PlainStatefulSet, helpers)

/**
 * The rollout. Separate from the kind, for code that handles objects of many kinds without bundling
 * them.
 */
export function statefulSetRollout(
  statefulSet: Observed<StatefulSetObject> | undefined,
): Readiness {
  const early = unreportedReason(statefulSet)
  if (early !== undefined) return waiting(early)
  const { replicas: desired = 1, updateStrategy } = statefulSet?.spec ?? {}
  const { readyReplicas: ready = 0, updatedReplicas: updated = 0 } = statefulSet?.status ?? {}
  if (ready < desired) return waiting(countOf(ready, desired, ['pod', 'ready']))
  if (updateStrategy?.type === 'OnDelete') {
    return updated < desired
      ? waiting(
          `${countOf(updated, desired, ['pod', 'updated'])}; OnDelete updates a pod only after it is deleted`,
        )
      : finished(desired)
  }
  // Pods with an ordinal below the partition keep their old template intentionally.
  const partition = updateStrategy?.rollingUpdate?.partition ?? 0
  const toUpdate = Math.max(0, desired - partition)
  const counts = countOf(updated, toUpdate, ['pod', 'updated'])
  if (updated < toUpdate) {
    return waiting(partition === 0 ? counts : `${counts} above partition ${partition}`)
  }
  if (partition === 0 || desired === 0) return finished(desired)
  return done(
    `${countOf(ready, desired, ['pod', 'ready'])}, updated down to partition ${partition}`,
  )
}

function finished(desired: number): Readiness {
  return done(desired === 0 ? 'scaled to zero' : countOf(desired, desired, ['pod', 'ready']))
}
