/**
 * A scenario is a test of controllers as plain data: requests of users, states of pods, and reads.
 * It runs on a real control plane and on the embedded cluster, and the results must be equal.
 * `{ns}` in texts is the namespace of the scenario. Names of cluster-scoped objects begin with it,
 * so that scenarios can run in parallel.
 */
import type { JsonObject, JsonValue } from 'setpoint/schema'

/**
 * A scenario: after every step the runner waits until nothing changes, unless the step says
 * otherwise.
 */
export interface Scenario {
  readonly name: string
  /** The kinds that are read, besides Events. */
  readonly kinds: readonly string[]
  readonly steps: readonly Step[]
}

/**
 * Objects of a kind: one by its name (`Deployment/web`; `Deployment` alone is the collection, and
 * `ConfigMap/x/other` is in another namespace), or those of a selector.
 */
export type Target = string | Selection

/** Objects whose names are not known in advance. */
export interface Selection {
  readonly kind?: string
  /** A label selector. */
  readonly of: string
  /** Only pods in this state. */
  readonly which?: 'pending' | 'ready' | 'unready' | 'running' | 'terminating'
  /** Only this many, oldest first; default all. */
  readonly first?: number
  /** Only this many, youngest first. */
  readonly last?: number
}

/** The state that a pod is set to. */
type PodState =
  /** Its containers run, but are not ready. */
  | 'running'
  | 'ready'
  | 'unready'
  | 'succeeded'
  | 'failed'
  /** A user deletes it; with a node it is terminating until the kubelet finishes it. */
  | 'deleted'
  /** The kubelet has finished it. */
  | 'gone'

/** Sets the state of pods, as a kubelet would. */
export interface PodsStep {
  readonly pods: Selection
  readonly to: PodState
  /** The node that they are bound to first, without the prefix `{ns}-`; default none. */
  readonly on?: string
  /** The exit code of a failed pod; default 1. */
  readonly exitCode?: number
  /** The reason of a failed pod, such as `Evicted`. */
  readonly reason?: string
  /** An additional condition, such as `DisruptionTarget`. */
  readonly condition?: { readonly type: string; readonly reason: string }
}

/** Waits for a value of an object. */
export interface UntilStep {
  readonly until: string
  /**
   * Such as `status.conditions.Complete.status`: list elements are found by type or name. An array
   * if keys contain dots.
   */
  readonly path?: string | readonly string[]
  /** The expected value; default any. `absent` means no value or no object. */
  readonly is?: JsonValue
  readonly withinSeconds?: number
}

/** A request whose response is compared too, such as one that is refused. */
export interface AnswerStep {
  readonly answer: string
  readonly method: 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'GET'
  readonly target: Target
  readonly subresource?: string
  readonly body?: JsonObject
}

/** One step. */
export type Step =
  | { readonly create: JsonObject }
  | {
      readonly patch: Target
      readonly with: JsonObject
      readonly subresource?: string
      readonly type?: 'merge' | 'strategic'
    }
  | { readonly scale: string; readonly to: number }
  | {
      readonly remove: Target
      readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
      readonly graceSeconds?: number
    }
  | PodsStep
  | UntilStep
  | AnswerStep
  | { readonly passSeconds: number }
  /** Reads all objects of the scenario's kinds, under a label. */
  | { readonly read: string }
  /** Several steps before the runner waits. */
  | { readonly together: readonly Step[] }
