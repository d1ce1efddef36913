import { SetpointError } from '../errors/index.ts'

/** A length of time: milliseconds, or text such as `30s`, `5m`, `1h30m` or `500ms`. */
export type Duration = number | string

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** A duration in milliseconds; throws when it is not a valid duration. */
export function durationMs(duration: Duration): number {
  if (typeof duration === 'number') {
    if (Number.isFinite(duration) && duration >= 0) return duration
    throw invalidDuration(duration)
  }
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(duration)) throw invalidDuration(duration)
  let ms = 0
  for (const [, amount = '', unit = ''] of duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    ms += Number(amount) * (unitMs[unit] ?? 0)
  }
  return ms
}

function invalidDuration(duration: Duration): SetpointError {
  return new SetpointError(
    'OPERATOR_INVALID',
    `${typeof duration === 'string' ? JSON.stringify(duration) : duration} is not a duration`,
    {
      hint: 'write milliseconds as a number, or text such as "30s", "5m" or "1h30m"',
    },
  )
}
