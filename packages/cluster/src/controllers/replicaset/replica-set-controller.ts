import {
  operator,
  type AnyOperator,
  type Frozen,
  type InferResource,
  type Kind,
  type ReconcileContext,
} from 'setpoint'
import { isApiError } from 'setpoint/client'
import { Pod, ReplicaSet, ReplicationController, selects } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import { claim, controllerOf } from '../pods/claim.ts'
import { controllerOptions } from '../controller-options.ts'
import { inDeletionOrder, neighboursOf } from '../pods/deletion-order.ts'
import { createPod, deletePod, isNamespaceTerminating } from '../pods/pod-control.ts'
import { podFromTemplate } from '../pods/pod-from-template.ts'
import { isActive, isPodTerminating, nextAvailableMs, type PodObject } from '../pods/pod-state.ts'
import { replicaSetStatus } from './replica-set-status.ts'

type SetObject = Frozen<ReplicaSet>
type SetContext = ReconcileContext<typeof Pod, typeof Pod>

/** How many pods are created or deleted in one reconcile. */
const burst = 500

/** Keeps the number of pods of a ReplicaSet at its replicas. */
export const replicaSetController = replicaController(ReplicaSet, {
  name: 'replicaset-controller',
  asSet: (set) => set,
})

/**
 * Keeps the number of pods of a ReplicationController at its replicas. Its selector is a map of
 * labels, and its status has fewer fields.
 */
export const replicationController = replicaController(ReplicationController, {
  name: 'replication-controller',
  asSet: ({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, selector: { matchLabels: spec.selector ?? {} } },
  }),
})

interface ReplicaOptions<Served> {
  readonly name: string
  /** Converts an object of the kind to a ReplicaSet. */
  readonly asSet: (served: Served) => object
}

function replicaController<K extends typeof ReplicaSet | typeof ReplicationController>(
  kind: K,
  { name, asSet }: ReplicaOptions<Frozen<InferResource<K>>>,
): AnyOperator {
  const setOf = (served: unknown): SetObject =>
    asSet(served as Frozen<InferResource<K>>) as SetObject
  return operator<Kind>(kind, { ...controllerOptions, name, reconcileDeleting: true })
    .owns(Pod)
    .watch(Pod, (pod, view) => {
      if (controllerOf(pod) !== undefined) return []
      const { namespace = '', labels } = pod.metadata
      return view
        .list(kind, namespace)
        .map(setOf)
        .filter(({ spec }) => selects(spec.selector, labels))
        .map(({ metadata }) => `${namespace}/${metadata.name}`)
    })
    .reconcile(async (served, ctx) => {
      const related = (namespace: string): SetObject[] => ctx.list(kind, namespace).map(setOf)
      return reconcileSet(setOf(served), { kind, related, ctx: ctx })
    })
}

interface SetRun {
  readonly kind: Kind
  readonly related: (namespace: string) => SetObject[]
  readonly ctx: SetContext
}

async function reconcileSet(
  set: SetObject,
  run: SetRun,
): Promise<{ recheckAfter: number } | undefined> {
  const { kind, ctx } = run
  const { selector, minReadySeconds = 0 } = set.spec
  const claimed = await claim(ctx, {
    owner: set,
    ownerKind: kind,
    kind: Pod,
    selector,
    isCandidate: isActive,
  })
  const isOwnTerminatingPod = (pod: PodObject): boolean =>
    isPodTerminating(pod) && controllerOf(pod)?.uid === set.metadata.uid
  const terminating = ctx
    .owned(Pod)
    .filter(isOwnTerminatingPod)
    .filter(({ metadata }) => selects(selector, metadata.labels)).length
  const { active, failure, error } = await manage(set, claimed, run)
  const nowMs = ctx.now()
  const { terminatingReplicas, ...status } = replicaSetStatus({
    set,
    active,
    terminating,
    failure,
    nowMs,
  })
  await ctx.updateStatus(kind === ReplicaSet ? { ...status, terminatingReplicas } : status)
  if (error !== undefined) throw error
  const recheckAfter = nextAvailableMs(active, minReadySeconds, nowMs)
  return recheckAfter === undefined ? undefined : { recheckAfter }
}

/** The active pods of a set after a reconcile, and the failure that stopped it. */
interface Managed {
  readonly active: readonly PodObject[]
  readonly failure?: { readonly reason: string; readonly message: string }
  readonly error?: Error
}

/** Creates missing pods or deletes surplus pods. */
async function manage(set: SetObject, pods: readonly PodObject[], run: SetRun): Promise<Managed> {
  const desired = set.spec.replicas ?? 1
  if (isTerminating(set) || desired === pods.length) return { active: pods }
  if (desired < pods.length) return removeSome(set, pods, run)
  const active = [...pods]
  const missing = Math.min(desired - pods.length, burst)
  const template = podFromTemplate(set.spec.template ?? {}, set.metadata.name)
  // A create that failed once will fail again: the first failure ends the loop until the next
  // reconcile.
  for (let made = 0; made < missing; made += 1) {
    try {
      active.push(await createPod(run.ctx, template))
    } catch (error) {
      if (isNamespaceTerminating(error)) return { active }
      // Reports the failure before it counts the pods that were created: Deployments observe it in
      // this order.
      return failed('FailedCreate', pods, error)
    }
  }
  return { active }
}

async function removeSome(
  set: SetObject,
  pods: readonly PodObject[],
  run: SetRun,
): Promise<Managed> {
  const count = Math.min(pods.length - (set.spec.replicas ?? 1), burst)
  const neighbours = neighboursOf(relatedPods(set, run))
  const ordered = inDeletionOrder(pods, { neighbours, nowMs: run.ctx.now() })
  for (const [index, pod] of ordered.slice(0, count).entries()) {
    try {
      await deletePod(run.ctx, pod)
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

/**
 * The pods of all sets of the same owner. For a Deployment these include the pods of other
 * revisions.
 */
function relatedPods(set: SetObject, { related, ctx }: SetRun): PodObject[] {
  const { namespace } = set.metadata
  const owner = controllerOf(set)?.uid
  const sets =
    owner === undefined
      ? [set]
      : related(namespace).filter((one) => controllerOf(one)?.uid === owner)
  const pods = sets.flatMap((one) => ctx.list(Pod, { namespace, labels: one.spec.selector }))
  return [...new Set(pods)]
}
