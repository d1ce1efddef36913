/** The string library of cel-go in version 2, and the functions of standard strings. */
import { byteLength } from '../../schema/go/go-print.ts'
import { declare, type FunctionDeclaration } from '../types/function-declaration.ts'
import type { CelList } from '../values/cel-value.ts'
import { ArrayList, CelError, type CelResult, type CelValue } from '../values/cel-value.ts'
import { printValue } from '../values/print-value.ts'
import { formatText } from './string-format.ts'

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`)
}

function charAt(text: string, index: bigint): CelResult {
  const characters = Array.from(text)
  if (index < 0n || index > characters.length) return outOfRange(index)
  return characters[Number(index)] ?? ''
}

function indexOf(text: string, part: string, offset: bigint): CelResult {
  if (part === '') return offset
  if (offset < 0n) return outOfRange(offset)
  const characters = Array.from(text)
  if (offset >= characters.length) return -1n
  const found = text.indexOf(part, characters.slice(0, Number(offset)).join('').length)
  return found < 0 ? -1n : BigInt(Array.from(text.slice(0, found)).length)
}

function lastIndexOf(text: string, part: string, offset?: bigint): CelResult {
  const characters = Array.from(text)
  if (part === '') return offset ?? BigInt(characters.length)
  if (offset === undefined && byteLength(text) < byteLength(part)) return -1n
  const from = offset ?? BigInt(characters.length - 1)
  if (from < 0n) return outOfRange(from)
  if (from >= characters.length) return -1n
  const start = characters.slice(0, Number(from)).join('').length
  const found = text.lastIndexOf(part, start)
  return found < 0 ? -1n : BigInt(Array.from(text.slice(0, found)).length)
}

function substring(text: string, start: bigint, end?: bigint): CelResult {
  const characters = Array.from(text)
  if (end !== undefined && start > end) {
    return new CelError(`invalid substring range. start: ${start}, end: ${end}`)
  }
  if (start < 0n || start > characters.length) return outOfRange(start)
  if (end !== undefined && (end < 0n || end > characters.length)) return outOfRange(end)
  const last = end === undefined ? characters.length : Number(end)
  return characters.slice(Number(start), last).join('')
}

function replace(...[text, old, by, limit = -1n]: CelValue[]): string {
  const count = (limit as bigint) < 0n ? Infinity : Number(limit)
  const [source, part, replacement] = [text as string, old as string, by as string]
  if (part === '') return surround(source, replacement, count)
  const parts = source.split(part)
  const kept = parts.slice(0, count + 1)
  const rest = parts.slice(count + 1)
  return [kept.join(replacement), ...rest].join(part)
}

/** An empty text is found before each character and at the end. */
function surround(text: string, by: string, count: number): string {
  const characters = Array.from(text)
  let result = ''
  for (let index = 0; index <= characters.length; index++) {
    result += (index < count ? by : '') + (characters[index] ?? '')
  }
  return result
}

function split(text: string, separator: string, limit: bigint): CelResult {
  if (limit === 0n) return new ArrayList([])
  const parts = separator === '' ? Array.from(text) : text.split(separator)
  if (limit < 0n || parts.length <= limit) return new ArrayList(parts)
  const kept = Number(limit) - 1
  return new ArrayList([...parts.slice(0, kept), parts.slice(kept).join(separator)])
}

function join(list: CelList, separator: string): CelResult {
  const texts: string[] = []
  for (const element of list) {
    if (typeof element !== 'string') {
      const shown = element instanceof CelError ? element.message : printValue(element)
      return new CelError(`join: invalid input: ${shown}`)
    }
    texts.push(element)
  }
  return texts.join(separator)
}

const quotes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}

function quote(text: string): string {
  const body = text.replace(/[\u0007\b\f\n\r\t\v\\"]/g, (character) => quotes[character] ?? '')
  return `"${body}"`
}

/** The white space that Go trims. */
const space =
  '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+'
const leading = new RegExp(`^${space}`, 'u')
const trailing = new RegExp(`${space}$`, 'u')

/** The functions of strings. */
export const strings: readonly FunctionDeclaration[] = declare({
  contains: [
    [
      '.contains_string(string, string): bool',
      (text, part) => (text as string).includes(part as string),
    ],
  ],
  startsWith: [
    [
      '.starts_with_string(string, string): bool',
      (text, part) => (text as string).startsWith(part as string),
    ],
  ],
  endsWith: [
    [
      '.ends_with_string(string, string): bool',
      (text, part) => (text as string).endsWith(part as string),
    ],
  ],
  charAt: [
    [
      '.string_char_at_int(string, int): string',
      (text, at) => charAt(text as string, at as bigint),
    ],
  ],
  indexOf: [
    [
      '.string_index_of_string(string, string): int',
      (text, part) => indexOf(text as string, part as string, 0n),
    ],
    [
      '.string_index_of_string_int(string, string, int): int',
      (text, part, offset) => indexOf(text as string, part as string, offset as bigint),
    ],
  ],
  lastIndexOf: [
    [
      '.string_last_index_of_string(string, string): int',
      (text, part) => lastIndexOf(text as string, part as string),
    ],
    [
      '.string_last_index_of_string_int(string, string, int): int',
      (text, part, offset) => lastIndexOf(text as string, part as string, offset as bigint),
    ],
  ],
  lowerAscii: [
    [
      '.string_lower_ascii(string): string',
      (text) => (text as string).replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    ],
  ],
  upperAscii: [
    [
      '.string_upper_ascii(string): string',
      (text) => (text as string).replace(/[a-z]/g, (letter) => letter.toUpperCase()),
    ],
  ],
  replace: [
    ['.string_replace_string_string(string, string, string): string', replace],
    ['.string_replace_string_string_int(string, string, string, int): string', replace],
  ],
  split: [
    [
      '.string_split_string(string, string): list(string)',
      (text, separator) => split(text as string, separator as string, -1n),
    ],
    [
      '.string_split_string_int(string, string, int): list(string)',
      (text, separator, limit) => split(text as string, separator as string, limit as bigint),
    ],
  ],
  substring: [
    [
      '.string_substring_int(string, int): string',
      (text, start) => substring(text as string, start as bigint),
    ],
    [
      '.string_substring_int_int(string, int, int): string',
      (text, start, end) => substring(text as string, start as bigint, end as bigint),
    ],
  ],
  trim: [
    [
      '.string_trim(string): string',
      (text) => (text as string).replace(leading, '').replace(trailing, ''),
    ],
  ],
  format: [
    [
      '.string_format(string, list(dyn)): string',
      (text, args) => formatText(text as string, args as CelList),
    ],
  ],
  'strings.quote': [['strings_quote(string): string', (text) => quote(text as string)]],
  join: [
    ['.list_join(list(string)): string', (list) => join(list as CelList, '')],
    [
      '.list_join_string(list(string), string): string',
      (list, separator) => join(list as CelList, separator as string),
    ],
  ],
})
