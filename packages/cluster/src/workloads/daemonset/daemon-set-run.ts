import type { Outcome, ReconcileContext } from 'setpoint'
import { ControllerRevision, Node, type DaemonSet, type Pod } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'
import { createPod, deletePod, isNamespaceEnding } from '../pods/pod-control.ts'
import { nextAvailableMs, type PodObject } from '../pods/pod-state.ts'
import { daemonPod, type DaemonSetObject } from './daemon-pod.ts'
import { outlived, type DaemonRevisions } from './daemon-revisions.ts'
import { daemonSetStatus } from './daemon-set-status.ts'
import type { FailedPodBackoff } from './failed-pod-backoff.ts'
import type { LeavingPods } from './leaving-pods.ts'
import { nodePlan, podsByNode, type DaemonPlan, type DaemonSight } from './node-plan.ts'
import { rollingUpdate } from './rolling-update.ts'

type Written = typeof ControllerRevision | typeof Pod
type DaemonSetContext = ReconcileContext<
  Written | typeof Node | typeof DaemonSet,
  Written,
  typeof DaemonSet
>

/** What the controller remembers from run to run. */
export interface DaemonMemory {
  readonly backoff: FailedPodBackoff
  readonly leaving: LeavingPods
}

/** How many pods are made or removed in one go. */
const burst = 250

/** One run: a pod on every node that should have one, then newer ones, then the status. */
export class DaemonSetRun {
  readonly #set: DaemonSetObject
  readonly #ctx: DaemonSetContext
  readonly #memory: DaemonMemory
  readonly #revisions: DaemonRevisions
  readonly #nowMs: number
  #pods: readonly PodObject[]
  /** Until a failed pod may be replaced. */
  #waitMs = Infinity

  constructor(
    set: DaemonSetObject,
    { pods, revisions }: { pods: readonly PodObject[]; revisions: DaemonRevisions },
    { ctx, memory }: { ctx: DaemonSetContext; memory: DaemonMemory },
  ) {
    this.#set = set
    this.#ctx = ctx
    this.#memory = memory
    this.#revisions = revisions
    this.#nowMs = ctx.now()
    this.#pods = memory.leaving.seen(set.metadata.uid, pods, formatTime(this.#nowMs))
  }

  async go(): Promise<Outcome> {
    try {
      await this.#work()
    } finally {
      // What could be done is told, whatever could not.
      await this.#ctx.updateStatus(daemonSetStatus(this.#sight(), this.#revisions.collisionCount))
    }
    const availableMs = nextAvailableMs(
      this.#pods,
      this.#set.spec.minReadySeconds ?? 0,
      this.#nowMs,
    )
    const recheckAfter = Math.min(this.#waitMs, availableMs ?? Infinity)
    return recheckAfter === Infinity ? undefined : { recheckAfter }
  }

  async #work(): Promise<void> {
    const { create, remove, ended } = nodePlan(this.#sight())
    const replaced = await this.#replaceable(ended)
    const removed = [...replaced, ...remove]
    await this.#carryOut({ create, remove: removed })
    // Pods that go make room first: their end causes another run.
    if (removed.length === 0 && this.#set.spec.updateStrategy?.type !== 'OnDelete') {
      await this.#carryOut(rollingUpdate(this.#sight()))
    }
    for (const revision of outlived(this.#set, this.#revisions, this.#pods)) {
      await this.#ctx.delete(ControllerRevision, revision, { evenIfChanged: true })
    }
  }

  /** The ended pods whose time has come; people are told about them. */
  async #replaceable(
    ended: readonly { readonly pod: PodObject; readonly node: string }[],
  ): Promise<PodObject[]> {
    const { uid } = this.#set.metadata
    const due: PodObject[] = []
    for (const { pod, node } of ended) {
      const about = `daemon pod ${pod.metadata.namespace}/${pod.metadata.name} on node ${node}`
      if (pod.status?.phase === 'Failed') {
        const key = `${uid}/${this.#set.status?.observedGeneration ?? 0}/${node}`
        const waitMs = this.#memory.backoff.tryNow(key, this.#nowMs)
        if (waitMs > 0) {
          this.#waitMs = Math.min(this.#waitMs, waitMs)
          continue
        }
        const message = `Found failed ${about}, will try to kill it`
        await this.#ctx.recordEvent({ type: 'Warning', reason: 'FailedDaemonPod', message })
      } else {
        const message = `Found succeeded ${about}, will try to delete it`
        await this.#ctx.recordEvent({ reason: 'SucceededDaemonPod', message })
      }
      due.push(pod)
    }
    return due
  }

  async #carryOut({ create, remove }: DaemonPlan): Promise<void> {
    let failure: Error | undefined
    for (const node of create.slice(0, burst)) {
      try {
        const pod = daemonPod(this.#set, this.#revisions.hash, node)
        this.#pods = [...this.#pods, await createPod(this.#ctx, pod)]
      } catch (error) {
        // What fails once will fail again: the rest is left for the next try.
        if (!isNamespaceEnding(error)) failure = error as Error
        break
      }
    }
    for (const pod of remove.slice(0, burst)) {
      await deletePod(this.#ctx, pod)
      this.#memory.leaving.add(this.#set.metadata.uid, pod)
    }
    if (failure !== undefined) throw failure
  }

  #sight(): DaemonSight {
    const { hash } = this.#revisions
    const podsOn = podsByNode(this.#pods)
    return { set: this.#set, nodes: this.#ctx.list(Node), podsOn, hash, nowMs: this.#nowMs }
  }
}
