import { isSetpointError, type ReconcileContext } from 'setpoint'
import {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  type Pod,
  type PodStatus,
  StorageClass,
} from 'setpoint/kinds'
import { formatTime, isTerminating } from '../../object/index.ts'
import type { PodView } from '../behaviour/index.ts'
import { chooseNode } from './choose-node.ts'
import type { NodeView } from '../../controllers/placement/node-selector.ts'
import type { SchedulingState } from './scheduling-state.ts'
import type { SchedulingEvents } from './scheduling-events.ts'
import { type ClaimStep, PodVolumes, selectedNodeAnnotation } from './volumes.ts'

type Written = typeof PersistentVolume | typeof PersistentVolumeClaim
type Read = Written | typeof Pod | typeof Node | typeof Namespace | typeof StorageClass
type Context = ReconcileContext<Read, Written, typeof Pod>

/**
 * One attempt to schedule a pod. A decision counts immediately, so that other pods can be scheduled
 * meanwhile.
 */
export class SchedulingAttempt {
  readonly #pod: PodView
  readonly #ctx: Context
  readonly #state: SchedulingState
  readonly #events: SchedulingEvents

  constructor(
    pod: PodView,
    ctx: Context,
    { state, events }: { state: SchedulingState; events: SchedulingEvents },
  ) {
    this.#pod = pod
    this.#ctx = ctx
    this.#state = state
    this.#events = events
  }

  async run(): Promise<void> {
    const { uid } = this.#pod.metadata
    const volumes = this.#volumes()
    const reserved = this.#state.reserved.get(uid)
    if (reserved !== undefined && this.#ctx.get(Node, reserved) !== undefined) {
      // A pod with a reserved node is bound to that node.
      if (volumes.areReady) await this.#bind(reserved)
      return
    }
    const { placements } = this.#state
    const cluster = { placements, nodes: this.#nodes(), namespaceLabels: this.#namespaceLabels }
    const choice = chooseNode(this.#pod, cluster, volumes)
    if ('message' in choice) {
      this.#state.wait(this.#pod)
      await this.#refuse(choice.message)
      return
    }
    const { name } = choice.node.metadata
    placements.place(this.#pod, name)
    this.#state.reserved.set(uid, name)
    const steps = volumes.steps(choice.node) ?? []
    if (steps.length === 0) {
      await this.#bind(name)
      return
    }
    this.#state.wait(this.#pod)
    for (const step of steps) await this.#prepare(step, name)
  }

  #nodes(): Map<string, NodeView> {
    const nodes = this.#ctx.list(Node).filter((node) => !isTerminating(node))
    return new Map(nodes.map((node) => [node.metadata.name, node]))
  }

  readonly #namespaceLabels = (name: string): Readonly<Record<string, string>> =>
    this.#ctx.get(Namespace, name)?.metadata.labels ?? {}

  #volumes(): PodVolumes {
    const ctx = this.#ctx
    return new PodVolumes(this.#pod, {
      claim: (namespace, name) => ctx.get(PersistentVolumeClaim, `${namespace}/${name}`),
      volume: (name) => ctx.get(PersistentVolume, name),
      volumes: () => ctx.list(PersistentVolume),
      storageClass: (name) => ctx.get(StorageClass, name),
    })
  }

  /** Prepares the volume of a claim for the node of the pod. */
  async #prepare({ claim, volume }: ClaimStep, node: string): Promise<void> {
    if (volume === undefined) {
      const annotations = { [selectedNodeAnnotation]: node }
      await this.#ctx.patch(PersistentVolumeClaim, claim, { merge: { metadata: { annotations } } })
      return
    }
    const { apiVersion, kind, metadata } = claim
    const { name, namespace, uid, resourceVersion } = metadata
    const claimRef = { apiVersion, kind, name, namespace, uid, resourceVersion }
    const annotations = { 'pv.kubernetes.io/bound-by-controller': 'yes' }
    await this.#ctx.patch(PersistentVolume, volume, {
      merge: { metadata: { annotations }, spec: { claimRef } },
    })
  }

  async #bind(node: string): Promise<void> {
    const { client, signal } = this.#ctx
    const { name, namespace, uid } = this.#pod.metadata
    try {
      await client.transport.text({
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/pods/${name}/binding`,
        what: `binding of pod ${namespace}/${name}`,
        headers: { 'content-type': 'application/json' },
        query: { fieldManager: 'kube-scheduler' },
        body: JSON.stringify({
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name, namespace, uid },
          target: { kind: 'Node', name: node },
        }),
        signal,
      })
    } catch (error) {
      // The pod already has a node, is terminating or gone: the cache will show it.
      if (isSetpointError(error, 'API_CONFLICT')) return
      if (isSetpointError(error, 'API_NOT_FOUND')) return
      this.#state.release(this.#pod)
      throw error
    }
    await this.#events.record(this.#ctx, this.#pod, {
      type: 'Normal',
      reason: 'Scheduled',
      action: 'Binding',
      note: `Successfully assigned ${namespace}/${name} to ${node}`,
    })
  }

  /** Reports why there is no node. The same message is not reported twice. */
  async #refuse(message: string): Promise<void> {
    const { metadata, status = {} } = this.#pod
    const old = status.conditions?.find(({ type }) => type === 'PodScheduled')
    const reason = 'Unschedulable'
    if (old?.status === 'False' && old.reason === reason && old.message === message) return
    const nowMs = this.#ctx.now()
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason,
      message,
      ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
      lastProbeTime: null,
      lastTransitionTime:
        old?.status === 'False' ? (old.lastTransitionTime ?? null) : formatTime(nowMs),
    }
    const others = (status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled')
    await this.#ctx.updateStatus({
      ...(structuredClone(status) as PodStatus),
      conditions: [...others, condition],
    })
    const event = { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling' } as const
    await this.#events.record(this.#ctx, this.#pod, { ...event, note: message })
  }
}
