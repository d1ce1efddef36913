import type { Container, ContainerStatus } from 'setpoint/kinds'
import type { Frozen } from 'setpoint'
import type { ResolvedBehaviour, ContainerRole, PodView } from '../behaviour/index.ts'

/** An Event that a kubelet records about a pod. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** The container it is about: `spec.containers{web}`. */
  readonly fieldPath?: string
  /**
   * The status does not show the beginning that it reports. It is recorded once, although it is
   * computed repeatedly.
   */
  readonly isRecordedOnce?: boolean
}

/** A container while the next state of its pod is computed. Only `status` changes. */
export interface ContainerDraft {
  readonly spec: Frozen<Container>
  readonly role: ContainerRole
  readonly behaviour: ResolvedBehaviour
  status: ContainerStatus
}

/** A container that is being stopped. */
export interface ContainerStop {
  readonly container: string
  /** When it is killed if it still runs. */
  readonly killMs: number
}

/** One computation of a pod's state: the time, the Events, and when to compute it again. */
export class StatusComputation {
  readonly pod: PodView
  readonly nowMs: number
  readonly events: PodEvent[] = []
  /** The containers that are being stopped and still run. */
  readonly stopping: ContainerStop[] = []
  #wakeAtMs: number | undefined

  constructor(pod: PodView, nowMs: number) {
    this.pod = pod
    this.nowMs = nowMs
  }

  /** When the state has to be computed again, if nothing else changes. */
  get wakeAtMs(): number | undefined {
    return this.#wakeAtMs
  }

  /** Whether a time is now or in the past. If not, the state is computed again at that time. */
  isDue(atMs: number): boolean {
    if (atMs <= this.nowMs) return true
    // An event without a known time triggers a reconcile when it happens.
    if (atMs !== Infinity) this.#wakeAtMs = Math.min(this.#wakeAtMs ?? Infinity, atMs)
    return false
  }

  /** Adds an Event about a container. */
  record(draft: ContainerDraft, event: Omit<PodEvent, 'fieldPath'>): void {
    this.events.push({ ...event, fieldPath: fieldPathOf(draft) })
  }

  /** The pod in the format of kubelet messages. */
  get podText(): string {
    const { name, namespace, uid } = this.pod.metadata
    return `${name}_${namespace}(${uid})`
  }
}

/** The path of a container in Events. */
export function fieldPathOf({ role, spec }: Pick<ContainerDraft, 'role' | 'spec'>): string {
  const lists = {
    regular: 'containers',
    init: 'initContainers',
    sidecar: 'initContainers',
    ephemeral: 'ephemeralContainers',
  }
  return `spec.${lists[role]}{${spec.name}}`
}
