/** Schedules of CronJobs, with the messages of the library that a real server uses. */
import { parseDuration } from '../../codec/index.ts'
import { isTimeZone } from './time-zone.ts'

interface Bounds {
  readonly min: number
  readonly max: number
  readonly names?: Readonly<Record<string, number>>
}

function numbered(names: string, first: number): Record<string, number> {
  return Object.fromEntries(names.split(' ').map((name, index) => [name, index + first]))
}

const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: numbered('jan feb mar apr may jun jul aug sep oct nov dec', 1) },
  { min: 0, max: 6, names: numbered('sun mon tue wed thu fri sat', 0) },
]

const descriptors = [
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]

/** The error of a schedule, or undefined. */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule === '') return 'empty spec string'
  let spec = schedule
  const zone = /^(?:CRON_)?TZ=([^ ]*)(?: (.*))?$/s.exec(schedule)
  if (zone !== null) {
    const [, name = '', rest] = zone
    if (rest === undefined) return 'panic parsing schedule'
    if (!isTimeZone(name)) return `provided bad location ${name}: unknown time zone ${name}`
    spec = rest.trim()
  }
  if (spec.startsWith('@')) return descriptorProblem(spec)
  const words = spec.split(/\s+/).filter((word) => word !== '')
  if (words.length !== 5) {
    return `expected exactly 5 fields, found ${words.length}: [${words.join(' ')}]`
  }
  for (const [index, word] of words.entries()) {
    const bounds = fields[index]
    const problem = bounds === undefined ? undefined : fieldProblem(word, bounds)
    if (problem !== undefined) return problem
  }
  return undefined
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`
  const duration = text.slice('@every '.length)
  try {
    parseDuration(duration)
    return undefined
  } catch (error) {
    return `failed to parse duration ${text}: ${(error as Error).message}`
  }
}

function fieldProblem(field: string, bounds: Bounds): string | undefined {
  for (const part of field.split(',')) {
    if (part === '') continue
    const problem = rangeProblem(part, bounds)
    if (problem !== undefined) return problem
  }
  return undefined
}

function numberOf(text: string, names: Bounds['names']): number | string {
  const named = names?.[text.toLowerCase()]
  if (named !== undefined) return named
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`
  }
  const value = Number(text)
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value
}

function rangeProblem(text: string, { min, max, names }: Bounds): string | undefined {
  const [range = '', stepText, ...moreSteps] = text.split('/')
  const [low = '', high, ...moreBounds] = range.split('-')
  const isAny = low === '*' || low === '?'
  let start: number | string = min
  let end: number | string = max
  if (!isAny) {
    start = numberOf(low, names)
    if (typeof start === 'string') return start
    end = high === undefined ? start : numberOf(high, names)
    if (moreBounds.length > 0) return `too many hyphens: ${text}`
    if (typeof end === 'string') return end
  }
  let step: number | string = 1
  if (stepText !== undefined) {
    if (moreSteps.length > 0) return `too many slashes: ${text}`
    step = numberOf(stepText, undefined)
    if (typeof step === 'string') return step
    if (!isAny && high === undefined) end = max
  }
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${text}`
  if (end > max) return `end of range (${end}) above maximum (${max}): ${text}`
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`
  return step === 0 ? `step of range should be a positive number: ${text}` : undefined
}
