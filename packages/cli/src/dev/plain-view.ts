import type { Terminal } from '../command/index.ts'
import type { Clock } from 'setpoint/host'
import {
  conditionText,
  type DevEvent,
  durationText,
  placedText,
  type ShownObject,
  type View,
} from './view.ts'

/** A line for everything that happens: for logs, pipes and people who scroll. */
export class PlainView implements View {
  readonly #terminal: Terminal
  readonly #clock: Clock
  /** What was said of each object last: what has not changed is not repeated. */
  readonly #said = new Map<string, string>()

  constructor(terminal: Terminal, clock: Clock) {
    this.#terminal = terminal
    this.#clock = clock
  }

  tell(event: DevEvent): void {
    const { style } = this.#terminal
    switch (event.is) {
      case 'cluster':
        this.#say('cluster', style.bold(event.cluster.title))
        for (const command of event.cluster.commands) this.#say('', command)
        return
      case 'loaded':
        this.#say('loaded', event.operators.map(({ name }) => name).join(', '))
        return
      case 'working':
        this.#say('ready', 'the operators work; save a file to load them anew')
        return
      case 'failed':
        this.#say(style.red('error'), placedText(event.error, 18))
        if (event.isOldWorking)
          this.#say('', 'the operators from before go on; save a file to try again')
        else this.#say('', 'no operators work; save a file to try again')
        return
      case 'reload':
        this.#say('reload', event.why)
        return
      case 'run':
        this.#sayRun(event.run)
        return
      case 'line':
        this.#say(event.line.level === 'info' ? 'log' : event.line.level, event.line.text)
        return
      case 'object':
        this.#sayObject(event.object)
        return
      case 'gone':
        this.#said.delete(`${event.kind} ${event.key}`)
        this.#say('object', `${event.kind} ${event.key} is gone`)
        return
      case 'applied':
        this.#say('applied', event.what)
        return
      case 'stopping':
        this.#say('stopping', 'runs under way are finished first; Ctrl-C ends them')
    }
  }

  close(): void {
    this.#said.clear()
  }

  #sayRun({
    operator,
    key,
    result,
    durationMs,
    reasons,
    error,
  }: Extract<DevEvent, { is: 'run' }>['run']): void {
    const { style } = this.#terminal
    const isTrouble = error !== undefined
    const why = style.dim(reasonsText(reasons))
    this.#say(
      'run',
      `${operator} ${key} ${isTrouble ? style.red(result) : result} in ${durationText(durationMs)}  ${why}`,
    )
    if (isTrouble) this.#say('', style.red(placedText(error, 18)))
  }

  #sayObject({ kind, key, conditions, isBeingDeleted }: ShownObject): void {
    const state = isBeingDeleted ? ['being deleted'] : conditions.map(conditionText)
    const text = `${kind} ${key}${state.length === 0 ? '' : `  ${state.join(', ')}`}`
    if (this.#said.get(`${kind} ${key}`) === text) return
    this.#said.set(`${kind} ${key}`, text)
    this.#say('object', text)
  }

  #say(label: string, text: string): void {
    const time = new Date(this.#clock.now()).toISOString().slice(11, 19)
    this.#terminal.print(`${this.#terminal.style.dim(time)} ${label.padEnd(8)} ${text}`)
  }
}

/** The first reasons: a run may have many. */
function reasonsText([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first}; and ${others.length} more`
}
