import { malformed, type MessageReader } from './message-reader.ts'

/**
 * Kubernetes' types that are messages in protobuf and plain values in JSON. Each function reads the
 * fields up to `end`.
 */

/** The numbers in the first two fields; `undefined` for a missing one. */
function twoNumbers(reader: MessageReader, end: number): [number | undefined, number | undefined] {
  const numbers: [number | undefined, number | undefined] = [undefined, undefined]
  while (reader.at < end) {
    const tag = reader.varint32(end)
    if (tag === 0x08) numbers[0] = reader.integer(end)
    else if (tag === 0x10) numbers[1] = reader.integer(end)
    else reader.skip(tag & 7, end)
  }
  return numbers
}

/** A quantity as it is written: `500m`. */
export function readQuantity(reader: MessageReader, end: number): string {
  let text = ''
  while (reader.at < end) {
    const tag = reader.varint32(end)
    if (tag === 0x0a) text = reader.string(reader.limit(end))
    else reader.skip(tag & 7, end)
  }
  return text === '' ? '0' : text
}

/** A number or a string: `80` or `25%`. */
export function readIntOrString(reader: MessageReader, end: number): number | string {
  let isString = false
  let number = 0
  let text = ''
  while (reader.at < end) {
    const tag = reader.varint32(end)
    if (tag === 0x08) isString = reader.integer(end) !== 0
    else if (tag === 0x10) number = reader.integer(end)
    else if (tag === 0x1a) text = reader.string(reader.limit(end))
    else reader.skip(tag & 7, end)
  }
  return isString ? text : number
}

/** A list of strings that is a separate message. */
export function readStrings(reader: MessageReader, end: number): string[] {
  const strings: string[] = []
  while (reader.at < end) {
    const tag = reader.varint32(end)
    if (tag === 0x0a) strings.push(reader.string(reader.limit(end)))
    else reader.skip(tag & 7, end)
  }
  return strings
}

/** Any JSON value, as its text. */
export function readJson(reader: MessageReader, end: number): unknown {
  let text = ''
  while (reader.at < end) {
    const tag = reader.varint32(end)
    if (tag !== 0x0a) reader.skip(tag & 7, end)
    else {
      const limit = reader.limit(end)
      text = reader.bytes.toString('utf8', reader.at, limit)
      reader.at = limit
    }
  }
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed('a JSON field is not valid JSON', cause)
  }
}

/** A time in RFC 3339, in seconds or with six digits of fraction; null when nothing was sent. */
export function readTime(reader: MessageReader, end: number, hasFraction: boolean): string | null {
  const [seconds, nanos = 0] = twoNumbers(reader, end)
  if (seconds === undefined) return null
  const text = timeText(seconds)
  return hasFraction ? `${text}.${padded(Math.trunc(nanos / 1000), 6)}Z` : `${text}Z`
}

const secondsOfDay = 86_400

/** The last second of a `Date`. */
const secondsMax = 8.64e12

/** Most times of an object have the same day: the part before the `T` is cached. */
let lastDay = NaN
let lastDayText = ''

function timeText(seconds: number): string {
  if (Math.abs(seconds) >= secondsMax) throw malformed('a time is out of range')
  const day = Math.floor(seconds / secondsOfDay)
  if (day !== lastDay) {
    lastDay = day
    lastDayText = new Date(day * secondsOfDay * 1000).toISOString().slice(0, -13)
  }
  const second = seconds - day * secondsOfDay
  const minute = Math.floor(second / 60)
  return `${lastDayText}${padded(Math.floor(minute / 60), 2)}:${padded(minute % 60, 2)}:${padded(second % 60, 2)}`
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}

/** A duration in Go's notation: `1h30m0.5s`. */
export function readDuration(reader: MessageReader, end: number): string {
  const [nanos = 0] = twoNumbers(reader, end)
  const sign = nanos < 0 ? '-' : ''
  const size = Math.abs(nanos)
  if (size === 0) return '0s'
  if (size < 1e3) return `${sign}${size}ns`
  if (size < 1e6) return `${sign}${size / 1e3}µs`
  if (size < 1e9) return `${sign}${size / 1e6}ms`
  const hours = Math.floor(size / 3.6e12)
  const minutes = Math.floor((size % 3.6e12) / 6e10)
  const seconds = (size % 6e10) / 1e9
  const larger = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : ''
  return `${sign}${larger}${seconds}s`
}
