/**
 * workloads/: the controllers of a cluster, as ordinary Setpoint operators.
 *
 * Each folder is one controller: a value made with `operator(Kind)`, its rules as pure functions beside it. They talk to
 * the API as any user's program would, over a connection that cluster/ gives them, and know nothing of how it is served.
 *
 * They promise what those of a real cluster do: the same objects, conditions, reasons, revisions and Events. In a steady
 * state they write nothing.
 */
import type { AnyOperator } from 'setpoint'
import { deploymentController } from './deployment/deployment-controller.ts'
import { replicaSetController } from './replicaset/replica-set-controller.ts'

/** All controllers. */
export function workloadControllers(): AnyOperator[] {
  return [deploymentController, replicaSetController]
}
