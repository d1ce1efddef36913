import type { Outcome, ReconcileContext } from 'setpoint'
import { ControllerRevision, Node, type DaemonSet, type Pod } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'
import { createPod, deletePod, isNamespaceTerminating } from '../pods/pod-control.ts'
import { nextAvailableMs, type PodObject } from '../pods/pod-state.ts'
import { daemonPod, type DaemonSetObject } from './daemon-pod.ts'
import { revisionsToDelete, type DaemonRevisions } from './daemon-revisions.ts'
import { daemonSetStatus } from './daemon-set-status.ts'
import type { FailedPodBackoff } from './failed-pod-backoff.ts'
import type { DeletedPods } from './deleted-pods.ts'
import { nodePlan, podsByNode, type DaemonPlan, type DaemonState } from './node-plan.ts'
import { rollingUpdate } from './rolling-update.ts'

type Written = typeof ControllerRevision | typeof Pod
type DaemonSetContext = ReconcileContext<
  Written | typeof Node | typeof DaemonSet,
  Written,
  typeof DaemonSet
>

/** State that the controller keeps between reconciles. */
export interface DaemonMemory {
  readonly backoff: FailedPodBackoff
  readonly deletedPods: DeletedPods
}

/** How many pods are created or deleted in one reconcile. */
const burst = 250

/** One reconcile: creates missing pods, replaces old pods, then updates the status. */
export class DaemonSetRun {
  readonly #set: DaemonSetObject
  readonly #ctx: DaemonSetContext
  readonly #memory: DaemonMemory
  readonly #revisions: DaemonRevisions
  readonly #nowMs: number
  #pods: readonly PodObject[]
  /** The time until a failed pod may be replaced. */
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
    this.#pods = memory.deletedPods.seen(set.metadata.uid, pods, formatTime(this.#nowMs))
  }

  async reconcile(): Promise<Outcome> {
    try {
      await this.#work()
    } finally {
      // The status reports the steps that succeeded, even when a later one failed.
      await this.#ctx.updateStatus(daemonSetStatus(this.#state(), this.#revisions.collisionCount))
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
    const { create, remove, ended } = nodePlan(this.#state())
    const replaced = await this.#replaceable(ended)
    const removed = [...replaced, ...remove]
    await this.#apply({ create, remove: removed })
    // Deleted pods make room first. Their removal triggers the next reconcile.
    if (removed.length === 0 && this.#set.spec.updateStrategy?.type !== 'OnDelete') {
      await this.#apply(rollingUpdate(this.#state()))
    }
    for (const revision of revisionsToDelete(this.#set, this.#revisions, this.#pods)) {
      await this.#ctx.delete(ControllerRevision, revision, { evenIfChanged: true })
    }
  }

  /** Returns the finished pods whose backoff is over, and records an Event for each. */
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

  async #apply({ create, remove }: DaemonPlan): Promise<void> {
    let failure: Error | undefined
    for (const node of create.slice(0, burst)) {
      try {
        const pod = daemonPod(this.#set, this.#revisions.hash, node)
        this.#pods = [...this.#pods, await createPod(this.#ctx, pod)]
      } catch (error) {
        // A create that failed once will fail again: the first failure ends the loop until the next
        // reconcile.
        if (!isNamespaceTerminating(error)) failure = error as Error
        break
      }
    }
    for (const pod of remove.slice(0, burst)) {
      await deletePod(this.#ctx, pod)
      this.#memory.deletedPods.add(this.#set.metadata.uid, pod)
    }
    if (failure !== undefined) throw failure
  }

  #state(): DaemonState {
    const { hash } = this.#revisions
    const podsOn = podsByNode(this.#pods)
    return { set: this.#set, nodes: this.#ctx.list(Node), podsOn, hash, nowMs: this.#nowMs }
  }
}
