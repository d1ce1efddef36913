import { daemonSetRollout } from '../../kinds/status/daemon-set.ts'
import { deploymentRollout } from '../../kinds/status/deployment.ts'
import { isJobComplete } from '../../kinds/status/job.ts'
import { statefulSetRollout } from '../../kinds/status/stateful-set.ts'
import type { ApiResource } from '../declare/operator-declaration.ts'

const checks: Readonly<Record<string, (object: never) => boolean>> = {
  'apps/v1 Deployment': (object) => deploymentRollout(object).isDone,
  'apps/v1 StatefulSet': (object) => statefulSetRollout(object).isDone,
  'apps/v1 DaemonSet': (object) => daemonSetRollout(object).isDone,
  'batch/v1 Job': (object) => isJobComplete(object),
}

/** Whether a child can be relied on: workloads when they are rolled out, everything else when it exists. */
export function isReady(object: ApiResource): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return false
  const check = checks[`${object.apiVersion} ${object.kind}`]
  return check === undefined || check(object as never)
}

/** Whether a controller has not seen the latest change of an object it reports on. */
export function lagsBehind(object: ApiResource | undefined): boolean {
  const { observedGeneration } = (object?.['status'] ?? {}) as { observedGeneration?: number }
  const { generation } = object?.metadata ?? {}
  return (
    generation !== undefined && observedGeneration !== undefined && observedGeneration < generation
  )
}
