/** Points in time: limits, parts, and texts. */
import { CelError, CelTimestamp } from '../values/cel-value.ts'

/** The first and the last second of a timestamp: the years 1 to 9999. */
export const secondsMin = -62135596800n
export const secondsMax = 253402300799n

const billion = 1_000_000_000n

/** The error of a timestamp out of range. */
export const timestampOverflow = new CelError('timestamp overflow')

/** Divides and rounds down. */
export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value % by < 0n ? quotient - 1n : quotient
}

/** A timestamp, or an error if it is out of range. */
export function checkedTimestamp(nanoseconds: bigint, offset = 0): CelTimestamp | CelError {
  const seconds = floorDivide(nanoseconds, billion)
  if (seconds < secondsMin || seconds > secondsMax) return timestampOverflow
  return new CelTimestamp(nanoseconds, offset)
}

/** A time some nanoseconds later. */
export function addDuration(time: CelTimestamp, nanoseconds: bigint): CelTimestamp | CelError {
  return checkedTimestamp(time.nanoseconds + nanoseconds, time.offsetSeconds)
}

/** The calendar date and the time of day. */
export interface TimeParts {
  readonly year: number
  /** From 1. */
  readonly month: number
  /** From 1. */
  readonly day: number
  /** From 0. */
  readonly dayOfYear: number
  /** From 0, Sunday. */
  readonly weekday: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly nanosecond: number
}

/** The days since 1970 of a date in the Gregorian calendar. */
function daysOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * 146097 + dayOfEra + dayOfYear - 719468
}

/** The parts of a time, in a zone with this offset from UTC. */
export function partsOf(nanoseconds: bigint, offsetSeconds: number): TimeParts {
  const local = nanoseconds + BigInt(offsetSeconds) * billion
  const seconds = Number(floorDivide(local, billion))
  const nanosecond = Number(local - floorDivide(local, billion) * billion)
  const days = Math.floor(seconds / 86400)
  const secondOfDay = seconds - days * 86400
  const date = dateOf(days)
  return {
    ...date,
    dayOfYear: days - daysOf(date.year, 1, 1),
    weekday: (((days + 4) % 7) + 7) % 7,
    hour: Math.floor(secondOfDay / 3600),
    minute: Math.floor((secondOfDay % 3600) / 60),
    second: secondOfDay % 60,
    nanosecond,
  }
}

function dateOf(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719468
  const era = Math.floor(shifted / 146097)
  const dayOfEra = shifted - era * 146097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36524) -
      Math.floor(dayOfEra / 146096)) /
      365,
  )
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  const dayOfYear = dayOfEra - (365 * yearOfEra + leapDays)
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

/** RFC 3339 with as many digits of the second as needed. */
export function printTimestamp({ nanoseconds, offsetSeconds }: CelTimestamp): string {
  const parts = partsOf(nanoseconds, offsetSeconds)
  const date = `${digits(parts.year, 4)}-${digits(parts.month, 2)}-${digits(parts.day, 2)}`
  const time = `${digits(parts.hour, 2)}:${digits(parts.minute, 2)}:${digits(parts.second, 2)}`
  const fraction =
    parts.nanosecond === 0 ? '' : `.${digits(parts.nanosecond, 9)}`.replace(/0+$/, '')
  return `${date}T${time}${fraction}${printOffset(offsetSeconds)}`
}

function printOffset(offsetSeconds: number): string {
  if (offsetSeconds === 0) return 'Z'
  const minutes = Math.floor(Math.abs(offsetSeconds) / 60)
  const text = `${digits(Math.floor(minutes / 60), 2)}:${digits(minutes % 60, 2)}`
  return `${offsetSeconds < 0 ? '-' : '+'}${text}`
}

const timestampPattern =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Reads RFC 3339; `undefined` if the text is not a valid time. */
export function readTimestamp(text: string): CelTimestamp | undefined {
  const match = timestampPattern.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const lastDay = month === 2 && isLeap ? 29 : (monthDays[month - 1] ?? 0)
  if (day < 1 || day > lastDay || hour > 23 || minute > 59 || second > 59) return undefined
  const [zoneHours, zoneMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)]
  if (zoneHours > 24 || zoneMinutes > 60) return undefined
  const offset = (zoneHours * 60 + zoneMinutes) * 60 * (match[8] === '-' ? -1 : 1)
  const seconds = daysOf(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset
  const fraction = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'))
  return new CelTimestamp(BigInt(seconds) * billion + fraction, offset)
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: billion,
  m: 60n * billion,
  h: 3600n * billion,
}

/** Reads a duration as Go does, such as `1h30m`; `undefined` if the text is not one. */
export function readDuration(text: string): bigint | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? ''
  const rest = text.slice(sign.length)
  if (rest === '0') return 0n
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/u.test(rest)) return undefined
  let total = 0n
  for (const [, whole = '', fraction = '', unit = ''] of rest.matchAll(
    /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/gu,
  )) {
    const size = units[unit] ?? 1n
    total += BigInt(whole === '' ? 0 : whole) * size
    if (fraction !== '') total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length)
  }
  const limit = sign === '-' ? 2n ** 63n : 2n ** 63n - 1n
  if (total > limit) return undefined
  return sign === '-' ? -total : total
}

/** The offset of a time zone from UTC at a time, in seconds; an error if it is unknown. */
export function zoneOffset(zone: string, nanoseconds: bigint): number | CelError {
  const colon = zone.indexOf(':')
  if (colon < 0) return namedZoneOffset(zone, nanoseconds)
  const hours = readInteger(zone.slice(0, colon))
  if (hours instanceof CelError) return hours
  const minutes = readInteger(zone.slice(colon + 1))
  if (minutes instanceof CelError) return minutes
  return (zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes) * 60
}

function readInteger(text: string): number | CelError {
  if (/^[+-]?\d+$/.test(text)) return Number(text)
  return new CelError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`)
}

function namedZoneOffset(zone: string, nanoseconds: bigint): number | CelError {
  if (zone === '' || zone === 'UTC') return 0
  const milliseconds = Number(floorDivide(nanoseconds, 1_000_000n))
  const found = zoneFormat(zone)?.formatToParts(milliseconds)
  if (found === undefined) return new CelError(`unknown time zone ${zone}`)
  const part = (type: string): number =>
    Number(found.find((candidate) => candidate.type === type)?.value ?? 0)
  const days = daysOf(part('year'), part('month'), part('day'))
  const local = days * 86400 + part('hour') * 3600 + part('minute') * 60 + part('second')
  return local - Math.floor(milliseconds / 1000)
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  // Go looks up a file of this name, so that its case and form count; offsets are not names.
  if (!/^[A-Z][A-Za-z0-9_+\-/]*$/.test(timeZone)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
