import { operator, type AnyOperator } from 'setpoint'
import { Job, Pod, selects } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { claim, controllerOf } from '../pods/claim.ts'
import { isFinished, isManagedElsewhere, trackingFinalizer } from './job-rules.ts'
import { JobRun } from './job-run.ts'
import type { FailureRecord } from './pods/pod-backoff.ts'

/**
 * Runs the pods of Jobs until enough have succeeded or too many have failed. The backoff after
 * failures is kept in memory: after a restart the first pod is not delayed.
 */
export function jobController(): AnyOperator {
  const records = new Map<string, FailureRecord>()
  return operator(Job, { ...controllerOptions, name: 'job-controller', reconcileDeleting: true })
    .owns(Pod)
    .watch(Pod, (pod, view) => {
      if (controllerOf(pod) !== undefined) return []
      const { metadata } = pod
      return view
        .list(Job, metadata.namespace)
        .filter(({ spec }) => selects(spec.selector, metadata.labels))
        .map((job) => `${metadata.namespace}/${job.metadata.name}`)
    })
    .reconcile(async (job, ctx) => {
      if (isManagedElsewhere(job)) return undefined
      if (isFinished(job)) {
        records.delete(job.metadata.uid)
        return undefined
      }
      const pods = await claim(ctx, {
        owner: job,
        ownerKind: Job,
        kind: Pod,
        selector: job.spec.selector,
        finalizer: trackingFinalizer,
      })
      return new JobRun({ job, pods, ctx, records }).reconcile()
    })
}
