import { invariant, SetpointError } from '../../errors/index.ts'
import { type ZoneOffset, zoneOffset } from './zone-offset.ts'

/** A recurring schedule. */
export interface CronSchedule {
  /**
   * The first time after a moment, as epoch milliseconds; `undefined` if there is none within five
   * years.
   */
  next(afterMs: number): number | undefined
}

/** The values that a field of an expression allows, and whether it allows all. */
interface Field {
  readonly values: ReadonlySet<number>
  readonly isAny: boolean
}

interface Bounds {
  readonly what: string
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const bounds: readonly Bounds[] = [
  { what: 'minute', min: 0, max: 59 },
  { what: 'hour', min: 0, max: 23 },
  { what: 'day', min: 1, max: 31 },
  { what: 'month', min: 1, max: 12, names: months },
  { what: 'weekday', min: 0, max: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
]

const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const yearsMax = 5

/**
 * Parses a schedule like that of a CronJob: five fields, a nickname such as `@daily`, or `@every
 * 1h30m`. Times are in UTC unless a time zone is given. Use it for your own timers; `.every` takes
 * the expression itself.
 */
export function cronSchedule(text: string, timeZone?: string): CronSchedule {
  const offset = zoneOffset(timeZone)
  const every = /^@every (.*)$/.exec(text)?.[1]
  if (every !== undefined) return fixedDelay(delayOf(every))
  const words = (nicknames[text] ?? text).split(/\s+/).filter((word) => word !== '')
  if (words.length !== bounds.length) {
    throw invalid(`${JSON.stringify(text)} is not a cron expression: it has ${words.length} fields`)
  }
  const [minute, hour, day, month, weekday] = bounds.map((bound, at) => fieldOf(words[at], bound))
  invariant(minute && hour && day && month && weekday, 'there are five fields')
  const calendar = { minute, hour, day, month, weekday }
  return { next: (afterMs) => nextIn(calendar, offset, afterMs) }
}

function fieldOf(text = '', bound: Bounds): Field {
  const values = new Set<number>()
  let isAny = false
  for (const part of text.split(',')) {
    if (part === '') continue
    const { first, last, step, isStar } = rangeOf(part, bound)
    for (let value = first; value <= last; value += step) values.add(value)
    if (isStar && step === 1) isAny = true
  }
  return { values, isAny }
}

interface Range {
  readonly first: number
  readonly last: number
  readonly step: number
  readonly isStar: boolean
}

function rangeOf(part: string, { what, min, max, names }: Bounds): Range {
  const valueOf = (word: string): number => {
    const named = names?.indexOf(word.toLowerCase()) ?? -1
    return named === -1 ? (/^\d+$/.test(word) ? Number(word) : NaN) : named + min
  }
  const [range = '', stepText = '1', ...moreSteps] = part.split('/')
  const [low = '', high, ...moreEnds] = range.split('-')
  const isStar = low === '*' || low === '?'
  const first = isStar ? min : valueOf(low)
  const single = part.includes('/') ? max : first
  const last = isStar ? max : high === undefined ? single : valueOf(high)
  const step = /^\d+$/.test(stepText) ? Number(stepText) : NaN
  // These comparisons are false for NaN too.
  const isValid = first >= min && last <= max && first <= last && step >= 1
  if (!isValid || moreSteps.length > 0 || moreEnds.length > 0) {
    const place = `the ${what} ${JSON.stringify(part)} must be within ${min} and ${max}`
    throw invalid(`invalid cron expression: ${place}`)
  }
  return { first, last, step, isStar }
}

function invalid(message: string): SetpointError {
  return new SetpointError('SCHEDULE_INVALID', message, {
    hint: 'write minute, hour, day of the month, month and weekday, such as "*/5 * * * *"',
  })
}

/** Fractions of a second are ignored; the minimum is one second. */
function delayOf(text: string): number {
  const unitMs: Readonly<Record<string, number>> = { h: hourMs, m: minuteMs, s: 1000, ms: 1 }
  if (!/^(?:\d+(?:\.\d+)?[a-zµμ]+)+$/.test(text)) {
    throw invalid(`${JSON.stringify(text)} is not a duration`)
  }
  let ms = 0
  for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)([a-zµμ]+)/g)) {
    ms += Number(amount) * (unitMs[unit] ?? 0)
  }
  return Math.max(1000, Math.floor(ms / 1000) * 1000)
}

function fixedDelay(delayMs: number): CronSchedule {
  return { next: (afterMs) => Math.floor(afterMs / 1000) * 1000 + delayMs }
}

interface Calendar {
  readonly minute: Field
  readonly hour: Field
  readonly day: Field
  readonly month: Field
  readonly weekday: Field
}

/**
 * Finds the first moment at which the local time matches the fields. Times that are skipped when
 * daylight saving time starts are not due; times that occur twice when it ends are due twice.
 */
function nextIn(calendar: Calendar, offset: ZoneOffset, afterMs: number): number | undefined {
  let atMs = (Math.floor(afterMs / minuteMs) + 1) * minuteMs
  const yearMax = new Date(atMs + offset(atMs)).getUTCFullYear() + yearsMax
  for (;;) {
    const wallMs = atMs + offset(atMs)
    const wall = new Date(wallMs)
    const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth()]
    // A date beyond the range of Date has the year NaN.
    if (!(year <= yearMax)) return undefined
    if (!calendar.month.values.has(month + 1)) {
      atMs = momentOf(Date.UTC(year, month + 1, 1), offset, atMs)
    } else if (!allowsDay(calendar, wall)) {
      atMs = nextMidnight(wallMs, offset, atMs)
    } else if (!calendar.hour.values.has(wall.getUTCHours())) {
      atMs += hourMs - (wallMs % hourMs)
    } else if (!calendar.minute.values.has(wall.getUTCMinutes())) {
      atMs += minuteMs
    } else {
      return atMs
    }
  }
}

/** Day of month and weekday are alternatives, unless one of them allows every day. */
function allowsDay({ day, weekday }: Calendar, wall: Date): boolean {
  const isDay = day.values.has(wall.getUTCDate())
  const isWeekday = weekday.values.has(wall.getUTCDay())
  return day.isAny || weekday.isAny ? isDay && isWeekday : isDay || isWeekday
}

/** The next midnight. East of Greenwich a day without midnight is skipped, as in a real cluster. */
function nextMidnight(wallMs: number, offset: ZoneOffset, afterMs: number): number {
  const midnightMs = (Math.floor(wallMs / dayMs) + 1) * dayMs
  const atMs = momentOf(midnightMs, offset, afterMs)
  const offsetMs = offset(atMs)
  return offsetMs > 0 && atMs + offsetMs !== midnightMs
    ? momentOf(midnightMs + dayMs, offset, atMs)
    : atMs
}

/**
 * The moment of a local time, after another moment; for a skipped local time the first one after
 * it.
 */
function momentOf(wallMs: number, offset: ZoneOffset, afterMs: number): number {
  const guessMs = wallMs - offset(afterMs)
  const betterMs = wallMs - offset(guessMs)
  const isShown = betterMs + offset(betterMs) === wallMs
  return Math.max(isShown ? betterMs : Math.max(guessMs, betterMs), afterMs + minuteMs)
}
