/** How a zone's clocks differ from UTC. */
export type ZoneOffset = (epochMs: number) => number

const minuteMs = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** What a zone's clocks are ahead of UTC at a moment, in milliseconds; summer time included. */
export function offsetIn(timeZone: string | undefined): ZoneOffset {
  if (timeZone === undefined || timeZone === 'UTC' || timeZone === 'Etc/UTC') return () => 0
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    formats.set(timeZone, format)
  }
  const of = format
  return (epochMs) => {
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(of.format(epochMs)) ?? []
    if (sign === undefined) return 0
    const offsetMs = (Number(hours) * 60 + Number(minutes)) * minuteMs
    return sign === '-' ? -offsetMs : offsetMs
  }
}

/** A moment as a zone's clocks show it, with what they are ahead: `2026-07-01T09:00:00+02:00`. */
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
