import { hasFields } from '../schema/json-value.ts'
import type { ServedObject } from './essence.ts'

/** What the rare timers of an object are counted from, by id, as epoch milliseconds. */
export type TimerNotes = Map<string, number>

/** What is noted on an object; what nobody here wrote, or wrote about another object, is nothing. */
export function readTimerNotes({ metadata }: ServedObject, annotation: string): TimerNotes {
  try {
    const { uid, since } = JSON.parse(metadata.annotations?.[annotation] ?? '{}') as {
      readonly uid?: unknown
      readonly since?: unknown
    }
    if (uid !== metadata.uid || !hasFields(since)) return new Map()
    return new Map(Object.entries(since).filter(isTime))
  } catch {
    return new Map()
  }
}

function isTime(entry: [string, unknown]): entry is [string, number] {
  return Number.isFinite(entry[1])
}

/** The text for the annotation. */
export function writtenTimerNotes(uid: string, notes: TimerNotes): string {
  return JSON.stringify({ uid, since: Object.fromEntries(notes) })
}
