import type { JsonValue } from 'setpoint/schema'
import { normalizeBase64, encodeBase64 } from './go-base64.ts'
import { durationText, parseDuration } from './go-duration.ts'
import { normalizeMicroTime, normalizeTime } from './go-time.ts'
import { canonicalQuantity } from './quantity.ts'
import type { Form } from '../typed/type-plan.ts'
import type { TypeMismatch } from '../typed/typed-decode-error.ts'

/** Types whose values have no nested values. */
export type ScalarForm = Extract<
  Form,
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'duration'
>

/** A value to decode, its text if it is a number, and Go's name of the type. */
interface Given {
  readonly value: JsonValue
  readonly text: string
  readonly goType: string
}

/** Either the value as Go prints it, or an error. */
interface Reading {
  readonly value?: JsonValue
  readonly mismatch?: TypeMismatch
  /** The type's own decoder found the mismatch, which ends the decoding. */
  readonly isFinal?: boolean
  readonly error?: string
}

/** Decodes a value that is not null. */
export function readScalar(form: ScalarForm, given: Given): Reading {
  const { value, goType } = given
  switch (form) {
    case 'string':
      return typeof value === 'string' ? { value } : mismatch(given, goType)
    case 'bool':
      return typeof value === 'boolean' ? { value } : mismatch(given, goType)
    case 'int32':
    case 'int64':
      return readInteger(form, given)
    case 'double':
      if (typeof value === 'bigint') return { value: Number(value) }
      return typeof value === 'number' ? { value } : mismatch(given, goType)
    case 'bytes':
      return readBytes(given)
    case 'intOrString':
      if (typeof value === 'string') return { value }
      return { ...readInteger('int32', { ...given, goType: 'int32' }), isFinal: true }
    case 'quantity':
      return attempt(() => canonicalQuantity(quantityText(given)))
    case 'time':
      return readText(given, normalizeTime)
    case 'microTime':
      return readText(given, normalizeMicroTime)
    case 'duration':
      return readText(given, (text) => durationText(parseDuration(text)))
  }
}

/** Go's output for an unset value. */
export function zeroValue(form: Form): JsonValue {
  switch (form) {
    case 'string':
    case 'bytes':
      return ''
    case 'bool':
    case 'schemaOrBool':
      return false
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0
    case 'quantity':
      return '0'
    case 'duration':
      return '0s'
    default:
      return null
  }
}

function mismatch({ value }: Given, goType: string): Reading {
  return { mismatch: { given: jsonType(value), goType } }
}

function jsonType(value: JsonValue): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'bigint' ? 'number' : typeof value
}

function readInteger(form: 'int32' | 'int64', given: Given): Reading {
  const { value, text, goType } = given
  if (typeof value !== 'number' && typeof value !== 'bigint') return mismatch(given, goType)
  const fits =
    form === 'int64' ? isInt64(value) : typeof value === 'number' && value === (value | 0)
  if (fits && !/[.eE]/.test(text)) return { value }
  return { mismatch: { given: `number ${text}`, goType } }
}

/** The reader makes bigints only within int64. */
function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value)
}

function readBytes(given: Given): Reading {
  const { value, goType } = given
  if (typeof value === 'string') return attempt(() => normalizeBase64(value))
  // Go also accepts a list of numbers as bytes.
  if (!Array.isArray(value)) return mismatch(given, goType)
  const isByte = (item: JsonValue): item is number =>
    typeof item === 'number' && item >= 0 && item <= 255 && Number.isInteger(item)
  const wrong = value.find((item) => item !== null && !isByte(item))
  if (wrong === undefined) {
    return { value: encodeBase64(Uint8Array.from(value, (item) => Number(item))) }
  }
  const given1 = typeof wrong === 'number' ? `number ${wrong}` : jsonType(wrong)
  return { mismatch: { given: given1, goType: 'uint8' } }
}

/** A Quantity decodes the raw bytes of its value. */
function quantityText({ value, text }: Given): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'object' || typeof value === 'boolean' ? 'x' : text
}

function readText(given: Given, normalize: (text: string) => string): Reading {
  const { value } = given
  if (typeof value !== 'string') return { ...mismatch(given, 'string'), isFinal: true }
  return attempt(() => normalize(value))
}

function attempt(read: () => string): Reading {
  try {
    return { value: read() }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
