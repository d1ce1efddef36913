/**
 * A scenario is a story about controllers: what somebody writes, what becomes of pods, and where to look.
 * The same story is told on a real control plane and on the embedded cluster, and what is read must be
 * equal. It is plain data. `{ns}` in texts is the namespace of the scenario; names of things without a
 * namespace begin with it, so that scenarios can run side by side.
 */
import type { JsonObject, JsonValue } from 'setpoint/schema'

/** A story: after every step everything becomes quiet, unless the step says otherwise. */
export interface Scenario {
  readonly name: string
  /** What is read, beside the events. */
  readonly kinds: readonly string[]
  readonly steps: readonly Step[]
}

/**
 * Some objects of a kind: one by its name (`Deployment/web`; `Deployment` alone is where one is created, and
 * `ConfigMap/x/other` is in another namespace), or those that a selector selects.
 */
export type Target = string | Selection

/** Objects that have no name which is known in advance. */
export interface Selection {
  readonly kind?: string
  /** A label selector. */
  readonly of: string
  /** Only pods in this state. */
  readonly which?: 'pending' | 'ready' | 'unready' | 'running' | 'terminating'
  /** Only so many, the oldest first; all of them unless said. */
  readonly first?: number
  /** Only so many, the youngest first. */
  readonly last?: number
}

/** What can become of a pod. */
type PodState =
  /** Its containers run, but are not ready. */
  | 'running'
  | 'ready'
  | 'unready'
  | 'succeeded'
  | 'failed'
  /** Somebody deletes it; one that has a node waits for its node then. */
  | 'deleted'
  /** The node has finished it. */
  | 'gone'

/** Pods are moved, as a node would do. */
export interface PodsStep {
  readonly pods: Selection
  readonly to: PodState
  /** The node they are bound to first, `{ns}-` is put in front; they have none unless said. */
  readonly on?: string
  /** How a failed one ended; 1 unless said. */
  readonly exitCode?: number
  /** Why the pod as a whole failed, such as `Evicted`. */
  readonly reason?: string
  /** A further condition that it has got, such as `DisruptionTarget`. */
  readonly condition?: { readonly type: string; readonly reason: string }
}

/** A condition on an object. */
export interface UntilStep {
  readonly until: string
  /** Such as `status.conditions.Complete.status`: elements of lists are found by type or name. A list when keys have dots. */
  readonly path?: string | readonly string[]
  /** What is there; anything unless said. `absent` is nothing, also no object. */
  readonly is?: JsonValue
  readonly withinSeconds?: number
}

/** Any request whose answer is compared too, such as one that is refused. */
export interface AnswerStep {
  readonly answer: string
  readonly method: 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'GET'
  readonly target: Target
  readonly subresource?: string
  readonly body?: JsonObject
}

/** One thing that happens. */
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
  /** Everything of the scenario's kinds is read, under a name. */
  | { readonly read: string }
  /** Several things before everything becomes quiet. */
  | { readonly together: readonly Step[] }
