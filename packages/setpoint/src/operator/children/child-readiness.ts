import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import { daemonSetRollout } from '../../kinds/status/daemon-set.ts'
import { deploymentRollout } from '../../kinds/status/deployment.ts'
import { jobCompletion } from '../../kinds/status/job.ts'
import { statefulSetRollout } from '../../kinds/status/stateful-set.ts'
import type { Readiness } from '../../kinds/status/readiness.ts'

const verdicts: Readonly<Record<string, (object: never) => Readiness>> = {
  'apps/v1 Deployment': deploymentRollout,
  'apps/v1 StatefulSet': statefulSetRollout,
  'apps/v1 DaemonSet': daemonSetRollout,
  'batch/v1 Job': jobCompletion,
}

/** Whether a child is ready by default: a workload that is rolled out, or any other object. */
export function isReadyByDefault(object: ApiResource): boolean {
  return !isTerminating(object) && verdictOn(object)?.isDone !== false
}

/**
 * What a child that is not ready waits for, if its kind reports it: `1 of 3 replicas available`.
 */
export function progressOf(object: ApiResource): string | undefined {
  const verdict = verdictOn(object)
  return verdict?.isDone === false ? verdict.words : undefined
}

/** Whether the controller of an object has not observed its latest change. */
export function isUnobserved(object: ApiResource | undefined): boolean {
  const { observedGeneration } = (object?.['status'] ?? {}) as { observedGeneration?: number }
  const { generation } = object?.metadata ?? {}
  return (
    generation !== undefined && observedGeneration !== undefined && observedGeneration < generation
  )
}

function verdictOn(object: ApiResource): Readiness | undefined {
  return verdicts[`${object.apiVersion} ${object.kind}`]?.(object as never)
}
