/**
 * `minimum`, `maximum`, `multipleOf` and the ranges of `int32`, `int64` and `float`. Whole numbers
 * are compared as integers: a fraction of a bound is cut off first, as on a server.
 */
import { invalid, invalidPrinted, nilField } from '../field-error.ts'
import { goFloat, goNumber, isInt64 } from '../go/go-print.ts'
import type { PreparedSchema } from '../prepared-schema.ts'
import { nameIn, type Issue } from './value-issues.ts'

interface Place {
  readonly path: string
  readonly prefix: string | undefined
}

/** A value and a keyword's number, both as integers or both as floats. */
interface Pair {
  readonly value: number
  readonly operand: number
  readonly isInteger: boolean
}

interface Keyword {
  readonly title: string
  readonly operand: number | undefined
  /** The violated requirement as text; `undefined` for a valid value. */
  readonly demand: (pair: Pair) => string | undefined
}

/** The errors of the numeric keywords, in the server's order. */
export function numberIssues(prepared: PreparedSchema, value: number, place: Place): Issue[] {
  const { minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum } = prepared.schema
  const keywords: Keyword[] = [
    { title: 'MultipleOf', operand: multipleOf, demand: multipleDemand },
    {
      title: 'Minimum boundary',
      operand: minimum,
      demand: minimumDemand(exclusiveMinimum === true),
    },
    {
      title: 'Maximum boundary',
      operand: maximum,
      demand: maximumDemand(exclusiveMaximum === true),
    },
  ]
  const issues = rangeIssues(prepared, value, { ...place, title: 'Checked' })
  for (const { title, operand, demand } of keywords) {
    if (operand === undefined) continue
    const range = rangeIssues(prepared, operand, { ...place, title })
    // A keyword's number that does not fit the type is a separate error. It is then compared as a
    // float.
    const isInteger = isInt64(value) && range.length === 0
    const pair = { value, operand: isInteger ? toInt64(operand) : operand, isInteger }
    issues.push(...range)
    if (title === 'MultipleOf' && pair.operand <= 0) issues.push(factorIssue(pair, place))
    else issues.push(...demandIssues(pair, demand(pair), place))
  }
  return issues
}

function print(number: number, isInteger: boolean): string {
  return isInteger ? goNumber(number) : goFloat(number)
}

function minimumDemand(isExclusive: boolean): Keyword['demand'] {
  return ({ value, operand, isInteger }) => {
    if (isExclusive ? value > operand : value >= operand) return undefined
    const relation = isExclusive ? 'greater than' : 'greater than or equal to'
    return `should be ${relation} ${print(operand, isInteger)}`
  }
}

function maximumDemand(isExclusive: boolean): Keyword['demand'] {
  return ({ value, operand, isInteger }) => {
    if (isExclusive ? value < operand : value <= operand) return undefined
    const relation = isExclusive ? 'less than' : 'less than or equal to'
    return `should be ${relation} ${print(operand, isInteger)}`
  }
}

function multipleDemand({ value, operand, isInteger }: Pair): string | undefined {
  const quotient = operand < 1 ? (1 / operand) * value : value / operand
  if (isInteger ? value % operand === 0 : isJsonInteger(quotient)) return undefined
  return `should be a multiple of ${print(operand, isInteger)}`
}

function factorIssue({ operand, isInteger }: Pair, { path, prefix }: Place): Issue {
  const shown = print(operand, isInteger)
  const detail = `factor MultipleOf declared for ${path} must be positive: ${shown}`
  return { key: detail, error: invalidPrinted(nameIn(prefix, path), shown, detail) }
}

function demandIssues(pair: Pair, demand: string | undefined, { path, prefix }: Place): Issue[] {
  if (demand === undefined) return []
  const detail = `${path} in body ${demand}`
  const field = nameIn(prefix, path)
  const error = pair.isInteger
    ? invalid(field, pair.value, detail)
    : invalidPrinted(field, goFloat(pair.value), detail)
  return [{ key: detail, error }]
}

/** Go's conversion: the fraction is cut off; beyond int64 it wraps, on common processors. */
function toInt64(value: number): number {
  const whole = Math.trunc(value)
  return isInt64(whole) ? whole : -(2 ** 63)
}

/**
 * The server does not name the field of a number that is out of its format's range; the text does.
 */
function rangeIssues(
  prepared: PreparedSchema,
  value: number,
  place: Place & { readonly title: string },
): Issue[] {
  const type = prepared.types.length === 1 ? (prepared.types[0] ?? '') : ''
  const format = numberFormat(type, prepared.schema.format)
  if (isInRange(type, format, value)) return []
  const kind = format === undefined ? `${type} (default format)` : `${type} with format ${format}`
  const detail = `${place.title} value must be of type ${kind} in ${place.path}`
  return [{ key: detail, error: invalid(place.prefix ?? nilField, '', detail) }]
}

function numberFormat(type: string, format: string | undefined): string | undefined {
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : undefined
  return type === 'number' && (format === 'float' || format === 'double') ? format : undefined
}

function isInRange(type: string, format: string | undefined, value: number): boolean {
  if (type === 'integer') {
    if (format === 'int32') return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31
    return isInt64(value)
  }
  return format !== 'float' || Number.isFinite(Math.fround(value))
}

/** Whether a float is so close to an integer that the server takes it for one. */
export function isJsonInteger(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false
  if (Number.isInteger(value)) return true
  const whole = Math.trunc(value)
  if (whole === 0) return false
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < 1e-9
}
