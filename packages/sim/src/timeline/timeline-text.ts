import type { TimelineEvent } from './timeline-event.ts'

/** A program that never stops writing has more events than one can read. */
const eventsMax = 400

/** Events with the same text one after the other, such as the retries of a reconcile. */
interface Repeated {
  readonly event: TimelineEvent
  readonly count: number
  readonly lastMs: number
}

/** A timeline for people: one line for each event, and one for each changed field. */
export function timelineText(events: readonly TimelineEvent[]): string {
  const all = withoutRepeats(events)
  const lines = all.slice(0, eventsMax).flatMap(({ event, count, lastMs }) => {
    const { is, atMs, text, details } = event
    if (is === 'run') return ['', text]
    const again = count === 1 ? '' : `, and ${count - 1} more times until ${seconds(lastMs)}`
    const line = `${seconds(atMs).padStart(9)}  ${text}${again}`
    return [line, ...details.map((detail) => `${' '.repeat(13)}${detail}`)]
  })
  const left = all.length - eventsMax
  return [...lines, ...(left > 0 ? [`and ${left} more events`] : [])].join('\n').trimStart()
}

function withoutRepeats(events: readonly TimelineEvent[]): Repeated[] {
  const all: Repeated[] = []
  for (const event of events) {
    const last = all.at(-1)
    const isSame = last?.event.text === event.text && event.details.length === 0
    if (last !== undefined && isSame) {
      all.splice(-1, 1, { event: last.event, count: last.count + 1, lastMs: event.atMs })
    } else all.push({ event, count: 1, lastMs: event.atMs })
  }
  return all
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
