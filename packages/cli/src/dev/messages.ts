import type { Kind } from 'setpoint'

/** What the process with the operators is told. */
export type Order = { readonly do: 'work' } | { readonly do: 'stop' }

/** An error, as it is shown to a person. */
export interface ShownError {
  readonly message: string
  /** Where in the author's sources it was thrown: `src/operator.ts:12:7`. */
  readonly at: string | undefined
}

/** The kind of an operator's objects, without what cannot be sent. */
export type SentKind = Pick<
  Kind,
  'group' | 'version' | 'apiVersion' | 'kind' | 'plural' | 'scope' | 'subresources'
>

/** An operator that was loaded. */
export interface LoadedOperator {
  readonly name: string
  readonly kind: SentKind
}

/** A run that ended. */
export interface EndedRun {
  readonly operator: string
  readonly key: string
  readonly result: 'done' | 'recheck' | 'later' | 'failed' | 'gave-up'
  readonly reasons: readonly string[]
  readonly durationMs: number
  readonly error: ShownError | undefined
}

/** What the process with the operators says. */
export type Tiding =
  | {
      readonly is: 'loaded'
      readonly operators: readonly LoadedOperator[]
      readonly urls: readonly string[]
    }
  | { readonly is: 'failed'; readonly error: ShownError; readonly urls: readonly string[] }
  | { readonly is: 'working' }
  | { readonly is: 'run'; readonly run: EndedRun }
