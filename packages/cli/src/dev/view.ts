import type { Clock } from 'setpoint/host'
import { counted } from '../command/index.ts'
import type { SimMessage } from '../sim/index.ts'
import type { EndedRun, LoadedOperator, ShownError } from './messages.ts'

/** The shown fields of an object of the operators' kinds. */
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
  readonly isTerminating: boolean
}

/** A log line of the operators, or output of their code. */
export interface ShownLine {
  readonly level: 'info' | 'warn' | 'error' | 'output'
  readonly text: string
}

/** What is read about an object when the user selects it. */
export interface ObjectDetails {
  /** Kind and key of the object. */
  readonly of: string
  readonly children: readonly string[]
  /** The latest first. */
  readonly events: readonly string[]
}

/** The cluster of the operators. */
export interface ShownCluster {
  /** False for `--cluster-only`. */
  readonly hasOperators: boolean
  readonly title: string
  readonly kubeconfig: string
  /** The shell commands to use it with kubectl. */
  readonly commands: readonly string[]
}

/** Every event that `setpoint dev` shows. */
export type DevEvent =
  | { readonly is: 'cluster'; readonly cluster: ShownCluster }
  | { readonly is: 'loaded'; readonly operators: readonly LoadedOperator[] }
  | { readonly is: 'working' }
  | { readonly is: 'failed'; readonly error: ShownError; readonly isOldWorking: boolean }
  /** The result of a type check. */
  | { readonly is: 'types'; readonly errors: readonly ShownError[] }
  | { readonly is: 'reload'; readonly why: string }
  | { readonly is: 'run'; readonly run: EndedRun }
  | { readonly is: 'line'; readonly line: ShownLine }
  | { readonly is: 'object'; readonly object: ShownObject }
  | { readonly is: 'gone'; readonly kind: string; readonly key: string }
  | { readonly is: 'applied'; readonly what: string }
  /** The result of a simulation. */
  | { readonly is: 'sim'; readonly result: SimMessage }
  | { readonly is: 'stopping' }

/** Shows events to a user or a program. */
export interface View {
  show(event: DevEvent): void
  /** The user pressed a key; `read` reads the details of an object. */
  press?(key: string, read: (object: ShownObject) => Promise<ObjectDetails>): void
  /** Restores the terminal. */
  close(): void
}

/** The parts of `namespace/name`. */
export function splitKey(key: string): {
  readonly namespace: string | undefined
  readonly name: string
} {
  const [first = '', second] = key.split('/', 2)
  return second === undefined
    ? { namespace: undefined, name: first }
    : { namespace: first, name: second }
}

/** The time of a line: `12:00:01`. */
export function timeText(clock: Clock): string {
  return new Date(clock.now()).toISOString().slice(11, 19)
}

/** How a condition is shown: `Ready=False RollingOut`. */
export function conditionText({
  type,
  status,
  reason = '',
}: ShownObject['conditions'][number]): string {
  return `${type}=${status}${reason === '' ? '' : ` (${reason})`}`
}

/** A duration with up to three digits. */
export function durationText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** An error with its location on a second line, which is indented by `indent` spaces. */
export function placedText({ message, at }: ShownError, indent = 2): string {
  return at === undefined ? message : `${message}\n${' '.repeat(indent)}at ${at}`
}

/** The result of a simulation: one line without findings, otherwise the first story. */
export function simulationText(result: SimMessage, indent = 2): string {
  if (result.is === 'not-simulated') return `not simulated: ${result.why}`
  const [first, ...others] = result.stories
  if (first === undefined) {
    const { steps, faults, allFaults } = result
    const tried = `${faults} of ${counted(allFaults, 'fault')} in ${counted(steps, 'step')}`
    return `no findings: ${tried}; \`setpoint sim\` tries everything`
  }
  const more = others.length === 0 ? [] : [`and ${counted(others.length, 'more finding')}`]
  const lines = [...first.split('\n'), ...more, '`setpoint sim` writes plans and tests']
  return lines.join(`\n${' '.repeat(indent)}`)
}

/** A type error with its location first, as compilers write it. */
export function typeErrorText({ message, at }: ShownError, indent = 4): string {
  const lines = message.split('\n').map((line) => line.trim())
  const text = lines.join(`\n${' '.repeat(indent)}`)
  return at === undefined ? text : `${at} ${text}`
}
