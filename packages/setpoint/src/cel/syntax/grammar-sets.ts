/** Sets of tokens that the grammar of CEL expects. */
import { follow } from './token-cursor.ts'
import type { TokenKind } from './tokens.ts'

/** The operators of `relation`. */
export const relations: readonly TokenKind[] = [
  "'<'",
  "'<='",
  "'>='",
  "'>'",
  "'=='",
  "'!='",
  "'in'",
]
/** The operators of `calc` that bind stronger. */
export const products: readonly TokenKind[] = ["'*'", "'/'", "'%'"]
/** The operators of `calc` that bind weaker. */
export const sums: readonly TokenKind[] = ["'+'", "'-'"]
const literals: readonly TokenKind[] = [
  "'-'",
  'NUM_INT',
  'NUM_UINT',
  'NUM_FLOAT',
  'STRING',
  'BYTES',
  "'true'",
  "'false'",
  "'null'",
]
/** The tokens with which `primary` begins. */
export const primaryStarts: readonly TokenKind[] = [
  "'.'",
  'IDENTIFIER',
  "'('",
  "'['",
  "'{'",
  ...literals,
]
/** The tokens with which an expression begins. */
export const exprStarts: readonly TokenKind[] = [...primaryStarts, "'!'"]

/** What can begin a rule. */
export const start = {
  primary: follow(primaryStarts),
  expr: follow(exprStarts),
  optExpr: follow([...exprStarts, "'?'"]),
  identifier: follow(['IDENTIFIER']),
}
/** What can follow a rule, by its name. */
export const anyEnd = follow([], true)
export const memberEnd = follow(["'.'", "'['"], true)
export const calcEnd = follow([...products, ...sums], true)
export const relationEnd = follow(relations, true)
export const exprEnd = follow(["'?'"], true)
export const orEnd = follow(["'||'"], true)
export const andEnd = follow(["'&&'"], true)
export const colonNext = follow(["':'"])
export const commaNext = follow(["','"], true)
export const closeNext = follow(["')'"])
