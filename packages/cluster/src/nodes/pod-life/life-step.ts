import type { Container, ContainerStatus } from 'setpoint/kinds'
import type { Frozen } from 'setpoint'
import type { ResolvedBehaviour, ContainerRole, PodView } from '../behaviour/index.ts'

/** Something a kubelet tells people about a pod. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** The container it is about: `spec.containers{web}`. */
  readonly fieldPath?: string
  /** It says that something has begun which no status shows: it is told once, however often it is worked out. */
  readonly isBeginning?: boolean
}

/** A container of a pod while the next state of the pod is worked out; its status changes, the rest does not. */
export interface ContainerDraft {
  readonly spec: Frozen<Container>
  readonly role: ContainerRole
  readonly behaviour: ResolvedBehaviour
  status: ContainerStatus
}

/** A container that is to end. */
export interface ContainerStop {
  readonly container: string
  /** When it is killed if it still runs. */
  readonly killMs: number
}

/** One look at a pod: when it is, what is told, and when to look again. */
export class LifeStep {
  readonly pod: PodView
  readonly nowMs: number
  readonly events: PodEvent[] = []
  /** The containers that have been asked to end and still run. */
  readonly stopping: ContainerStop[] = []
  #wakeAtMs: number | undefined

  constructor(pod: PodView, nowMs: number) {
    this.pod = pod
    this.nowMs = nowMs
  }

  /** When the pod has to be looked at again, if nothing else happens. */
  get wakeAtMs(): number | undefined {
    return this.#wakeAtMs
  }

  /** Whether a moment has come; if not, the pod is looked at again when it has. */
  isDue(atMs: number): boolean {
    if (atMs <= this.nowMs) return true
    // What nobody knows the time of is told when it happens.
    if (atMs !== Infinity) this.#wakeAtMs = Math.min(this.#wakeAtMs ?? Infinity, atMs)
    return false
  }

  /** Tells something about a container. */
  tell(draft: ContainerDraft, event: Omit<PodEvent, 'fieldPath'>): void {
    this.events.push({ ...event, fieldPath: fieldPathOf(draft) })
  }

  /** The pod as kubelets write it in messages. */
  get podText(): string {
    const { name, namespace, uid } = this.pod.metadata
    return `${name}_${namespace}(${uid})`
  }
}

/** Where a container is in its pod, as Events name it. */
export function fieldPathOf({ role, spec }: Pick<ContainerDraft, 'role' | 'spec'>): string {
  const lists = {
    ...{ regular: 'containers', init: 'initContainers', sidecar: 'initContainers' },
    ephemeral: 'ephemeralContainers',
  }
  return `spec.${lists[role]}{${spec.name}}`
}
