import { type ExactKind, withHelpers } from '../define-kind.ts'
import {
  DaemonSet as PlainDaemonSet,
  type DaemonSet as DaemonSetObject,
} from '../generated/apps-v1.ts'
import type { Observed } from './observed.ts'
import { countOf, done, unreportedReason, waiting, type Readiness } from './readiness.ts'

/** Runs one pod on every node that fits. */
export type DaemonSet = DaemonSetObject

const helpers = {
  /** Whether every node that should run a pod has one with the current template, available. */
  isRolledOut(daemonSet: Observed<DaemonSetObject> | undefined): boolean {
    return daemonSetRollout(daemonSet).isDone
  },
  /** The progress of the rollout, for the message of a condition: `2 of 3 pods available`. */
  progress(daemonSet: Observed<DaemonSetObject> | undefined): string {
    return daemonSetRollout(daemonSet).words
  },
}

/** The type of the value `DaemonSet`. */
export interface DaemonSetKind extends ExactKind<DaemonSetObject>, Readonly<typeof helpers> {}

/**
 * The kind of DaemonSets, with `isRolledOut` and `progress`: the rules of `kubectl rollout status`.
 * kubectl refuses the OnDelete strategy; here it requires that every outdated pod was deleted.
 */
export const DaemonSet: DaemonSetKind = /* @__PURE__ */ withHelpers(PlainDaemonSet, helpers)

/**
 * The rollout. Separate from the kind, for code that handles objects of many kinds without bundling
 * them.
 */
export function daemonSetRollout(daemonSet: Observed<DaemonSetObject> | undefined): Readiness {
  const early = unreportedReason(daemonSet)
  if (early !== undefined) return waiting(early)
  const { desiredNumberScheduled: desired = 0, updatedNumberScheduled: updated = 0 } =
    daemonSet?.status ?? {}
  const available = daemonSet?.status?.numberAvailable ?? 0
  if (updated < desired) {
    const counts = countOf(updated, desired, ['pod', 'updated'])
    const isManual = daemonSet?.spec?.updateStrategy?.type === 'OnDelete'
    return waiting(isManual ? `${counts}; OnDelete updates a pod only after it is deleted` : counts)
  }
  if (available < desired) return waiting(countOf(available, desired, ['pod', 'available']))
  if (desired === 0) return done('no node needs a pod')
  return done(countOf(available, desired, ['pod', 'available']))
}
