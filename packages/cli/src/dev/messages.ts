import type { Kind, PolicyObject } from 'setpoint'

/** A message to the process with the operators. */
export type StarterMessage = { readonly do: 'work' } | { readonly do: 'stop' }

/** An error, as it is shown to the user. */
export interface ShownError {
  readonly message: string
  /** Where in the author's sources it was thrown: `src/operator.ts:12:7`. */
  readonly at: string | undefined
}

/** The fields of a kind that can be sent between processes. */
export type SentKind = Pick<
  Kind,
  'group' | 'version' | 'apiVersion' | 'kind' | 'plural' | 'scope' | 'subresources'
>

/** An operator that was loaded. */
export interface LoadedOperator {
  readonly name: string
  readonly kind: SentKind
  /** It serves an aggregated API, and has no objects of its kind. */
  readonly isApi: boolean
  /** The kinds of its children. */
  readonly children: readonly SentKind[]
  /** The objects of its policies. */
  readonly policies: readonly LoadedPolicy[]
}

/** A policy or a binding. */
export interface LoadedPolicy {
  readonly kind: PolicyObject['kind']
  readonly name: string
}

/** A reconcile that ended. */
export interface EndedRun {
  readonly operator: string
  readonly key: string
  readonly result: 'done' | 'recheck' | 'later' | 'failed' | 'gave-up'
  readonly reasons: readonly string[]
  readonly durationMs: number
  readonly error: ShownError | undefined
}

/** A message from the process with the operators. */
export type WorkerMessage =
  | {
      readonly is: 'loaded'
      readonly operators: readonly LoadedOperator[]
      readonly urls: readonly string[]
    }
  | { readonly is: 'failed'; readonly error: ShownError; readonly urls: readonly string[] }
  | { readonly is: 'working' }
  | { readonly is: 'run'; readonly run: EndedRun }
