import { conditionOf } from './condition-of.ts'
import { type ExactKind, withHelpers } from '../define-kind.ts'
import {
  Deployment as PlainDeployment,
  type Deployment as DeploymentObject,
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

/**
 * Keeps a number of identical pods running and replaces them step by step when the template
 * changes.
 */
export type Deployment = DeploymentObject

const helpers = {
  /** Whether every replica runs the current template and is available. */
  isRolledOut(deployment: Observed<DeploymentObject> | undefined): boolean {
    return deploymentRollout(deployment).isDone
  },
  /** The progress of the rollout, for the message of a condition: `2 of 3 replicas updated`. */
  progress(deployment: Observed<DeploymentObject> | undefined): string {
    return deploymentRollout(deployment).words
  },
}

/** The type of the value `Deployment`. */
export interface DeploymentKind extends ExactKind<DeploymentObject>, Readonly<typeof helpers> {}

/**
 * The kind of Deployments, with `isRolledOut` and `progress`: the rules of `kubectl rollout
 * status`; a terminating Deployment does not count as rolled out.
 */
export const Deployment: DeploymentKind = /* @__PURE__ */ withHelpers(PlainDeployment, helpers)

/**
 * The rollout. Separate from the kind, for code that handles objects of many kinds without bundling
 * them.
 */
export function deploymentRollout(deployment: Observed<DeploymentObject> | undefined): Readiness {
  const early = unreportedReason(deployment)
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

function replicas(deployment: Observed<DeploymentObject> | undefined): Readiness {
  // The server's default is 1; a manifest that was not sent yet may omit it.
  const desired = deployment?.spec?.replicas ?? 1
  const { replicas: existing = 0, updatedReplicas: updated = 0 } = deployment?.status ?? {}
  const available = deployment?.status?.availableReplicas ?? 0
  if (updated < desired) return waiting(countOf(updated, desired, ['replica', 'updated']))
  if (existing > updated) {
    return waiting(`waiting for ${plural(existing - updated, 'old replica')} to stop`)
  }
  if (available < updated) {
    return waiting(countOf(available, updated, ['updated replica', 'available']))
  }
  if (desired === 0) return done('scaled to zero')
  return done(countOf(desired, desired, ['replica', 'available']))
}

/** Why no pods can be created: a quota, a missing service account, an admission webhook. */
function failureOf(deployment: Observed<DeploymentObject> | undefined): string | undefined {
  const failure = conditionOf(deployment, 'ReplicaFailure')
  return failure?.status === 'True' ? (failure.message ?? failure.reason) : undefined
}
