import type { EndedRun, LoadedOperator, ShownError } from './messages.ts'

/** An object of the operators' kinds, as much of it as is shown. */
export interface ShownObject {
  readonly kind: string
  /** `namespace/name`, or the name alone. */
  readonly key: string
  readonly conditions: readonly {
    readonly type: string
    readonly status: string
    readonly reason?: string | undefined
    readonly message?: string | undefined
  }[]
  readonly isBeingDeleted: boolean
}

/** A line of the operators' log, or of what their code prints. */
export interface ShownLine {
  readonly level: 'info' | 'warn' | 'error' | 'output'
  readonly text: string
}

/** Where the operators run. */
export interface ShownCluster {
  readonly title: string
  readonly kubeconfig: string
  /** What to type to use it with kubectl. */
  readonly commands: readonly string[]
}

/** Everything that `setpoint dev` has to tell. */
export type DevEvent =
  | { readonly is: 'cluster'; readonly cluster: ShownCluster }
  | { readonly is: 'loaded'; readonly operators: readonly LoadedOperator[] }
  | { readonly is: 'working' }
  | { readonly is: 'failed'; readonly error: ShownError; readonly isOldWorking: boolean }
  | { readonly is: 'reload'; readonly why: string }
  | { readonly is: 'run'; readonly run: EndedRun }
  | { readonly is: 'line'; readonly line: ShownLine }
  | { readonly is: 'object'; readonly object: ShownObject }
  | { readonly is: 'gone'; readonly kind: string; readonly key: string }
  | { readonly is: 'applied'; readonly what: string }
  | { readonly is: 'stopping' }

/** Tells a person, or a program, what goes on. */
export interface View {
  tell(event: DevEvent): void
  /** Leaves the terminal as it was. */
  close(): void
}

/** How a condition is shown: `Ready=False RollingOut`. */
export function conditionText({
  type,
  status,
  reason = '',
}: ShownObject['conditions'][number]): string {
  return `${type}=${status}${reason === '' ? '' : ` (${reason})`}`
}

/** How long something took, in three digits. */
export function durationText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** An error with its place, on a line of its own that begins after so many spaces. */
export function placedText({ message, at }: ShownError, indent = 2): string {
  return at === undefined ? message : `${message}\n${' '.repeat(indent)}at ${at}`
}
