import { operator, type AnyOperator, type ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { Node, Pod } from 'setpoint/kinds'
import { jsonEquals } from 'setpoint/schema'
import { controllerOptions } from '../controller-options.ts'
import { conditionPatch, disruptionTarget } from '../pods/disruption-target.ts'
import type { PodObject } from '../pods/pod-state.ts'
import { evictionDelayMs, evictingTaints } from './eviction-delay.ts'

type EvictionContext = ReconcileContext<typeof Pod | typeof Node, typeof Pod, typeof Pod>

/** The condition of evicted pods. */
const target = {
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
}

/** Evicts pods from nodes with taints that they do not tolerate, or no longer tolerate. */
export function taintEvictionController(): AnyOperator {
  /** When pods are evicted, by uid; `undefined` for pods that were evicted. */
  const planned = new Map<string, number | undefined>()
  return operator(Pod, {
    ...controllerOptions,
    name: 'taint-eviction-controller',
    reconcileDeleting: true,
    // Only the node and the tolerations matter.
    filter: ({ object, old }) =>
      object.spec.nodeName !== old?.spec.nodeName ||
      !jsonEquals(object.spec.tolerations, old?.spec.tolerations),
  })
    .writes(Pod)
    .index('on node', ({ metadata, spec }) =>
      spec.nodeName === undefined
        ? []
        : [[spec.nodeName, `${metadata.namespace}/${metadata.name}`] as const],
    )
    .watch(Node, ({ metadata }, view) => view.index('on node').get(metadata.name), {
      filter: ({ type, object, old }) =>
        type === 'added' ||
        !jsonEquals(evictingTaints(object.spec.taints), evictingTaints(old?.spec.taints)),
    })
    .onEvent(async ({ type, object }, { recordEvent }) => {
      const { uid } = object.metadata
      if (type !== 'removed') return
      if (planned.get(uid) !== undefined) await recordEvent(cancelled(object))
      planned.delete(uid)
    })
    .reconcile(async (pod, ctx) => {
      const { uid } = pod.metadata
      const plan = planned.get(uid)
      const node = ctx.get(Node, pod.spec.nodeName ?? '')
      if (plan === undefined && (planned.has(uid) || node === undefined)) return undefined
      const taints = evictingTaints(node?.spec.taints)
      const nowMs = ctx.now()
      const delayMs = evictionDelayMs(pod.spec.tolerations ?? [], taints)
      // A deleted node does not change the eviction that was planned for it.
      if (node !== undefined && plan !== undefined && (delayMs === 0 || delayMs === Infinity)) {
        planned.delete(uid)
        await ctx.recordEvent(cancelled(pod))
      }
      if (node !== undefined && delayMs === Infinity) return undefined
      const dueMs = node !== undefined && delayMs === 0 ? nowMs : (plan ?? nowMs + delayMs)
      planned.set(uid, dueMs)
      if (dueMs > nowMs) return { recheckAfter: dueMs - nowMs }
      await evict(pod, ctx)
      planned.set(uid, undefined)
      return undefined
    })
}

async function evict(pod: PodObject, ctx: EvictionContext): Promise<void> {
  const { namespace, name } = pod.metadata
  const message = `Marking for deletion Pod ${namespace}/${name}`
  await ctx.recordEvent({ reason: 'TaintManagerEviction', message })
  const condition = disruptionTarget(pod, target, ctx.now())
  try {
    if (condition !== undefined) {
      const strategic = { status: conditionPatch(pod, condition) }
      await ctx.patch(Pod, pod, { strategic, subresource: 'status' })
    }
    await ctx.delete(Pod, pod, { evenIfChanged: true })
  } catch (error) {
    if (!isApiError(error, 'API_NOT_FOUND')) throw error
  }
}

function cancelled({ metadata: { namespace, name } }: PodObject): {
  reason: string
  message: string
} {
  return {
    reason: 'TaintManagerEviction',
    message: `Cancelling deletion of Pod ${namespace}/${name}`,
  }
}
