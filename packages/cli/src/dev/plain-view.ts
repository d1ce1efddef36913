import type { Terminal } from '../command/index.ts'
import type { Clock } from 'setpoint/host'
import type { ShownError } from './messages.ts'
import {
  conditionText,
  type DevEvent,
  durationText,
  placedText,
  type ShownObject,
  simulationText,
  timeText,
  typeErrorText,
  type View,
} from './view.ts'

/** Prints every event as a line, for logs and pipes. */
export class PlainView implements View {
  readonly #terminal: Terminal
  readonly #clock: Clock
  /** The last line of each object, so that unchanged lines are not repeated. */
  readonly #printed = new Map<string, string>()

  #hasTypeErrors = false

  constructor(terminal: Terminal, clock: Clock) {
    this.#terminal = terminal
    this.#clock = clock
  }

  show(event: DevEvent): void {
    const { style } = this.#terminal
    switch (event.is) {
      case 'cluster':
        this.#print('cluster', style.bold(event.cluster.title))
        for (const command of event.cluster.commands) this.#print('', command)
        if (!event.cluster.hasOperators) this.#print('', 'no operators run here: --cluster-only')
        return
      case 'loaded':
        this.#print('loaded', event.operators.map(({ name }) => name).join(', '))
        return
      case 'working':
        this.#print('ready', 'the operators are running; save a file to reload them')
        return
      case 'failed':
        this.#print(style.red('error'), placedText(event.error, 18))
        if (event.isOldWorking)
          this.#print('', 'the previous operators keep running; save a file to try again')
        else this.#print('', 'no operators are running; save a file to try again')
        return
      case 'types':
        this.#printTypes(event.errors)
        return
      case 'reload':
        this.#print('reload', event.why)
        return
      case 'run':
        this.#printRun(event.run)
        return
      case 'line':
        this.#print(event.line.level === 'info' ? 'log' : event.line.level, event.line.text)
        return
      case 'object':
        this.#printObject(event.object)
        return
      case 'gone':
        this.#printed.delete(`${event.kind} ${event.key}`)
        this.#print('object', `${event.kind} ${event.key} was deleted`)
        return
      case 'applied':
        this.#print('applied', event.what)
        return
      case 'sim': {
        const isFound = event.result.is === 'simulated' && event.result.stories.length > 0
        this.#print(isFound ? style.red('sim') : 'sim', simulationText(event.result, 18))
        return
      }
      case 'stopping':
        this.#print('stopping', 'waiting for running reconciles; press Ctrl-C to end them')
    }
  }

  close(): void {
    this.#printed.clear()
  }

  /** A check without errors is news only after one with errors. */
  #printTypes(errors: readonly ShownError[]): void {
    const { style } = this.#terminal
    for (const error of errors) this.#print(style.red('types'), typeErrorText(error, 18))
    if (errors.length === 0 && this.#hasTypeErrors) this.#print('types', 'no errors any more')
    this.#hasTypeErrors = errors.length > 0
  }

  #printRun({
    operator,
    key,
    result,
    durationMs,
    reasons,
    error,
  }: Extract<DevEvent, { is: 'run' }>['run']): void {
    const { style } = this.#terminal
    const isFailed = error !== undefined
    const why = style.dim(reasonsText(reasons))
    this.#print(
      'run',
      `${operator} ${key} ${isFailed ? style.red(result) : result} in ${durationText(durationMs)}  ${why}`,
    )
    if (isFailed) this.#print('', style.red(placedText(error, 18)))
  }

  #printObject({ kind, key, conditions, isTerminating }: ShownObject): void {
    const state = isTerminating ? ['terminating'] : conditions.map(conditionText)
    const text = `${kind} ${key}${state.length === 0 ? '' : `  ${state.join(', ')}`}`
    if (this.#printed.get(`${kind} ${key}`) === text) return
    this.#printed.set(`${kind} ${key}`, text)
    this.#print('object', text)
  }

  #print(label: string, text: string): void {
    const time = timeText(this.#clock)
    this.#terminal.print(`${this.#terminal.style.dim(time)} ${label.padEnd(8)} ${text}`)
  }
}

/** The first reason: a reconcile may have many. */
function reasonsText([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first}; and ${others.length} more`
}
