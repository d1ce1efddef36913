import { SetpointError } from '../../errors/index.ts'

/** The offset of a zone's local time from UTC at a moment, in milliseconds. */
export type ZoneOffset = (epochMs: number) => number

const minuteMs = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The offset of a time zone from UTC, including daylight saving time. Throws for an unknown zone.
 */
export function zoneOffset(timeZone: string | undefined): ZoneOffset {
  if (timeZone === undefined || timeZone === 'UTC' || timeZone === 'Etc/UTC') return () => 0
  const format = formats.get(timeZone) ?? formatOf(timeZone)
  formats.set(timeZone, format)
  return (epochMs) => {
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(format.format(epochMs)) ?? []
    if (sign === undefined) return 0
    const offsetMs = (Number(hours) * 60 + Number(minutes)) * minuteMs
    return sign === '-' ? -offsetMs : offsetMs
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  } catch (cause) {
    throw new SetpointError('SCHEDULE_INVALID', `${JSON.stringify(timeZone)} is not a time zone`, {
      hint: 'name one of the IANA time zones, such as Europe/Berlin',
      cause,
    })
  }
}
