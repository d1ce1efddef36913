import { resolvePlainScalar } from './yaml-scalar.ts'

/** The possible styles of a string in YAML, by the rules of libyaml's emitter. */
interface ScalarAnalysis {
  readonly plainAllowed: boolean
  readonly singleQuotedAllowed: boolean
  readonly blockAllowed: boolean
}

const firstIndicators = '#,[]{}&*!|>\'"%@`'
const sexagesimal = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/
const timestamp = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt ])/
const special = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/

/** Whether an unquoted string is parsed as a string, rather than as a number, a word or a time. */
export function readsAsText(text: string): boolean {
  if (sexagesimal.test(text) || timestamp.test(text)) return false
  try {
    return resolvePlainScalar(text) === text
  } catch {
    return false
  }
}

/** libyaml's analysis of a scalar in block context. */
export function analyzeScalar(text: string): ScalarAnalysis {
  const startsOdd = /^[ \n]/.test(text)
  const endsOdd = /[ \n]$/.test(text)
  const isSpecial = special.test(text)
  const hasSpaceBreak = text.includes(' \n')
  const hasBreakSpace = text.includes('\n ')
  return {
    plainAllowed:
      !startsOdd && !endsOdd && !isSpecial && !text.includes('\n') && !hasIndicators(text),
    singleQuotedAllowed: !isSpecial && !hasSpaceBreak && !hasBreakSpace,
    blockAllowed: text !== '' && !isSpecial && !hasSpaceBreak && !text.endsWith(' '),
  }
}

function hasIndicators(text: string): boolean {
  if (text.startsWith('---') || text.startsWith('...')) return true
  if (text !== '' && firstIndicators.includes(text.charAt(0))) return true
  return /^[-?](?:\s|$)/.test(text) || /:(?:\s|$)/.test(text) || /\s#/.test(text)
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u00a0': '\\_',
  '\u2028': '\\L',
  '\u2029': '\\P',
}

/** One character inside double quotes. */
export function escapeYamlCharacter(char: string): string {
  const short = Object.hasOwn(shortEscapes, char) ? shortEscapes[char] : undefined
  if (short !== undefined && (char < ' ' || '"\\\u0085\u2028\u2029'.includes(char))) return short
  const code = char.codePointAt(0) ?? 0
  if (code <= 0xffff && !special.test(char)) return char
  const hex = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
