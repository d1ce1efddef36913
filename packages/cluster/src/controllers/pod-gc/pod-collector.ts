import { operator, type AnyOperator, type ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { Node, Pod } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import { controllerOptions } from '../controller-options.ts'
import { conditionPatch, disruptionTarget } from '../pods/disruption-target.ts'
import { isFinished, type PodObject } from '../pods/pod-state.ts'
import { checkMs, isAbandoned, quarantineMs, surplusPods } from './garbage-pods.ts'

type CollectorContext = ReconcileContext<typeof Pod | typeof Node, typeof Pod, typeof Pod>

/** The condition of pods whose node is gone. */
const orphaned = { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' }

/** Deletes pods that no kubelet will finish, and the oldest finished pods above `endedMax`. */
export function podCollector(endedMax = 12_500): AnyOperator {
  const ended = new Set<string>()
  /** Since when pods have been without their node, by uid. */
  const missing = new Map<string, number>()
  return operator(Pod, {
    ...controllerOptions,
    name: 'pod-garbage-collector',
    reconcileDeleting: true,
  })
    .writes(Pod)
    .index('on node', ({ metadata, spec }) =>
      spec.nodeName === undefined
        ? []
        : [[spec.nodeName, `${metadata.namespace}/${metadata.name}`] as const],
    )
    .watch(Node, ({ metadata }, view) => view.index('on node').get(metadata.name), {
      // Only existence, taints and conditions of the node count.
      filter: ({ type, object, old }) =>
        type !== 'changed' ||
        object.spec.taints?.length !== old?.spec.taints?.length ||
        JSON.stringify(object.status?.conditions) !== JSON.stringify(old?.status?.conditions),
    })
    .onEvent(async ({ type, object }) => {
      const { uid } = object.metadata
      if (type !== 'removed' && isFinished(object)) ended.add(uid)
      else ended.delete(uid)
      if (type === 'removed') missing.delete(uid)
    })
    .reconcile(async (pod, ctx) => {
      const { uid } = pod.metadata
      const { nodeName = '' } = pod.spec
      const node = ctx.get(Node, nodeName)
      if (ended.size > endedMax) {
        for (const surplus of surplusPods(ctx.list(Pod), endedMax)) {
          ended.delete(surplus.metadata.uid)
          await failAndDelete(surplus, ctx)
        }
      }
      if (isAbandoned(pod, node)) return collect(pod, ctx)
      if (node !== undefined) missing.delete(uid)
      if (nodeName === '' || node !== undefined) return undefined
      const sinceMs = missing.get(uid) ?? ctx.now()
      missing.set(uid, sinceMs)
      const waitMs = sinceMs + quarantineMs - ctx.now()
      if (waitMs > 0) return { recheckAfter: waitMs }
      if ((await ctx.client.find(Node, { name: nodeName })) !== undefined) return undefined
      return failAndDelete(pod, ctx, orphaned)
    })
}

/** Waits a while, because the client that deletes the pod may still remove its finalizers. */
async function collect(
  pod: PodObject,
  ctx: CollectorContext,
): Promise<{ recheckAfter: number } | undefined> {
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = pod.metadata
  const askedMs = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1_000
  const waitMs = askedMs + checkMs - ctx.now()
  if (waitMs > 0) return { recheckAfter: waitMs }
  return failAndDelete(pod, ctx)
}

/**
 * Sets an unfinished pod to the phase Failed before it is deleted, so that its owner can rely on a
 * final phase.
 */
async function failAndDelete(
  pod: PodObject,
  ctx: CollectorContext,
  why?: { readonly reason: string; readonly message: string },
): Promise<undefined> {
  const { generation: observedGeneration, deletionGracePeriodSeconds } = pod.metadata
  const condition = why === undefined ? undefined : disruptionTarget(pod, why, ctx.now())
  try {
    if (!isFinished(pod)) {
      const status = {
        phase: 'Failed',
        observedGeneration,
        ...(condition === undefined ? {} : conditionPatch(pod, condition)),
      }
      await ctx.patch(Pod, pod, { strategic: { status }, subresource: 'status' })
    }
    // A pod that only finalizers keep cannot be deleted further.
    if (isTerminating(pod) && deletionGracePeriodSeconds === 0) return
    await ctx.delete(Pod, pod, { gracePeriodSeconds: 0, evenIfChanged: true })
  } catch (error) {
    if (!isApiError(error, 'API_NOT_FOUND')) throw error
  }
}
