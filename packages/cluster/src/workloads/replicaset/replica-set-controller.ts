import { operator, type Frozen, type ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { Pod, ReplicaSet, selects } from 'setpoint/kinds'
import { claim, controllerOf } from '../pods/claim.ts'
import { controllerOptions } from '../controller-options.ts'
import { inDeletionOrder, neighboursOf } from '../pods/deletion-order.ts'
import { createPod, deletePod, isNamespaceEnding } from '../pods/pod-control.ts'
import { podFromTemplate } from '../pods/pod-from-template.ts'
import { isActive, isTerminating, nextAvailableMs, type PodObject } from '../pods/pod-state.ts'
import { replicaSetStatus } from './replica-set-status.ts'

type ReplicaSetContext = ReconcileContext<
  typeof Pod | typeof ReplicaSet,
  typeof Pod,
  typeof ReplicaSet
>

/** How many pods are made or removed in one go. */
const burst = 500

/** Keeps as many pods of a template as a replica set wants. */
export const replicaSetController = operator(ReplicaSet, {
  ...controllerOptions,
  name: 'replicaset-controller',
  servesDeleted: true,
})
  .owns(Pod)
  .watch(Pod, (pod, view) => {
    if (controllerOf(pod) !== undefined) return []
    const { namespace = '', labels } = pod.metadata
    return view
      .list(ReplicaSet, namespace)
      .filter((set) => selects(set.spec.selector, labels))
      .map(({ metadata }) => `${namespace}/${metadata.name}`)
  })
  .reconcile(async (set, ctx) => {
    const { selector, minReadySeconds = 0 } = set.spec
    const claimed = await claim(ctx, {
      ...{ owner: set, ownerKind: ReplicaSet, kind: Pod, selector },
      isCandidate: isActive,
    })
    const isLeaving = (pod: PodObject): boolean =>
      isTerminating(pod) && controllerOf(pod)?.uid === set.metadata.uid
    const terminating = ctx
      .owned(Pod)
      .filter(isLeaving)
      .filter(({ metadata }) => selects(selector, metadata.labels))
    const { active, failure, error } = await manage(set, claimed, ctx)
    const nowMs = ctx.now()
    const leaving = terminating.length
    await ctx.updateStatus(replicaSetStatus({ set, active, terminating: leaving, failure, nowMs }))
    if (error !== undefined) throw error
    const recheckAfter = nextAvailableMs(active, minReadySeconds, nowMs)
    return recheckAfter === undefined ? undefined : { recheckAfter }
  })

/** What became of the pods of a set, and why not more. */
interface Managed {
  readonly active: readonly PodObject[]
  readonly failure?: { readonly reason: string; readonly message: string }
  readonly error?: Error
}

/** Makes pods that are missing and removes those that are too many. */
async function manage(
  set: Frozen<ReplicaSet>,
  pods: readonly PodObject[],
  ctx: ReplicaSetContext,
): Promise<Managed> {
  const wanted = set.spec.replicas ?? 1
  if (set.metadata.deletionTimestamp !== undefined || wanted === pods.length)
    return { active: pods }
  if (wanted < pods.length) return removeSome(set, pods, ctx)
  const active = [...pods]
  const missing = Math.min(wanted - pods.length, burst)
  const template = podFromTemplate(set.spec.template ?? {}, set.metadata.name)
  // What fails once will fail again: after the first failure the rest is left for the next try.
  for (let made = 0; made < missing; made += 1) {
    try {
      active.push(await createPod(ctx, template))
    } catch (error) {
      if (isNamespaceEnding(error)) return { active }
      return failed('FailedCreate', active, error)
    }
  }
  return { active }
}

async function removeSome(
  set: Frozen<ReplicaSet>,
  pods: readonly PodObject[],
  ctx: ReplicaSetContext,
): Promise<Managed> {
  const count = Math.min(pods.length - (set.spec.replicas ?? 1), burst)
  const neighbours = neighboursOf(relatedPods(set, ctx))
  const ordered = inDeletionOrder(pods, { neighbours, nowMs: ctx.now() })
  for (const [index, pod] of ordered.slice(0, count).entries()) {
    try {
      await deletePod(ctx, pod)
    } catch (error) {
      return failed('FailedDelete', ordered.slice(index), error)
    }
  }
  return { active: ordered.slice(count) }
}

function failed(reason: string, active: readonly PodObject[], error: unknown): Managed {
  if (!isApiError(error)) throw error
  return { active, failure: { reason, message: error.status.message }, error }
}

/** The pods of all sets of the same owner: of a deployment, those of its other revisions too. */
function relatedPods(set: Frozen<ReplicaSet>, ctx: ReplicaSetContext): PodObject[] {
  const { namespace = '' } = set.metadata
  const owner = controllerOf(set)?.uid
  const sets =
    owner === undefined
      ? [set]
      : ctx.list(ReplicaSet, namespace).filter((one) => controllerOf(one)?.uid === owner)
  const pods = sets.flatMap((one) => ctx.list(Pod, { namespace, labels: one.spec.selector }))
  return [...new Set(pods)]
}
