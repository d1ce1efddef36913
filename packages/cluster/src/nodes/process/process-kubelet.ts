import { operator, type AnyOperator, type ReconcileContext } from 'setpoint'
import {
  ConfigMap,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  ServiceAccount,
} from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import type { PodView } from '../behaviour/index.ts'
import type { SimulatedNode } from '../node-options.ts'
import { nextPodState } from '../pod-lifecycle/index.ts'
import { ServedPods } from '../served-pods.ts'
import type { PodSources } from './pod-sources.ts'
import type { ProcessPods } from './process-pods.ts'

/** The subject of a token. */
interface PodTokenRequest {
  readonly namespace: string
  readonly account: { readonly name: string; readonly uid: string }
  readonly pod: { readonly name: string; readonly uid: string }
  /** The API server by default. */
  readonly audience: string | undefined
}

/** The API access of processes. */
export interface ProcessApi {
  readonly url: string
  readonly token: (request: PodTokenRequest) => string
}

interface ProcessKubeletOptions {
  readonly nodes: readonly SimulatedNode[]
  readonly pods: ProcessPods
  readonly api: ProcessApi
}

/**
 * The kubelets of process nodes, as one operator. It computes the status of a pod with the same
 * function as the simulated kubelet. The state of the processes replaces behaviours, and the
 * computed state is applied to the processes.
 */
export function processKubelet({ nodes, pods, api }: ProcessKubeletOptions): AnyOperator {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const served = new ServedPods()
  return operator(Pod, {
    name: 'kubelet',
    reconcileDeleting: true,
    failureEvents: false,
    concurrency: 16,
  })
    .writes(Pod)
    .watch(ConfigMap, (map, view) => podsUsing(map, view.list(Pod, map.metadata.namespace)))
    .watch(Secret, (secret, view) => podsUsing(secret, view.list(Pod, secret.metadata.namespace)))
    .watch(Service, () => [])
    .watch(ServiceAccount, () => [])
    .watch(PersistentVolumeClaim, () => [])
    .source(
      'processes',
      (signal) => pods.changed.keys(signal),
      (key) => [key],
    )
    .onEvent(async ({ type, object }) => {
      if (type !== 'removed' && type !== 'deselected') return
      served.forget(object)
      await pods.remove(object)
    })
    .reconcile(async (pod, ctx) => {
      const node = byName.get(pod.spec.nodeName ?? '')
      if (node === undefined) return
      if (served.isFirst) served.begin(ctx.list(Pod))
      const facts = { pod, podIP: served.addressOf(pod, node), hostIP: node.hostIP }
      const isDeleted = isTerminating(pod)
      const hasVolumes =
        isDeleted || isFinished(pod) || (await pods.prepare(facts, sourcesOf(pod, { ctx, api })))
      const nowMs = ctx.now()
      const behaviourOf = pods.of(pod)
      const isHeld = !hasVolumes
      const state = nextPodState({ ...facts, behaviourOf, nowMs, isHeld })
      await pods.apply(facts, state)
      await ctx.updateStatus(state.status)
      for (const { isRecordedOnce = false, ...event } of [
        ...state.events,
        ...pods.takeEvents(pod),
      ]) {
        if (isRecordedOnce && !served.isUnreported(pod, event)) continue
        const recorded = ctx.recordEvent({ ...event, node: node.name })
        await recorded.catch((err: unknown) =>
          ctx.log.debug({ err }, `failed to record the Event: ${event.message}`),
        )
      }
      if (isFinished(state)) await pods.end(pod)
      if (state.canBeRemoved) {
        await pods.remove(pod)
        await ctx.delete(Pod, pod, { gracePeriodSeconds: 0, evenIfChanged: true })
        return
      }
      return state.wakeAtMs === undefined ? undefined : { recheckAfter: state.wakeAtMs - nowMs }
    })
}

function isFinished({ status }: { readonly status?: { readonly phase?: string } }): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

interface Named {
  readonly metadata: { readonly name: string }
}

/** The pods that may use an object. An unnecessary reconcile is harmless. */
function podsUsing({ metadata }: Named, pods: readonly PodView[]): string[] {
  const name = JSON.stringify(metadata.name)
  return pods
    .filter(({ spec }) => JSON.stringify(spec).includes(name))
    .map((pod) => `${pod.metadata.namespace}/${pod.metadata.name}`)
}

type SourceContext = Pick<
  ReconcileContext<
    | typeof ConfigMap
    | typeof Secret
    | typeof Service
    | typeof ServiceAccount
    | typeof PersistentVolumeClaim
  >,
  'get' | 'list'
>

function sourcesOf(
  pod: PodView,
  { ctx, api }: { readonly ctx: SourceContext; readonly api: ProcessApi },
): PodSources {
  const { namespace, name, uid } = pod.metadata
  const keyOf = (other: string): string => `${namespace}/${other}`
  return {
    configMap: (other) => ctx.get(ConfigMap, keyOf(other)),
    secret: (other) => ctx.get(Secret, keyOf(other)),
    volumeOf: (claim) => ctx.get(PersistentVolumeClaim, keyOf(claim))?.spec.volumeName,
    services: () => ctx.list(Service, namespace),
    token: (audience) => {
      const account = pod.spec.serviceAccountName ?? 'default'
      const found = ctx.get(ServiceAccount, keyOf(account))
      const who = { name: account, uid: found?.metadata.uid ?? '' }
      return api.token({ namespace, account: who, pod: { name, uid }, audience })
    },
    apiUrl: api.url,
  }
}
