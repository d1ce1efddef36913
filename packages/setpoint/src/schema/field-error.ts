/**
 * One problem at one field, with the shape and the text of Kubernetes' `field.Error`. A server
 * returns the list as `details.causes` of a Status 422; the definition layer shows it to the
 * author.
 */
import { goJson, goNumber, goQuote } from './go/go-print.ts'
import type { JsonValue } from './structural-schema.ts'
import { spend } from './work-meter.ts'

/** The machine-readable reason, as in `causes[].reason` of a Status. */
export type FieldErrorType =
  | 'FieldValueInvalid'
  | 'FieldValueRequired'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueTypeInvalid'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueForbidden'
  | 'FieldValueNotFound'
  | 'InternalError'

/** A problem that a real API server reports; `message` is its `causes[].message` byte for byte. */
export interface FieldError {
  readonly type: FieldErrorType
  /** The path of the field, or `<nil>` where the server does not name it. */
  readonly field: string
  readonly detail: string
  readonly badValue?: JsonValue
  readonly message: string
}

/** The field of an error without a place, as the server prints it. */
export const nilField = '<nil>'

const titles = {
  FieldValueInvalid: 'Invalid value',
  FieldValueRequired: 'Required value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueForbidden: 'Forbidden',
  FieldValueNotFound: 'Not found',
  InternalError: 'Internal error',
} as const satisfies Record<FieldErrorType, string>

/** What a meter counts for an error, and for each character of its message. */
const stepsPerError = 200

/** The text of a message: the title, the value unless `undefined`, and the detail unless empty. */
function makeFieldError(
  type: FieldErrorType,
  field: string,
  rest: { detail: string; badValue?: JsonValue },
): FieldError {
  const parts: string[] = [titles[type]]
  if (rest.badValue !== undefined) parts.push(printValue(rest.badValue))
  if (rest.detail !== '') parts.push(rest.detail)
  const message = parts.join(': ')
  spend(stepsPerError + message.length)
  return { type, field, ...rest, message }
}

function printValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'number') return goNumber(value)
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'boolean' ? String(value) : goJson(value)
}

/** A malformed or out-of-range value. */
export function invalid(field: string, badValue: JsonValue, detail: string): FieldError {
  return makeFieldError('FieldValueInvalid', field, { badValue, detail })
}

/** A value whose JSON type, or a string whose format, differs from the schema. */
export function typeInvalid(field: string, badValue: JsonValue, detail: string): FieldError {
  return makeFieldError('FieldValueTypeInvalid', field, { badValue, detail })
}

/** A required value that is missing. */
export function required(field: string, detail = ''): FieldError {
  return makeFieldError('FieldValueRequired', field, { detail })
}

/** A valid value that must not be set here. */
export function forbidden(field: string, detail: string): FieldError {
  return makeFieldError('FieldValueForbidden', field, { detail })
}

/** A second occurrence of something that must be unique. */
export function duplicate(field: string, badValue: JsonValue): FieldError {
  return makeFieldError('FieldValueDuplicate', field, { badValue, detail: '' })
}

/** A value outside a closed list. */
export function notSupported(
  field: string,
  badValue: JsonValue,
  supported: readonly string[],
): FieldError {
  const detail = 'supported values: ' + supported.map(goQuote).join(', ')
  return makeFieldError('FieldValueNotSupported', field, { badValue, detail })
}

/** A string above its length limit; the server prints bytes even where it counts characters. */
export function tooLong(field: string, maximum: number): FieldError {
  const detail =
    maximum < 0
      ? 'value is too long'
      : `may not be more than ${maximum} ${maximum === 1 ? 'byte' : 'bytes'}`
  return makeFieldError('FieldValueTooLong', field, { detail })
}

/** A list or map with too many entries. */
export function tooMany(field: string, actual: number, maximum: number): FieldError {
  const detail =
    maximum < 0
      ? 'has too many items'
      : `must have at most ${maximum} ${maximum === 1 ? 'item' : 'items'}`
  return makeFieldError('FieldValueTooMany', field, { badValue: actual, detail })
}

/** Like `invalid`, for a value that the server prints in its own form. */
export function invalidPrinted(field: string, printed: string, detail: string): FieldError {
  return { ...printedError('FieldValueInvalid', field, `${printed}: ${detail}`), detail }
}

/** An error whose message after the title is printed already. */
function printedError(type: FieldErrorType, field: string, detail: string): FieldError {
  const message = `${titles[type]}: ${detail}`
  spend(stepsPerError + message.length)
  return { type, field, detail, message }
}

/** Like `invalid`, for an object or list, which the server does not print. */
function invalidOmitted(field: string, detail: string): FieldError {
  return makeFieldError('FieldValueInvalid', field, { detail })
}

/** Like `duplicate`, for an object or list, which the server does not print. */
function duplicateOmitted(field: string): FieldError {
  return makeFieldError('FieldValueDuplicate', field, { detail: '' })
}

/** A keyword that needs another type: the type is missing or wrong. */
export function wrongType(field: string, type: string | undefined, detail: string): FieldError {
  return type === undefined || type === '' ? required(field, detail) : invalid(field, type, detail)
}

/** A reference to something that does not exist. */
function notFound(field: string, badValue: JsonValue): FieldError {
  return makeFieldError('FieldValueNotFound', field, { badValue, detail: '' })
}

/** A check that failed internally. */
function internal(field: string, detail: string): FieldError {
  return makeFieldError('InternalError', field, { detail })
}

/**
 * The constructors of field errors, for layers with their own rules (the built-in kinds of the
 * embedded server).
 */
export const fieldError = {
  invalid,
  invalidOmitted,
  invalidPrinted,
  printed: printedError,
  typeInvalid,
  required,
  forbidden,
  duplicate,
  duplicateOmitted,
  notSupported,
  tooLong,
  tooMany,
  notFound,
  internal,
} as const
