import { conditionOf } from './condition-of.ts'
import { withHelpers } from '../define-kind.ts'
import {
  Deployment as DeploymentKind,
  type Deployment as DeploymentObject,
} from '../generated/apps-v1.ts'
import type { Observed } from './observed.ts'
import { countOf, done, notYetTelling, plural, sentence, waiting, type Verdict } from './verdict.ts'

/** Keeps a number of identical pods running and replaces them step by step when the template changes. */
export type Deployment = DeploymentObject

/**
 * The kind of Deployments, with `isRolledOut` and `progress`: the rules of `kubectl rollout status`,
 * and a Deployment that is being deleted does not count as rolled out.
 */
export const Deployment = /* @__PURE__ */ withHelpers(DeploymentKind, {
  /** Whether every replica runs the current template and is available. */
  isRolledOut(deployment: Observed<DeploymentObject> | undefined): boolean {
    return deploymentRollout(deployment).isDone
  },
  /** How far the rollout is, in words for a condition's message: `2 of 3 replicas updated`. */
  progress(deployment: Observed<DeploymentObject> | undefined): string {
    return deploymentRollout(deployment).words
  },
})

/** How far it is. Apart from the kind, for who knows objects of many kinds and needs none of them. */
export function deploymentRollout(deployment: Observed<DeploymentObject> | undefined): Verdict {
  const early = notYetTelling(deployment)
  if (early !== undefined) return waiting(early)
  const counts = replicas(deployment)
  const deadline = conditionOf(deployment, 'Progressing')
  if (deadline?.reason === 'ProgressDeadlineExceeded') {
    return waiting(sentence('progress deadline exceeded', counts.words, failureOf(deployment)))
  }
  if (counts.isDone) return counts
  const paused = deployment?.spec?.paused === true ? 'paused' : undefined
  return waiting(sentence(paused, counts.words, failureOf(deployment)))
}

function replicas(deployment: Observed<DeploymentObject> | undefined): Verdict {
  // The server fills in 1; a manifest that has not been there yet may leave it out.
  const wanted = deployment?.spec?.replicas ?? 1
  const { replicas: existing = 0, updatedReplicas: updated = 0 } = deployment?.status ?? {}
  const available = deployment?.status?.availableReplicas ?? 0
  if (updated < wanted) return waiting(countOf(updated, wanted, ['replica', 'updated']))
  if (existing > updated) {
    return waiting(`waiting for ${plural(existing - updated, 'old replica')} to stop`)
  }
  if (available < updated) {
    return waiting(countOf(available, updated, ['updated replica', 'available']))
  }
  if (wanted === 0) return done('scaled to zero')
  return done(countOf(wanted, wanted, ['replica', 'available']))
}

/** Why pods cannot be created at all: a quota, a missing service account, an admission webhook. */
function failureOf(deployment: Observed<DeploymentObject> | undefined): string | undefined {
  const failure = conditionOf(deployment, 'ReplicaFailure')
  return failure?.status === 'True' ? (failure.message ?? failure.reason) : undefined
}
