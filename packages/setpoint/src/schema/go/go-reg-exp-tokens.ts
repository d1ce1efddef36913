/** The tokens of a Go regular expression, and the error with the token that Go reports. */

/** Thrown inside the parser only; `toGoRegExp` returns it as a value. */
export class GoRegExpProblem extends Error {
  /** Why the dialect does not support it, or what is wrong. */
  readonly reason: string

  constructor(code: string, text: string) {
    super(`error parsing regexp: ${code}: \`${text}\``)
    this.reason = reasonFor(code, text)
  }
}

const missing = ' do not exist in RE2, the dialect of Kubernetes'

function reasonFor(code: string, text: string): string {
  if (/^\(\?<?[=!]/.test(text)) {
    return `lookahead and lookbehind (${text.slice(0, text.startsWith('(?<') ? 4 : 3)})${missing}`
  }
  if (/^\\[1-9k]/.test(text)) return `backreferences (${text})${missing}`
  if (text.startsWith('(?>')) return `atomic groups (?>...)${missing}`
  if (/^\\u/.test(text)) return 'RE2 writes code points as \\x{41}, not as \\u0041'
  if (/^\\Z/.test(text)) return 'RE2 writes the end of the text as \\z, not as \\Z'
  if (code === 'invalid nested repetition operator') {
    return `RE2 has no possessive or stacked repetition (${text})`
  }
  return `RE2, the dialect of Kubernetes, cannot read ${text === '' ? 'the end of the pattern' : text}: ${code}`
}

/** A repetition operator: its JavaScript form and its length in the pattern. */
interface Repeat {
  readonly source: string
  readonly length: number
  readonly isCounted: boolean
  readonly min: number
  readonly max: number | undefined
}

/** Reads a repetition operator; a `{` that does not start one is an ordinary character. */
export function readRepeat(pattern: string, index: number): Repeat | undefined {
  const character = pattern.charAt(index)
  if (character === '*') return { source: '*', length: 1, isCounted: false, min: 0, max: undefined }
  if (character === '+') return { source: '+', length: 1, isCounted: false, min: 1, max: undefined }
  if (character === '?') return { source: '?', length: 1, isCounted: false, min: 0, max: 1 }
  const match = /^\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}/.exec(pattern.slice(index))
  if (match === null) return undefined
  const [source, low, comma, high] = match
  const min = Number(low)
  const max = comma === undefined ? min : high === undefined ? undefined : Number(high)
  return { source, length: source.length, isCounted: true, min, max }
}

const controlEscapes: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }

/** Reads `\n`, `\x41`, `\x{1F600}`, `\101` or an escaped punctuation character. */
export function readEscape(
  pattern: string,
  index: number,
): { readonly codePoint: number; readonly length: number } {
  const rest = pattern.slice(index)
  if (rest.length === 1) throw new GoRegExpProblem('trailing backslash at end of expression', '')
  const octal = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest)
  if (octal !== null) return { codePoint: parseInt(octal[1] ?? '', 8), length: octal[0].length }
  const hex = /^\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})/.exec(rest)
  if (hex !== null) {
    const codePoint = parseInt(hex[1] ?? hex[2] ?? '', 16)
    if (codePoint <= 0x10ffff) return { codePoint, length: hex[0].length }
  }
  const character = rest.charAt(1)
  const control = Object.hasOwn(controlEscapes, character) ? controlEscapes[character] : undefined
  if (control !== undefined) return { codePoint: control, length: 2 }
  if (/^[\0-\x7f]$/.test(character) && !/[0-9A-Za-z]/.test(character)) {
    return { codePoint: character.charCodeAt(0), length: 2 }
  }
  throw new GoRegExpProblem('invalid escape sequence', unreadEscape(rest))
}

/** The part of a bad escape that Go quotes: what it had consumed. */
function unreadEscape(rest: string): string {
  if (!rest.startsWith('\\x')) return /^\\./su.exec(rest)?.[0] ?? rest
  if (!rest.startsWith('\\x{')) return /^\\x.{0,2}/su.exec(rest)?.[0] ?? rest
  const digits = /^\\x\{([0-9A-Fa-f]*)/.exec(rest)?.[1] ?? ''
  const tooBig = [...digits].findIndex((_, i) => parseInt(digits.slice(0, i + 1), 16) > 0x10ffff)
  const consumed = tooBig === -1 ? digits.length + 1 : tooBig + 1
  return rest.slice(0, 3 + consumed)
}
