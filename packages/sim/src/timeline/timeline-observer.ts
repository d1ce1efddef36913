import type { StoredChange } from '@setpoint/cluster'
import { faultText, planText } from '../plans/plan-text.ts'
import type { Plan } from '../plans/plan.ts'
import { isIgnored } from '../state/canonical-state.ts'
import { isRefused, type RecordedWrite, writeText } from '../world/recording.ts'
import type { RunEvent, RunObserver } from '../world/run-event.ts'
import { authorOf, changedFields, changeText } from './change-text.ts'
import type { TimelineEvent } from './timeline-event.ts'

/**
 * Makes a timeline of runs. The events of a run come together after its end, because only then it
 * is known which change is that of which write.
 */
export function timelineObserver(onEvent: (event: TimelineEvent) => void): RunObserver {
  let events: RunEvent[] = []
  return (event) => {
    if (event.is === 'open') events = []
    events.push(event)
    if (event.is !== 'close') return
    for (const shown of new RunTimeline(events, event.writes).events()) onEvent(shown)
  }
}

/** The events of one run, with what is known after its end. */
class RunTimeline {
  readonly #events: readonly RunEvent[]
  readonly #writes: readonly RecordedWrite[]
  #beginMs = 0
  #writesBefore = 0
  /** What the user is doing. */
  #doing: Extract<RunEvent, { is: 'step' }> | undefined

  constructor(events: readonly RunEvent[], writes: readonly RecordedWrite[]) {
    this.#events = events
    this.#writes = writes
    for (const event of events) {
      if (event.is === 'begin') [this.#beginMs, this.#writesBefore] = [event.timeMs, event.writes]
    }
  }

  events(): TimelineEvent[] {
    return this.#events.flatMap((event) => {
      if (event.is === 'step') this.#doing = event
      if (event.is === 'done') this.#doing = undefined
      const [is, text, details = []] = this.#shown(event) ?? []
      if (is === undefined || text === undefined) return []
      const atMs = 'timeMs' in event ? event.timeMs - this.#beginMs : 0
      return [{ is, atMs, text, details }]
    })
  }

  #shown(
    event: RunEvent,
  ): readonly [is: TimelineEvent['is'], text: string, details?: string[]] | undefined {
    switch (event.is) {
      case 'open':
        return ['run', runText(event.plan)]
      case 'begin':
      case 'close':
        return undefined
      case 'step':
        return ['step', `a user does: ${event.step.name}`]
      case 'done':
        return event.refusal === undefined
          ? undefined
          : ['step', `the API server refuses it: ${event.refusal}`]
      case 'started':
        return ['process', `process ${event.process} of the program starts`]
      case 'crashed':
        return ['process', `process ${event.process} crashes`]
      case 'ended':
        return ['process', `process ${event.process} ends by itself`]
      case 'fault':
        return ['fault', `FAULT: ${faultText(event.fault)}`]
      case 'fault-over':
        return ['fault', `it is over: ${faultText(event.fault)}`]
      case 'error':
        return ['error', `ERROR: ${event.text}`]
      case 'answered':
        return this.#answered(event.write)
      case 'change':
        return this.#changed(event)
    }
  }

  /** Only writes without an effect: the others are shown as changes. */
  #answered(write: RecordedWrite): readonly ['write', string] | undefined {
    if (write.change !== undefined || isIgnored(write.bucket)) return undefined
    const result = isRefused(write) ? `is refused: ${write.status}` : 'has no effect'
    return ['write', `the program's ${writeText(write)} ${result}${this.#place(write)}`]
  }

  #changed({
    change,
  }: Extract<RunEvent, { is: 'change' }>): readonly ['change', string, string[]] | undefined {
    if (isIgnored(change.bucket)) return undefined
    const write = this.#writes.find((one) => one.change === change)
    const details = changedFields(change)
    if (write !== undefined) {
      return ['change', `the program ${changeText(change)}${this.#place(write)}`, details]
    }
    if (this.#isOfUser(change)) {
      return ['change', `the user ${changeText(change)}`, details]
    }
    const isVisible = details.length > 0 || !changeText(change).startsWith('changes ')
    return isVisible ? ['change', `${authorOf(change)} ${changeText(change)}`, details] : undefined
  }

  #isOfUser({ bucket, current: { key } }: StoredChange): boolean {
    if (this.#doing === undefined || this.#doing.step.do === 'wait') return false
    const { subject, step } = this.#doing
    const name = step.do === 'create' ? step.object.metadata.name : step.object
    // A sample may be of another kind.
    const isKind = bucket === subject || (step.do === 'create' && step.object.kind !== undefined)
    return isKind && (key === name || key.endsWith(`/${name}`))
  }

  /** The number of a write as plans count it, and the line of the author's code. */
  #place({ number, line, process }: RecordedWrite): string {
    const counted = number - this.#writesBefore
    const notes = [
      ...(counted > 0 ? [`write ${counted}`] : []),
      ...(process > 1 ? [`process ${process}`] : []),
      ...(line === undefined ? [] : [line]),
    ]
    return notes.length === 0 ? '' : ` (${notes.join(', ')})`
  }
}

function runText(plan: Plan): string {
  const steps = plan.step === 1 ? '1 step' : `${plan.step} steps`
  const before = plan.step === 0 ? '' : ` from the state after ${steps}`
  const what = plan.faults.length === 0 && plan.compare === undefined ? 'no fault' : planText(plan)
  return `A run${plan.compare === undefined ? before : ''}: ${what}`
}
