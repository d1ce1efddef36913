import { SetpointError } from '../errors/index.ts'

/** A length of time: milliseconds as a number, or text such as `30s`, `5m`, `1h30m` or `500ms`. */
export type Duration = number | string

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/**
 * Returns a duration in milliseconds. `option` is the name of the option in the error for an
 * invalid value.
 */
export function durationMs(duration: Duration, option: string): number {
  const ms = limitMs(duration, option)
  if (ms !== Infinity) return ms
  throw invalidDuration(duration, option)
}

/** Returns a time limit in milliseconds. It may be `Infinity`: no limit. */
export function limitMs(duration: Duration, option: string): number {
  if (typeof duration === 'number') {
    if (duration >= 0) return duration
    throw invalidDuration(duration, option)
  }
  // Programs without TypeScript may pass any value.
  if (typeof duration !== 'string' || !/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(duration)) {
    throw invalidDuration(duration, option)
  }
  let ms = 0
  for (const [, amount = '', unit = ''] of duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    ms += Number(amount) * (unitMs[unit] ?? 0)
  }
  return ms
}

function invalidDuration(duration: unknown, option: string): SetpointError {
  const given = typeof duration === 'number' ? String(duration) : JSON.stringify(duration)
  return new SetpointError('DURATION_INVALID', `${option} is ${given}, which is not a duration`, {
    hint: 'write milliseconds as a number, or text such as "30s", "5m" or "1h30m"',
  })
}
