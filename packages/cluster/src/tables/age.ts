import type { JsonObject } from 'setpoint/schema'
import { metadataOf } from '../object/index.ts'
import { humanDuration } from './human-duration.ts'

/** A timestamp of an object: RFC 3339; absent, null or Go's zero time when it is not set. */
export type Timestamp = string | null | undefined

/** Whether a timestamp is set. */
export function isSet(time: Timestamp): time is string {
  return typeof time === 'string' && time !== '' && !time.startsWith('0001-01-01T00:00:00')
}

/** The time since a timestamp. */
export function timeSince(time: Timestamp, nowMs: number): string {
  return isSet(time) ? humanDuration(nowMs - Date.parse(time)) : '<unknown>'
}

/** The time since the object was created. */
export function ageOf(object: JsonObject, nowMs: number): string {
  return timeSince(metadataOf(object).creationTimestamp, nowMs)
}
