import type { Outcome } from 'setpoint'
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

/** What there is of a set. */
interface SetSight {
  readonly set: StatefulSetObject
  readonly pods: readonly PodObject[]
  readonly revisions: SetRevisions
  readonly control: StatefulPodControl
  readonly nowMs: number
}

/** The place of a pod that should be there. */
interface Replica {
  readonly ordinal: number
  pod: PodObject | undefined
}

/** Whether the pods after this one have their turn. */
type Turn = 'on' | 'stop'

/**
 * One run: makes missing pods from the first to the last, removes those beyond the last from the end, and replaces those of
 * an old revision from the end. Unless pods are managed in parallel, each step waits until the pods before it are well.
 */
export class StatefulSetRun {
  readonly #sight: SetSight
  readonly #replicas: readonly Replica[]
  /** The pods that are too many, the last first. */
  readonly #condemned: readonly PodObject[]
  readonly #isOrdered: boolean
  #leaving = 0

  constructor(sight: SetSight) {
    const { set, pods } = sight
    const { first, end } = ordinalRange(set)
    const byOrdinal = new Map(
      pods.map((pod) => [ordinalOf(set, pod.metadata.name) ?? -1, pod] as const),
    )
    this.#sight = sight
    this.#replicas = Array.from({ length: end - first }, (_, at) => ({
      ordinal: first + at,
      pod: byOrdinal.get(first + at),
    }))
    this.#condemned = [...byOrdinal.entries()]
      .filter(([ordinal]) => ordinal < first || ordinal >= end)
      .sort(([a], [b]) => b - a)
      .map(([, pod]) => pod)
    this.#isOrdered = set.spec.podManagementPolicy !== 'Parallel'
  }

  /** Does what can be done now. */
  async go(): Promise<void> {
    if (this.#sight.set.metadata.deletionTimestamp !== undefined) return
    const firstUnavailable = this.#firstUnavailable()
    for (const replica of this.#replicas) {
      if ((await this.#serve(replica)) === 'stop' && this.#isOrdered) return
    }
    for (const pod of this.#condemned) {
      await this.#sight.control.careForClaims(this.#updateSet, pod)
    }
    for (const pod of this.#condemned) {
      if ((await this.#remove(pod, firstUnavailable)) === 'stop' && this.#isOrdered) return
    }
    if (this.#sight.set.spec.updateStrategy?.type !== 'OnDelete') await this.#replaceOld()
  }

  /** The pods after that. */
  get pods(): readonly PodObject[] {
    return [...this.#replicas.flatMap(({ pod }) => pod ?? []), ...this.#condemned]
  }

  /** The status after that. */
  status(): NonNullable<StatefulSetObject['status']> {
    const { set, revisions, nowMs } = this.#sight
    const { current, update, collisionCount } = revisions
    const names = { current: current.metadata.name, update: update.metadata.name }
    return statefulSetStatus({
      ...{ set, pods: this.pods, ...names, collisionCount, leaving: this.#leaving, nowMs },
    })
  }

  /** Until the next pod becomes available by itself. */
  outcome(): Outcome {
    const { set, nowMs } = this.#sight
    const recheckAfter = nextAvailableMs(this.pods, set.spec.minReadySeconds ?? 0, nowMs)
    return recheckAfter === undefined ? undefined : { recheckAfter }
  }

  get #updateSet(): StatefulSetObject {
    return this.#sight.revisions.updateSet
  }

  /** Makes the pod of a place, and keeps it and its claims as they should be. */
  async #serve(replica: Replica): Promise<Turn> {
    const { set, control } = this.#sight
    if (replica.pod !== undefined && isFinished(replica.pod)) {
      if (replica.pod.metadata.deletionTimestamp === undefined) await control.delete(replica.pod)
      return 'stop'
    }
    if (replica.pod === undefined) {
      if (control.hasLeftovers(replica.ordinal)) return 'stop'
      replica.pod = await control.create(this.#newPod(replica.ordinal), replica.ordinal)
      if (this.#isOrdered) return 'stop'
    }
    const { pod, ordinal } = replica
    if (pod.status?.phase === 'Pending') await control.makeClaims(ordinal, pod)
    if (this.#isOrdered && !this.#isSettled(pod)) return 'stop'
    const isRight = hasIdentity(pod) && hasStorage(set, ordinal, pod)
    if (!isRight || control.areClaimsAstray(this.#updateSet, pod)) {
      replica.pod = await control.correct(this.#updateSet, pod)
    }
    return 'on'
  }

  /** Whether the pods after this one may be worked on. */
  #isSettled(pod: PodObject): boolean {
    const { set, nowMs } = this.#sight
    const isLeaving = pod.metadata.deletionTimestamp !== undefined
    const { minReadySeconds = 0 } = set.spec
    return !isLeaving && isRunningAndReady(pod) && isAvailable(pod, minReadySeconds, nowMs)
  }

  #newPod(ordinal: number) {
    const { set, revisions } = this.#sight
    const { first } = ordinalRange(set)
    const { type, rollingUpdate } = set.spec.updateStrategy ?? {}
    // Places below the partition stay what they are, also when their pods are lost.
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

  async #remove(pod: PodObject, firstUnavailable: PodObject | undefined): Promise<Turn> {
    if (pod.metadata.deletionTimestamp !== undefined) return 'stop'
    const isWell = this.#isSettled(pod)
    if (this.#isOrdered && !isWell && pod !== firstUnavailable) return 'stop'
    await this.#sight.control.delete(pod)
    return 'stop'
  }

  /** Replaces the last pod of an old revision, when those behind it are well again. */
  async #replaceOld(): Promise<void> {
    const { set, revisions, control } = this.#sight
    const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0
    for (const { pod } of this.#replicas.slice(partition).toReversed()) {
      if (pod === undefined) return
      const isOld = pod.metadata.labels?.[revisionLabel] !== revisions.update.metadata.name
      if (isOld && pod.metadata.deletionTimestamp === undefined) {
        await control.delete(pod)
        this.#leaving += 1
        return
      }
      if (this.#isUnavailable(pod)) return
    }
  }

  /** The first pod that is not well, of those that should be there and then of the others; a place without one counts. */
  #firstUnavailable(): PodObject | undefined {
    for (const { pod } of this.#replicas) {
      if (pod === undefined || this.#isUnavailable(pod)) return pod
    }
    return this.#condemned.findLast((pod) => this.#isUnavailable(pod))
  }

  #isUnavailable(pod: PodObject): boolean {
    const { set, nowMs } = this.#sight
    const isLeaving = pod.metadata.deletionTimestamp !== undefined
    return isLeaving || !isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs)
  }
}
