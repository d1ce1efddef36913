/** Conversions: `int("1")`, `string(1)`, `type(x)`, `dyn(x)`, ... */
import { declare, type FunctionDeclaration } from '../types/function-declaration.ts'
import { typeOfValue } from '../evaluate/runtime-type.ts'
import {
  CelDuration,
  CelError,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelResult,
  type CelValue,
} from '../values/cel-value.ts'
import { goFloat } from '../values/go-float.ts'
import { checkedInt, checkedUint } from './arithmetic.ts'
import {
  checkedTimestamp,
  floorDivide,
  printTimestamp,
  readDuration,
  readTimestamp,
  secondsMax,
  secondsMin,
  timestampOverflow,
} from './time-arithmetic.ts'

const identity = (value: CelValue = null): CelResult => value

function failed(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`)
}

/** A double as an int, if it has no more than 64 bits. */
function doubleToInt(value: number): CelResult {
  if (Number.isNaN(value) || value <= -(2 ** 63) || value >= 2 ** 63) {
    return new CelError('integer overflow')
  }
  return BigInt(Math.trunc(value))
}

function doubleToUint(value: number): CelResult {
  if (Number.isNaN(value) || value < 0 || value >= 2 ** 64) {
    return new CelError('unsigned integer overflow')
  }
  return new CelUint(BigInt(Math.trunc(value)))
}

function stringToInt(text: string): CelResult {
  if (!/^[+-]?\d+$/.test(text)) return failed('string', 'int')
  const value = checkedInt(text.startsWith('+') ? BigInt(text.slice(1)) : BigInt(text))
  return value instanceof CelError ? failed('string', 'int') : value
}

function stringToUint(text: string): CelResult {
  if (!/^\d+$/.test(text)) return failed('string', 'uint')
  const value = checkedUint(BigInt(text))
  return value instanceof CelError ? failed('string', 'uint') : value
}

const floatPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const infinity = /^([+-]?)inf(?:inity)?$/i

/** Reads a double as Go's `ParseFloat` does. */
export function readDouble(text: string): number | undefined {
  const sign = infinity.exec(text)?.[1]
  if (sign !== undefined) return sign === '-' ? -Infinity : Infinity
  if (/^nan$/i.test(text)) return Number.NaN
  // Go allows underscores between digits.
  const digits = text.replace(/(?<=\d)_(?=\d)/g, '')
  if (!floatPattern.test(digits)) return readHexDouble(digits)
  const value = Number(digits)
  return Number.isFinite(value) ? value : undefined
}

function readHexDouble(text: string): number | undefined {
  const match = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)$/.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole + fraction === '') return undefined
  const mantissa = Number.parseInt(whole + fraction, 16)
  const value = mantissa * 2 ** (Number(exponent) - 4 * fraction.length)
  if (!Number.isFinite(value)) return undefined
  return sign === '-' ? -value : value
}

const trueTexts = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])
const falseTexts = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False'])

function stringToBool(text: string): CelResult {
  if (trueTexts.has(text)) return true
  return falseTexts.has(text) ? false : failed('string', 'bool')
}

function bytesToString(bytes: Uint8Array): CelResult {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return new CelError('invalid UTF-8 in bytes, cannot convert to string')
  }
}

/** The text of a duration: its seconds. */
export function printDuration({ nanoseconds }: CelDuration): string {
  const whole = nanoseconds / 1_000_000_000n
  // Go computes in doubles.
  const seconds = Number(whole) + Number(nanoseconds % 1_000_000_000n) / 1e9
  return `${plain(seconds)}s`
}

function plain(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  return value.toFixed(20).replace(/\.?0+$/, '')
}

function stringToDuration(text: string): CelResult {
  const nanoseconds = readDuration(text)
  return nanoseconds === undefined
    ? failed('string', 'google.protobuf.Duration')
    : new CelDuration(nanoseconds)
}

function stringToTimestamp(text: string): CelResult {
  const time = readTimestamp(text)
  if (time === undefined) return failed('string', 'google.protobuf.Timestamp')
  return checkedTimestamp(time.nanoseconds, time.offsetSeconds)
}

function intToTimestamp(seconds: bigint): CelResult {
  if (seconds < secondsMin || seconds > secondsMax) return timestampOverflow
  return new CelTimestamp(seconds * 1_000_000_000n)
}

/** The conversions between the standard types. */
export const conversions: readonly FunctionDeclaration[] = declare({
  bool: [
    ['bool_to_bool(bool): bool', identity],
    ['string_to_bool(string): bool', (text) => stringToBool(text as string)],
  ],
  bytes: [
    ['bytes_to_bytes(bytes): bytes', identity],
    ['string_to_bytes(string): bytes', (text) => new TextEncoder().encode(text as string)],
  ],
  double: [
    ['double_to_double(double): double', identity],
    ['int64_to_double(int): double', (value) => Number(value)],
    [
      'string_to_double(string): double',
      (text) => readDouble(text as string) ?? failed('string', 'double'),
    ],
    ['uint64_to_double(uint): double', (value) => Number((value as CelUint).value)],
  ],
  duration: [
    ['duration_to_duration(duration): duration', identity],
    ['int64_to_duration(int): duration', () => failed('int', 'google.protobuf.Duration')],
    ['string_to_duration(string): duration', (text) => stringToDuration(text as string)],
  ],
  dyn: { signatures: ['to_dyn(A): dyn'], run: identity },
  int: [
    ['int64_to_int64(int): int', identity],
    ['double_to_int64(double): int', (value) => doubleToInt(value as number)],
    ['duration_to_int64(duration): int', (value) => (value as CelDuration).nanoseconds],
    ['string_to_int64(string): int', (text) => stringToInt(text as string)],
    [
      'timestamp_to_int64(timestamp): int',
      (time) => floorDivide((time as CelTimestamp).nanoseconds, 1_000_000_000n),
    ],
    ['uint64_to_int64(uint): int', (value) => checkedInt((value as CelUint).value)],
  ],
  string: [
    ['string_to_string(string): string', identity],
    ['bool_to_string(bool): string', String],
    ['bytes_to_string(bytes): string', (bytes) => bytesToString(bytes as Uint8Array)],
    ['double_to_string(double): string', (value) => goFloat(value as number)],
    ['duration_to_string(duration): string', (value) => printDuration(value as CelDuration)],
    ['int64_to_string(int): string', String],
    ['timestamp_to_string(timestamp): string', (time) => printTimestamp(time as CelTimestamp)],
    ['uint64_to_string(uint): string', (value) => String((value as CelUint).value)],
  ],
  timestamp: [
    ['timestamp_to_timestamp(timestamp): timestamp', identity],
    ['int64_to_timestamp(int): timestamp', (seconds) => intToTimestamp(seconds as bigint)],
    ['string_to_timestamp(string): timestamp', (text) => stringToTimestamp(text as string)],
  ],
  type: {
    signatures: ['type(A): type(A)'],
    run: (value = null) => new CelTypeValue(typeOfValue(value)),
  },
  uint: [
    ['uint64_to_uint64(uint): uint', identity],
    ['double_to_uint64(double): uint', (value) => doubleToUint(value as number)],
    ['int64_to_uint64(int): uint', (value) => checkedUint(value as bigint)],
    ['string_to_uint64(string): uint', (text) => stringToUint(text as string)],
  ],
})
