import type { Outcome } from 'setpoint'
import { isTerminating } from '../../object/index.ts'
import { nextAvailableMs, isAvailable, isFinished, type PodObject } from '../pods/pod-state.ts'
import type { StatefulPodControl } from './stateful-pod-control.ts'
import {
  hasIdentity,
  hasStorage,
  ordinalOf,
  ordinalRange,
  revisionLabel,
  statefulPod,
  type StatefulSetObject,
} from './stateful-pod.ts'
import type { SetRevisions } from './set-revisions.ts'
import { isRunningAndReady, statefulSetStatus } from './stateful-set-status.ts'

interface SetState {
  readonly set: StatefulSetObject
  readonly pods: readonly PodObject[]
  readonly revisions: SetRevisions
  readonly control: StatefulPodControl
  readonly nowMs: number
}

/** An ordinal and its pod. */
interface Replica {
  readonly ordinal: number
  pod: PodObject | undefined
}

/** Whether the following pods may be changed in this reconcile. */
type Step = 'continue' | 'stop'

/**
 * One reconcile: creates missing pods from the first to the last, deletes surplus pods from the
 * end, and replaces pods of an old revision from the end. With the policy OrderedReady each step
 * waits until the previous pods are available.
 */
export class StatefulSetRun {
  readonly #state: SetState
  readonly #replicas: readonly Replica[]
  /** The surplus pods, the last first. */
  readonly #surplus: readonly PodObject[]
  readonly #isOrdered: boolean
  #deleted = 0

  constructor(state: SetState) {
    const { set, pods } = state
    const { first, end } = ordinalRange(set)
    const byOrdinal = new Map(
      pods.map((pod) => [ordinalOf(set, pod.metadata.name) ?? -1, pod] as const),
    )
    this.#state = state
    this.#replicas = Array.from({ length: end - first }, (_, at) => ({
      ordinal: first + at,
      pod: byOrdinal.get(first + at),
    }))
    this.#surplus = [...byOrdinal.entries()]
      .filter(([ordinal]) => ordinal < first || ordinal >= end)
      .sort(([a], [b]) => b - a)
      .map(([, pod]) => pod)
    this.#isOrdered = set.spec.podManagementPolicy !== 'Parallel'
  }

  /** Does the steps that are possible now. */
  async reconcile(): Promise<void> {
    if (isTerminating(this.#state.set)) return
    const firstUnavailable = this.#firstUnavailable()
    for (const replica of this.#replicas) {
      if ((await this.#reconcileReplica(replica)) === 'stop' && this.#isOrdered) return
    }
    for (const pod of this.#surplus) {
      await this.#state.control.updateClaimOwners(this.#updateSet, pod)
    }
    for (const pod of this.#surplus) {
      if ((await this.#remove(pod, firstUnavailable)) === 'stop' && this.#isOrdered) return
    }
    if (this.#state.set.spec.updateStrategy?.type !== 'OnDelete') await this.#replaceOld()
  }

  /** The pods after `reconcile`. */
  get pods(): readonly PodObject[] {
    return [...this.#replicas.flatMap(({ pod }) => pod ?? []), ...this.#surplus]
  }

  /** The status after `reconcile`. */
  status(): NonNullable<StatefulSetObject['status']> {
    const { set, revisions, nowMs } = this.#state
    const { current, update, collisionCount } = revisions
    const names = { current: current.metadata.name, update: update.metadata.name }
    return statefulSetStatus({
      set,
      pods: this.pods,
      ...names,
      collisionCount,
      deleted: this.#deleted,
      nowMs,
    })
  }

  /** Requeues for the time when the next pod becomes available. */
  outcome(): Outcome {
    const { set, nowMs } = this.#state
    const recheckAfter = nextAvailableMs(this.pods, set.spec.minReadySeconds ?? 0, nowMs)
    return recheckAfter === undefined ? undefined : { recheckAfter }
  }

  get #updateSet(): StatefulSetObject {
    return this.#state.revisions.updateSet
  }

  /** Creates the pod of an ordinal, or corrects the pod and its claims. */
  async #reconcileReplica(replica: Replica): Promise<Step> {
    const { set, control } = this.#state
    if (replica.pod !== undefined && isFinished(replica.pod)) {
      if (!isTerminating(replica.pod)) await control.delete(replica.pod)
      return 'stop'
    }
    if (replica.pod === undefined) {
      if (control.hasStaleClaims(replica.ordinal)) return 'stop'
      replica.pod = await control.create(this.#newPod(replica.ordinal), replica.ordinal)
      if (this.#isOrdered) return 'stop'
    }
    const { pod, ordinal } = replica
    if (pod.status?.phase === 'Pending') await control.makeClaims(ordinal, pod)
    if (this.#isOrdered && !this.#isHealthy(pod)) return 'stop'
    const hasIdentityAndStorage = hasIdentity(pod) && hasStorage(set, ordinal, pod)
    if (!hasIdentityAndStorage || control.areClaimOwnersOutdated(this.#updateSet, pod)) {
      replica.pod = await control.correct(this.#updateSet, pod)
    }
    return 'continue'
  }

  /** Whether the pod is ready, so that the following pods may be changed. */
  #isHealthy(pod: PodObject): boolean {
    const { set, nowMs } = this.#state
    const { minReadySeconds = 0 } = set.spec
    return !isTerminating(pod) && isRunningAndReady(pod) && isAvailable(pod, minReadySeconds, nowMs)
  }

  #newPod(ordinal: number) {
    const { set, revisions } = this.#state
    const { first } = ordinalRange(set)
    const { type, rollingUpdate } = set.spec.updateStrategy ?? {}
    // Pods below the partition keep their revision, even when they are recreated.
    const kept =
      rollingUpdate === undefined
        ? type === 'RollingUpdate'
          ? (set.status?.currentReplicas ?? 0)
          : 0
        : (rollingUpdate.partition ?? 0)
    return ordinal < first + kept
      ? statefulPod(revisions.currentSet, ordinal, revisions.current.metadata.name)
      : statefulPod(revisions.updateSet, ordinal, revisions.update.metadata.name)
  }

  async #remove(pod: PodObject, firstUnavailable: PodObject | undefined): Promise<Step> {
    if (isTerminating(pod)) return 'stop'
    const isHealthy = this.#isHealthy(pod)
    if (this.#isOrdered && !isHealthy && pod !== firstUnavailable) return 'stop'
    await this.#state.control.delete(pod)
    return 'stop'
  }

  /** Replaces the last pod of an old revision after the pods behind it are available. */
  async #replaceOld(): Promise<void> {
    const { set, revisions, control } = this.#state
    const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0
    for (const { pod } of this.#replicas.slice(partition).toReversed()) {
      if (pod === undefined) return
      const isOld = pod.metadata.labels?.[revisionLabel] !== revisions.update.metadata.name
      if (isOld && !isTerminating(pod)) {
        await control.delete(pod)
        this.#deleted += 1
        return
      }
      if (this.#isUnavailable(pod)) return
    }
  }

  /**
   * The first unavailable pod, of the desired pods and then of the surplus pods. An ordinal without
   * a pod ends the search.
   */
  #firstUnavailable(): PodObject | undefined {
    for (const { pod } of this.#replicas) {
      if (pod === undefined || this.#isUnavailable(pod)) return pod
    }
    return this.#surplus.findLast((pod) => this.#isUnavailable(pod))
  }

  #isUnavailable(pod: PodObject): boolean {
    const { set, nowMs } = this.#state
    return isTerminating(pod) || !isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs)
  }
}
