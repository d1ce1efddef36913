import type { JsonObject } from 'setpoint/schema'
import { metadataOf } from '../object/index.ts'
import { humanDuration } from './human-duration.ts'

/** How a time arrives: RFC 3339; absent, null or Go's zero time when it never happened. */
export type Timestamp = string | null | undefined

/** Tells whether something happened at all. */
export function isSet(time: Timestamp): time is string {
  return typeof time === 'string' && time !== '' && !time.startsWith('0001-01-01T00:00:00')
}

/** How long ago something happened. */
export function timeSince(time: Timestamp, nowMs: number): string {
  return isSet(time) ? humanDuration(nowMs - Date.parse(time)) : '<unknown>'
}

/** How long ago the object was created. */
export function ageOf(object: JsonObject, nowMs: number): string {
  return timeSince(metadataOf(object).creationTimestamp, nowMs)
}
