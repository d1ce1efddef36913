/** The kinds of tokens, in the order in which cel-go lists them in "expecting {...}". */

/** The texts that messages use for kinds of tokens. */
export const tokenNames = [
  '<EOF>',
  "'=='",
  "'!='",
  "'in'",
  "'<'",
  "'<='",
  "'>='",
  "'>'",
  "'&&'",
  "'||'",
  "'['",
  "']'",
  "'{'",
  "'}'",
  "'('",
  "')'",
  "'.'",
  "','",
  "'-'",
  "'!'",
  "'?'",
  "':'",
  "'+'",
  "'*'",
  "'/'",
  "'%'",
  "'true'",
  "'false'",
  "'null'",
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  'ESC_IDENTIFIER',
] as const

/** A kind of token: its text in messages. */
export type TokenKind = (typeof tokenNames)[number]

/** A token of the source. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly offset: number
}

const order = new Map<TokenKind, number>(tokenNames.map((name, index) => [name, index]))

/** Prints a set of kinds as `'a'` or `{'a', 'b'}`. */
export function printKinds(kinds: ReadonlySet<TokenKind>): string {
  const sorted = [...kinds].sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))
  return sorted.length === 1 ? (sorted[0] ?? '') : `{${sorted.join(', ')}}`
}
