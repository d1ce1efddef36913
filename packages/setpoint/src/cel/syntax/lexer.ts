/** Splits a source into tokens, as the lexer that ANTLR generates from the grammar of CEL. */
import type { SourceProblems } from './source-problems.ts'
import { tokenNames, type Token, type TokenKind } from './tokens.ts'

const escape = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`
const string = [
  String.raw`"""(?:${escape}|[^\\])*?"""`,
  String.raw`'''(?:${escape}|[^\\])*?'''`,
  String.raw`"(?:${escape}|[^\\"\n\r])*"`,
  String.raw`'(?:${escape}|[^\\'\n\r])*'`,
  String.raw`[rR]"""[^]*?"""`,
  String.raw`[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
].join('|')

const operators = tokenNames
  .filter((name) => name.startsWith("'") && !/^'\w/.test(name))
  .map((name) => name.slice(1, -1))
  .sort((one, other) => other.length - one.length)

/** The patterns of the tokens; the longest match wins, and the first of equally long ones. */
const patterns: readonly (readonly [kind: TokenKind | 'hidden', pattern: RegExp])[] = [
  ['hidden', /[\t \r\n\f]+|\/\/[^\n]*/uy],
  ['NUM_FLOAT', /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/uy],
  ['NUM_UINT', /0x[0-9a-fA-F]+[uU]|\d+[uU]/uy],
  ['NUM_INT', /0x[0-9a-fA-F]+|\d+/uy],
  ['STRING', new RegExp(string, 'uy')],
  ['BYTES', new RegExp(`[bB](?:${string})`, 'uy')],
  ['IDENTIFIER', /[A-Za-z_][A-Za-z0-9_]*/uy],
  ['ESC_IDENTIFIER', /`[A-Za-z0-9_.\-/ ]+`/uy],
]

const words = new Map<string, TokenKind>(
  (["'in'", "'true'", "'false'", "'null'"] as const).map((name) => [name.slice(1, -1), name]),
)

/** The tokens of a source, and the places of characters that belong to none. */
export interface TokenizedSource {
  /** The last one is `<EOF>`. */
  readonly tokens: readonly Token[]
  readonly gaps: readonly { readonly start: number; readonly end: number }[]
}

/** Splits the source. Unknown characters are reported and skipped. */
export function tokenize(source: string, problems: SourceProblems): TokenizedSource {
  const tokens: Token[] = []
  const gaps: { start: number; end: number }[] = []
  let offset = 0
  while (offset < source.length) {
    const found = longestToken(source, offset)
    if (found === undefined) {
      const end = endOfUnknown(source, offset)
      const text = source.slice(offset, end)
      problems.report(offset, `Syntax error: token recognition error at: '${text}'`)
      gaps.push({ start: offset, end })
      offset = end
      continue
    }
    if (found.kind !== 'hidden') tokens.push({ kind: found.kind, text: found.text, offset })
    offset += found.text.length
  }
  tokens.push({ kind: '<EOF>', text: '<EOF>', offset: source.length })
  return { tokens, gaps }
}

function longestToken(
  source: string,
  offset: number,
): { readonly kind: TokenKind | 'hidden'; readonly text: string } | undefined {
  const operator = operators.find((text) => source.startsWith(text, offset))
  let best: { kind: TokenKind | 'hidden'; text: string } | undefined
  if (operator !== undefined) best = { kind: `'${operator}'` as TokenKind, text: operator }
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = offset
    const text = pattern.exec(source)?.[0]
    if (text === undefined || text.length <= (best?.text.length ?? 0)) continue
    best = { kind: kind === 'IDENTIFIER' ? (words.get(text) ?? kind) : kind, text }
  }
  return best
}

/** Matches as much as could still become a token. */
const beginnings: readonly RegExp[] = [
  new RegExp(String.raw`"(?:${escape}|[^\\"\n\r])*`, 'uy'),
  new RegExp(String.raw`'(?:${escape}|[^\\'\n\r])*`, 'uy'),
  /`[A-Za-z0-9_.\-/ ]*/uy,
  /[&|=]/uy,
]

/** An escape that the lexer follows until it breaks. */
const brokenEscape = /\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?/uy

/** The end of a text that does not count as a token: the first character that cannot continue one. */
function endOfUnknown(source: string, offset: number): number {
  let end = offset
  for (const beginning of beginnings) {
    beginning.lastIndex = offset
    const text = beginning.exec(source)?.[0]
    if (text !== undefined) end = Math.max(end, offset + text.length)
  }
  const quote = source[offset]
  if ((quote === '"' || quote === "'") && source[end] === '\\') {
    brokenEscape.lastIndex = end
    end += brokenEscape.exec(source)?.[0].length ?? 0
  }
  const width = (source.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return Math.min(source.length, end + width)
}
