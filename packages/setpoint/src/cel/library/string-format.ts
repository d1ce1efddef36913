/** `"%s".format([x])`: the clauses and the errors of cel-go's formatter (before its version 4). */
import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelObject,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelResult,
  type CelValue,
} from '../values/cel-value.ts'
import { typeOfValue } from '../evaluate/runtime-type.ts'
import { goQuote } from '../../schema/index.ts'
import { compareTexts } from '../values/equality.ts'
import { goFloat } from '../values/go-float.ts'
import { printDuration, readDouble } from './conversions.ts'
import { formatGroups, toFixedEven } from './group-digits.ts'
import { printTimestamp } from './time-arithmetic.ts'

/** A clause of a format: a letter and the number of decimals. */
interface FormatClause {
  readonly letter: string
  readonly precision: number | undefined
}

/** A format in parts: texts and clauses. A problem ends it. */
type FormatPart =
  { readonly text: string } | { readonly clause: FormatClause } | { readonly problem: string }

const letters = 'sdfebxXo'
const decimals = 6

/** Splits a format at its clauses. */
export function* parseFormat(format: string, argCount: number): Generator<FormatPart> {
  let argIndex = 0
  let at = 0
  while (at < format.length) {
    const percent = format.indexOf('%', at)
    if (percent < 0) break
    if (percent > at) yield { text: format.slice(at, percent) }
    if (format[percent + 1] === '%') {
      yield { text: '%' }
      at = percent + 2
      continue
    }
    if (argIndex >= argCount && argCount >= 0) {
      yield { problem: `index ${argIndex} out of range` }
      return
    }
    if (percent + 1 >= format.length) {
      yield { problem: 'unexpected end of string' }
      return
    }
    const parsed = readClause(format, percent + 1)
    if ('problem' in parsed) {
      yield parsed
      return
    }
    yield { clause: parsed.clause }
    at = parsed.end
    argIndex++
  }
  if (at < format.length) yield { text: format.slice(at) }
}

function readClause(
  format: string,
  from: number,
): { readonly clause: FormatClause; readonly end: number } | { readonly problem: string } {
  const head = 'could not parse formatting clause: '
  let at = from
  let precision: number | undefined
  if (format[at] === '.') {
    const digits = /^\d*/.exec(format.slice(at + 1))?.[0] ?? ''
    at += 1 + digits.length
    const precisionHead = `${head}error while parsing precision: `
    if (at >= format.length) {
      return { problem: `${precisionHead}could not find end of precision specifier` }
    }
    if (digits === '') {
      const reason =
        'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'
      return { problem: precisionHead + reason }
    }
    precision = Number(digits)
  }
  const letter = format[at] ?? ''
  if (!letters.includes(letter)) {
    return { problem: `${head}unrecognized formatting clause "${letter}"` }
  }
  return { clause: { letter, precision }, end: at + 1 }
}

/** Formats the arguments. */
export function formatText(format: string, args: CelList): CelResult {
  let result = ''
  let index = 0
  for (const part of parseFormat(format, args.size)) {
    if ('problem' in part) return new CelError(part.problem)
    if ('text' in part) {
      result += part.text
      continue
    }
    const value = args.at(index++)
    if (value instanceof CelError) return value
    const text = formatClause(part.clause, value)
    if (text instanceof CelError) return new CelError(`error during formatting: ${text.message}`)
    result += text
  }
  return result
}

/** The texts of the errors, by the letter of the clause. */
export const clauseErrors: Readonly<Record<string, string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ',
  d: 'decimal clause can only be used on integers, was given ',
  f: 'fixed-point clause can only be used on doubles, was given ',
  e: 'scientific clause can only be used on doubles, was given ',
  b: 'only integers and bools can be formatted as binary, was given ',
  x: 'only integers, byte buffers, and strings can be formatted as hex, was given ',
  X: 'only integers, byte buffers, and strings can be formatted as hex, was given ',
  o: 'octal clause can only be used on integers, was given ',
}

function unsuitable(letter: string, value: CelValue): CelError {
  return new CelError((clauseErrors[letter] ?? '') + typeOfValue(value).name)
}

function formatClause({ letter, precision }: FormatClause, value: CelValue): string | CelError {
  switch (letter) {
    case 's':
      return formatString(value)
    case 'd':
      return integerText(value, 10) ?? unsuitable(letter, value)
    case 'o':
      return integerText(value, 8) ?? unsuitable(letter, value)
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0'
      return integerText(value, 2) ?? unsuitable(letter, value)
    case 'x':
      return hex(value) ?? unsuitable(letter, value)
    case 'X':
      return hex(value)?.toUpperCase() ?? unsuitable(letter, value)
    default:
      return formatDouble(letter, precision ?? decimals, value)
  }
}

function integerText(value: CelValue, base: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(base)
  return value instanceof CelUint ? value.value.toString(base) : undefined
}

function hex(value: CelValue): string | undefined {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  if (!(bytes instanceof Uint8Array)) return integerText(value, 16)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const namedNumbers = new Set(['NaN', 'Infinity', '-Infinity'])

function formatDouble(letter: string, precision: number, value: CelValue): string | CelError {
  const isNamed = typeof value === 'string' && namedNumbers.has(value)
  if (typeof value !== 'number' && !isNamed) return unsuitable(letter, value)
  const number = typeof value === 'number' ? value : (readDouble(value) ?? Number.NaN)
  if (letter === 'f') return special(number) ?? formatGroups(number, precision)
  // Go reads the number in the clause as a width here; the decimals are always 6.
  return (special(number) ?? scientific(number)).padStart(precision, ' ')
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return undefined
  return value > 0 ? '∞' : '-∞'
}

/** `1.500000×10⁰³`, as Go's printer for English writes it. */
function scientific(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential(decimals).split('e')
  const power = Number(exponent)
  const raised = String(Math.abs(power)).padStart(2, '0')
  return `${digits}×10${raise(power < 0 ? '-' : '')}${raise(raised)}`
}

function raise(text: string): string {
  const superscripts: Readonly<Record<string, string>> = {
    '-': '⁻',
    '0': '⁰',
    '1': '¹',
    '2': '²',
    '3': '³',
  }
  return Array.from(
    text,
    (digit) => superscripts[digit] ?? String.fromCodePoint(0x2070 + Number(digit)),
  ).join('')
}

/** The text of `%s`. */
function formatString(value: CelValue): string | CelError {
  if (value instanceof CelList) return formatList(value)
  if (value instanceof CelMap) return formatMap(value)
  if (value instanceof CelOptional || value instanceof CelObject) return unsuitable('s', value)
  if (value instanceof CelTimestamp) return printTimestamp(value)
  if (value instanceof CelDuration) return printDuration(value)
  if (value instanceof CelTypeValue) return value.type.name
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  if (value instanceof CelUint) return String(value.value)
  return typeof value === 'number' ? goFloat(value) : String(value)
}

function formatList(list: CelList): string | CelError {
  const texts: string[] = []
  for (const element of list) {
    const text = element instanceof CelError ? element : formatElement(element)
    if (text instanceof CelError) return text
    texts.push(text)
  }
  return `[${texts.join(', ')}]`
}

function formatMap(map: CelMap): string | CelError {
  const pairs: [string, string][] = []
  for (const key of map.keys()) {
    if (typeof key === 'number') {
      return new CelError('no formatting function for map key of type double')
    }
    const keyText = formatElement(key)
    const value = map.find(key) ?? null
    const valueText = value instanceof CelError ? value : formatElement(value)
    if (keyText instanceof CelError) return keyText
    if (valueText instanceof CelError) return valueText
    pairs.push([keyText, valueText])
  }
  pairs.sort(([one], [other]) => compareTexts(one, other))
  return `{${pairs.map(([key, value]) => `${key}:${value}`).join(', ')}}`
}

/** An element of a list or map: texts are quoted, times name their type. */
function formatElement(value: CelValue): string | CelError {
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'number') {
    return Number.isFinite(value) ? toFixedEven(value, decimals) : goQuote(goFloat(value))
  }
  if (value instanceof Uint8Array) return `b${goQuote(new TextDecoder().decode(value))}`
  if (value instanceof CelTimestamp) return `timestamp(${goQuote(printTimestamp(value))})`
  if (value instanceof CelDuration) return `duration(${goQuote(printDuration(value))})`
  if (value instanceof CelOptional || value instanceof CelObject) {
    return new CelError(`no formatting function for ${typeOfValue(value).name}`)
  }
  return formatString(value)
}
