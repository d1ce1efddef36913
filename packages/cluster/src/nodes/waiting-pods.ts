import { isTerminating } from '../object/index.ts'
import type { BehaviourOf, PodView } from './behaviour/index.ts'
import { envProblem, hasSources, mountProblems, type SourceLookup } from './missing-sources.ts'
import type { PodEvent } from './pod-lifecycle/index.ts'

/** What a pod lacks. */
interface PodProblems {
  /** Volumes cannot be mounted, so no container can start. */
  readonly isHeld: boolean
  readonly events: readonly PodEvent[]
  /** The behaviour of the containers, with the problems of those that cannot be created. */
  readonly behaviourOf: (given: BehaviourOf) => BehaviourOf
}

const none: PodProblems = { isHeld: false, events: [], behaviourOf: (given) => given }

interface Named {
  readonly metadata: { readonly namespace: string; readonly name: string }
}

/** The pods that wait for ConfigMaps and Secrets, so that a changed object wakes only those. */
export class WaitingPods {
  readonly #podsBySource = new Map<string, Set<string>>()
  readonly #sourcesByPod = new Map<string, ReadonlySet<string>>()

  /** What a pod lacks. If that is anything, it waits for all its sources from now on. */
  problemsOf(pod: PodView, lookup: SourceLookup): PodProblems {
    this.forget(pod)
    if (!hasSources(pod) || isTerminating(pod)) return none
    const { noted, ...noting } = notingLookup(pod, lookup)
    // A mounted volume stays mounted.
    const mounts = hasBegun(pod) ? [] : mountProblems(pod, noting)
    const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec
    const createErrors = new Map<string, string>()
    for (const container of [...initContainers, ...containers, ...ephemeralContainers]) {
      const problem = envProblem(pod, container, noting)
      if (problem !== undefined) createErrors.set(container.name, problem)
    }
    if (mounts.length === 0 && createErrors.size === 0) return none
    this.#wait(pod, noted)
    return {
      isHeld: mounts.length > 0,
      events: mounts.map((message) => ({
        type: 'Warning',
        reason: 'FailedMount',
        message,
        isRecordedOnce: true,
      })),
      behaviourOf: (given) => (container, role) => {
        const behaviour = given(container, role)
        const createError = behaviour.createError ?? createErrors.get(container.name)
        return createError === undefined ? behaviour : { ...behaviour, createError }
      },
    }
  }

  #wait(pod: PodView, sources: ReadonlySet<string>): void {
    const key = keyOf(pod)
    this.#sourcesByPod.set(key, sources)
    for (const source of sources) {
      const pods = this.#podsBySource.get(source) ?? new Set()
      this.#podsBySource.set(source, pods.add(key))
    }
  }

  /** A pod waits for nothing any more. */
  forget(pod: Named): void {
    const key = keyOf(pod)
    for (const source of this.#sourcesByPod.get(key) ?? []) {
      const pods = this.#podsBySource.get(source)
      pods?.delete(key)
      if (pods?.size === 0) this.#podsBySource.delete(source)
    }
    this.#sourcesByPod.delete(key)
  }

  /** The keys of the pods that wait for an object. */
  waitingFor(kind: 'ConfigMap' | 'Secret', source: Named): string[] {
    return [...(this.#podsBySource.get(`${kind} ${keyOf(source)}`) ?? [])]
  }
}

/** A lookup that notes which objects were read. */
function notingLookup(
  { metadata: { namespace } }: PodView,
  lookup: SourceLookup,
): SourceLookup & { readonly noted: ReadonlySet<string> } {
  const noted = new Set<string>()
  const note = (kind: string, name: string): void =>
    void noted.add(`${kind} ${keyOf({ metadata: { namespace, name } })}`)
  return {
    noted,
    configMap: (name) => {
      note('ConfigMap', name)
      return lookup.configMap(name)
    },
    secret: (name) => {
      note('Secret', name)
      return lookup.secret(name)
    },
  }
}

/** Whether a container of the pod has been created, which happens after its volumes are mounted. */
function hasBegun({ status }: PodView): boolean {
  const { initContainerStatuses = [], containerStatuses = [] } = status ?? {}
  return [...initContainerStatuses, ...containerStatuses].some(
    ({ containerID, state }) =>
      containerID !== undefined || state?.waiting?.reason === 'CreateContainerConfigError',
  )
}

function keyOf({ metadata }: Named): string {
  return `${metadata.namespace}/${metadata.name}`
}
