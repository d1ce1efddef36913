/** `getHours()` and the other parts of timestamps and durations. */
import {
  declare,
  type CelFunction,
  type FunctionDeclaration,
} from '../types/function-declaration.ts'
import type { CelDuration, CelTimestamp } from '../values/cel-value.ts'
import { CelError } from '../values/cel-value.ts'
import { partsOf, zoneOffset, type TimeParts } from './time-arithmetic.ts'

function part(read: (parts: TimeParts) => number): CelFunction {
  return (time, ...zones) => {
    const { nanoseconds } = time as CelTimestamp
    const [zone] = zones
    if (zone === undefined) return BigInt(read(partsOf(nanoseconds, 0)))
    const offset = zoneOffset(zone as string, nanoseconds)
    return offset instanceof CelError ? offset : BigInt(read(partsOf(nanoseconds, offset)))
  }
}

/** The overloads of one part: in UTC, in a zone, and of a duration if it has the part. */
function overloads(
  id: string,
  read: (parts: TimeParts) => number,
  ofDuration?: { readonly id: string; readonly nanoseconds: bigint; readonly zoned?: string },
): readonly (readonly [string, CelFunction])[] {
  const zoned = ofDuration?.zoned ?? `${id}_with_tz`
  const found: (readonly [string, CelFunction])[] = [
    [`.${id}(timestamp): int`, part(read)],
    [`.${zoned}(timestamp, string): int`, part(read)],
  ]
  if (ofDuration === undefined) return found
  const run: CelFunction = (value) => (value as CelDuration).nanoseconds / ofDuration.nanoseconds
  return [...found, [`.${ofDuration.id}(duration): int`, run]]
}

/** The parts of times. */
export const times: readonly FunctionDeclaration[] = declare({
  getFullYear: overloads('timestamp_to_year', ({ year }) => year),
  getMonth: overloads('timestamp_to_month', ({ month }) => month - 1),
  getDayOfYear: overloads('timestamp_to_day_of_year', ({ dayOfYear }) => dayOfYear),
  getDayOfMonth: overloads('timestamp_to_day_of_month', ({ day }) => day - 1),
  getDate: overloads('timestamp_to_day_of_month_1_based', ({ day }) => day),
  getDayOfWeek: overloads('timestamp_to_day_of_week', ({ weekday }) => weekday),
  getHours: overloads('timestamp_to_hours', ({ hour }) => hour, {
    id: 'duration_to_hours',
    nanoseconds: 3_600_000_000_000n,
  }),
  getMinutes: overloads('timestamp_to_minutes', ({ minute }) => minute, {
    id: 'duration_to_minutes',
    nanoseconds: 60_000_000_000n,
  }),
  getSeconds: overloads('timestamp_to_seconds', ({ second }) => second, {
    id: 'duration_to_seconds',
    nanoseconds: 1_000_000_000n,
    zoned: 'timestamp_to_seconds_tz',
  }),
  getMilliseconds: overloads(
    'timestamp_to_milliseconds',
    ({ nanosecond }) => Math.floor(nanosecond / 1_000_000),
    { id: 'duration_to_milliseconds', nanoseconds: 1_000_000n },
  ),
})
