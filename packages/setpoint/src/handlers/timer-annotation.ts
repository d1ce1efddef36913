import type { ApiResource } from '../kinds/api-resource.ts'
import { hasFields } from '../schema/json-value.ts'

/**
 * The times from which the timers of an object with long intervals count, by handler id, as epoch
 * milliseconds.
 */
export type TimerTimes = Map<string, number>

/**
 * The times of an object; empty when the annotation is invalid or was copied from another object.
 */
export function readTimerAnnotation({ metadata }: ApiResource, annotation: string): TimerTimes {
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
export function timerAnnotation(uid: string, times: TimerTimes): string {
  return JSON.stringify({ uid, since: Object.fromEntries(times) })
}
