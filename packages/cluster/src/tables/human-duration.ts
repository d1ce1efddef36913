const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/** Go's longest duration; a longer one is printed as this. */
const longest = 2 ** 63 / 1e6

/**
 * A duration with one or two units, as every age in a table is printed: `59s`, `2m1s`, `3h5m`,
 * `5d3h`, `2y3d`. One second in the future counts as now, because clocks differ.
 */
export function humanDuration(durationMs: number): string {
  const ms = Math.min(durationMs, longest)
  if (ms <= -2 * second) return '<invalid>'
  if (ms < 0) return '0s'
  if (ms < 2 * minute) return whole(ms, second, 's')
  if (ms < 10 * minute) return whole(ms, minute, 'm') + rest(ms % minute, second, 's')
  if (ms < 3 * hour) return whole(ms, minute, 'm')
  if (ms < 8 * hour) return whole(ms, hour, 'h') + rest(ms % hour, minute, 'm')
  if (ms < 2 * day) return whole(ms, hour, 'h')
  if (ms < 8 * day) return whole(ms, day, 'd') + rest(ms % day, hour, 'h')
  if (ms < 2 * year) return whole(ms, day, 'd')
  if (ms < 8 * year) return whole(ms, year, 'y') + rest(ms % year, day, 'd')
  return whole(ms, year, 'y')
}

function whole(ms: number, unit: number, suffix: string): string {
  return `${Math.floor(ms / unit)}${suffix}`
}

function rest(ms: number, unit: number, suffix: string): string {
  return ms < unit ? '' : whole(ms, unit, suffix)
}
