import type { ZoneOffset } from 'setpoint'

const minuteMs = 60_000

/** A time in a time zone with its offset: `2026-07-01T09:00:00+02:00`. */
export function zonedTime(epochMs: number, offset: ZoneOffset): string {
  const offsetMs = offset(epochMs)
  const wall = new Date(epochMs + offsetMs).toISOString().slice(0, 19)
  if (offsetMs === 0) return `${wall}Z`
  const minutes = Math.abs(offsetMs) / minuteMs
  const digits = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${wall}${offsetMs < 0 ? '-' : '+'}${digits.join(':')}`
}
