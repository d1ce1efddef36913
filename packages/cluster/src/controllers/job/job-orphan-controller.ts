import { operator, type AnyOperator } from 'setpoint'
import { Job, Pod } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { isFinished, isManagedElsewhere, isTracked, type JobObject } from './job-rules.ts'
import type { PodObject } from '../pods/pod-state.ts'
import { releasePod } from './pods/release-pod.ts'

/**
 * Removes the finalizer from pods that no Job will count: their Job is deleted or finished, or they
 * have none.
 */
export function jobOrphanController(): AnyOperator {
  return operator(Pod, {
    ...controllerOptions,
    name: 'job-orphan-pods',
    reconcileDeleting: true,
    filter: ({ object }) => isTracked(object),
  })
    .writes(Pod)
    .watch(
      Job,
      ({ metadata: { namespace }, spec: { selector } }, view) =>
        view
          .list(Pod, { namespace, ...(selector && { labels: selector }) })
          .map((pod) => `${namespace}/${pod.metadata.name}`),
      { filter: ({ type, object }) => type === 'removed' || isFinished(object) },
    )
    .reconcile(async (pod, ctx) => {
      if (isTracked(pod) && isOrphan(pod, (name) => ctx.get(Job, name))) await releasePod(ctx, pod)
    })
}

/** Whether no Job will count the pod. */
function isOrphan(pod: PodObject, find: (name: string) => JobObject | undefined): boolean {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined) return true
  if (owner.kind !== 'Job' || owner.apiVersion !== Job.apiVersion) return false
  const job = find(owner.name)
  if (job?.metadata.uid !== owner.uid) return true
  return !isManagedElsewhere(job) && isFinished(job)
}
