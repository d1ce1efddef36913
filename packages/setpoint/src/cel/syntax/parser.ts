/**
 * Parses an expression. Each method is a rule of CEL's grammar and recovers from syntax errors as
 * cel-go's generated parser does, so that the messages are the same.
 */
import {
  type Expr,
  type ListExpr,
  type MapEntry,
  type NodeIds,
  NodeIds as Ids,
  type StructField,
} from './ast.ts'
import { tokenize } from './lexer.ts'
import { literalOf } from './literals.ts'
import { expandMacro } from './macros.ts'
import { SourceProblems } from './source-problems.ts'
import { follow, ParserStopped, TokenCursor, type Follow } from './token-cursor.ts'
import type { Token, TokenKind } from './tokens.ts'

/** A parsed expression: the tree, or the errors. */
export interface ParsedSource {
  readonly expr: Expr
  readonly ids: NodeIds
  readonly problems: SourceProblems
}

/** A longer expression is refused. */
const sourceLengthMax = 100_000

const reserved = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
)

const relations: readonly TokenKind[] = ["'<'", "'<='", "'>='", "'>'", "'=='", "'!='", "'in'"]
const products: readonly TokenKind[] = ["'*'", "'/'", "'%'"]
const sums: readonly TokenKind[] = ["'+'", "'-'"]
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
const primaryStarts: readonly TokenKind[] = [
  "'.'",
  'IDENTIFIER',
  "'('",
  "'['",
  "'{'",
  ...literals,
]
const exprStarts: readonly TokenKind[] = [...primaryStarts, "'!'"]

const start = {
  primary: follow(primaryStarts),
  expr: follow(exprStarts),
  optExpr: follow([...exprStarts, "'?'"]),
  identifier: follow(['IDENTIFIER']),
}
const anyEnd = follow([], true)
const memberEnd = follow(["'.'", "'['"], true)
const calcEnd = follow([...products, ...sums], true)
const relationEnd = follow(relations, true)

/** Parses an expression and expands its macros. */
export function parseExpression(source: string): ParsedSource {
  const problems = new SourceProblems(source)
  const ids = new Ids()
  const length = Array.from(source).length
  if (length > sourceLengthMax) {
    problems.reportNowhere(
      `expression code point size exceeds limit: size: ${length}, limit ${sourceLengthMax}`,
    )
    return { expr: { kind: 'broken', id: 0 }, ids, problems }
  }
  const expr = new Parser(source, problems, ids).parse()
  return { expr, ids, problems }
}

class Parser {
  private readonly cursor: TokenCursor
  private readonly problems: SourceProblems
  private readonly ids: NodeIds

  constructor(source: string, problems: SourceProblems, ids: NodeIds) {
    this.cursor = new TokenCursor(tokenize(source, problems), problems)
    this.problems = problems
    this.ids = ids
  }

  parse(): Expr {
    try {
      return this.cursor.rule('start:0', anyEnd, () => this.start(), this.broken)
    } catch (error) {
      if (error instanceof ParserStopped) return this.broken()
      throw error
    }
  }

  private readonly broken = (): Expr => ({
    kind: 'broken',
    id: this.ids.next(this.cursor.peek().offset),
  })

  private fail(offset: number, message: string): Expr {
    this.problems.report(offset, message)
    return { kind: 'broken', id: this.ids.next(offset) }
  }

  private call(offset: number, name: string, args: readonly Expr[], target?: Expr): Expr {
    const expanded = expandMacro(this.ids, { offset, name, args, target })
    if (expanded === undefined) {
      const id = this.ids.next(offset)
      return target === undefined
        ? { kind: 'call', id, name, args }
        : { kind: 'call', id, name, args, target }
    }
    return 'problem' in expanded ? this.fail(expanded.offset, expanded.problem) : expanded
  }

  private start(): Expr {
    const expr = this.expr(follow(['<EOF>']))
    this.cursor.match('<EOF>', anyEnd)
    return expr
  }

  private expr(after: Follow): Expr {
    return this.cursor.rule('expr:0', after, () => this.exprBody(), this.broken)
  }

  private exprBody(): Expr {
    const condition = this.logical('||', follow(["'?'"], true))
    if (!this.cursor.isNext("'?'")) return condition
    const operator = this.cursor.match("'?'", start.expr)
    const yes = this.logical('||', follow(["':'"]))
    this.cursor.match("':'", start.expr)
    const no = this.expr(anyEnd)
    return this.call(operator.offset, '_?_:_', [condition, yes, no])
  }

  /** `conditionalOr` and `conditionalAnd`: terms with one operator, as a balanced tree. */
  private logical(operator: '||' | '&&', after: Follow): Expr {
    const kind: TokenKind = `'${operator}'`
    const term = (): Expr =>
      operator === '||'
        ? this.logical('&&', follow([kind], true))
        : this.relation(0, follow([kind], true))
    const body = (): Expr => {
      const terms = [term()]
      const offsets: number[] = []
      while (this.cursor.isNext(kind)) {
        offsets.push(this.cursor.match(kind, start.expr).offset)
        terms.push(term())
      }
      return this.balanced(`_${operator}_`, terms, offsets)
    }
    return this.cursor.rule(`${operator}:0`, after, body, this.broken)
  }

  private balanced(name: string, terms: readonly Expr[], offsets: readonly number[]): Expr {
    const build = (low: number, high: number): Expr => {
      const middle = Math.floor((low + high + 1) / 2)
      const left = middle === low ? terms[middle] : build(low, middle - 1)
      const right = middle === high ? terms[middle + 1] : build(middle + 1, high)
      const args = [left as Expr, right as Expr]
      return { kind: 'call', id: this.ids.next(offsets[middle] ?? 0), name, args }
    }
    return offsets.length === 0 ? (terms[0] as Expr) : build(0, offsets.length - 1)
  }

  private relation(precedence: number, after: Follow): Expr {
    return this.leftRecursive('relation', after, () => this.calc(0, relationEnd), [
      { kinds: relations, precedence: 1, right: () => this.relation(2, relationEnd) },
    ], precedence)
  }

  private calc(precedence: number, after: Follow): Expr {
    return this.leftRecursive('calc', after, () => this.unary(calcEnd), [
      { kinds: products, precedence: 2, right: () => this.calc(3, calcEnd) },
      { kinds: sums, precedence: 1, right: () => this.calc(2, calcEnd) },
    ], precedence)
  }

  /** A rule `x: operand | x operator x`, with operators of at least `precedence`. */
  private leftRecursive(
    name: string,
    after: Follow,
    operand: () => Expr,
    operators: readonly {
      readonly kinds: readonly TokenKind[]
      readonly precedence: number
      readonly right: () => Expr
    }[],
    precedence: number,
  ): Expr {
    const body = (): Expr => {
      let left = operand()
      let levels = 0
      for (;;) {
        const { kind } = this.cursor.peek()
        const found = operators.find(
          (operator) => operator.precedence > precedence - 1 && operator.kinds.includes(kind),
        )
        if (found === undefined) break
        this.cursor.deepen(name)
        levels++
        const token = this.cursor.match(kind, start.expr)
        const right = found.right()
        left = this.call(token.offset, operatorName(token.text), [left, right])
      }
      this.cursor.undeepen(name, levels)
      return left
    }
    return this.cursor.rule(`${name}:0`, after, body, this.broken)
  }

  private unary(after: Follow): Expr {
    const body = (): Expr => {
      this.cursor.sync(start.expr)
      const first = this.cursor.peek()
      if (first.kind === "'!'") return this.prefixed(first, '!_')
      if (first.kind !== "'-'") return this.member(anyEnd)
      const second = this.cursor.peek(1)
      if (second.kind === 'NUM_INT' || second.kind === 'NUM_FLOAT') return this.member(anyEnd)
      if (!primaryStarts.includes(second.kind)) throw this.cursor.noViable(first, second)
      return this.prefixed(first, '-_')
    }
    return this.cursor.rule('unary:0', after, body, this.broken)
  }

  private prefixed(first: Token, name: '!_' | '-_'): Expr {
    const kind: TokenKind = `'${name.slice(0, 1)}'` as TokenKind
    let count = 0
    do {
      this.cursor.match(kind, follow([...primaryStarts, kind]))
      count++
    } while (this.cursor.isNext(kind))
    const operand = this.member(anyEnd)
    return count % 2 === 0 ? operand : this.call(first.offset, name, [operand])
  }

  private member(after: Follow): Expr {
    const body = (): Expr => {
      let left = this.primary(memberEnd)
      let levels = 0
      for (;;) {
        const token = this.cursor.peek()
        if (token.kind === "'['") left = this.index(left)
        else if (token.kind === "'.'") left = this.selectOrCall(left, token)
        else break
        this.cursor.deepen('member')
        levels++
      }
      this.cursor.undeepen('member', levels)
      return left
    }
    return this.cursor.rule('member:0', after, body, this.broken)
  }

  private index(operand: Expr): Expr {
    const open = this.cursor.match("'['", start.optExpr)
    this.cursor.sync(start.optExpr)
    const isOptional = this.cursor.isNext("'?'")
    if (isOptional) this.cursor.match("'?'", start.expr)
    const index = this.expr(follow(["']'"]))
    this.cursor.match("']'", memberEnd)
    return this.call(open.offset, isOptional ? '_[?_]' : '_[_]', [operand, index])
  }

  private selectOrCall(operand: Expr, dot: Token): Expr {
    const name = this.cursor.peek(1)
    if (name.kind !== 'IDENTIFIER' && name.kind !== "'?'" && name.kind !== 'ESC_IDENTIFIER') {
      throw this.cursor.noViable(dot, name)
    }
    const isCall = name.kind === 'IDENTIFIER' && this.cursor.peek(2).kind === "'('"
    this.cursor.match("'.'", follow(['IDENTIFIER', 'ESC_IDENTIFIER', "'?'"]))
    if (isCall) {
      this.cursor.match('IDENTIFIER', follow(["'('"]))
      const { open, args } = this.argumentList()
      return this.call(open.offset, name.text, args, operand)
    }
    const isOptional = this.cursor.isNext("'?'")
    if (isOptional) this.cursor.match("'?'", follow(['IDENTIFIER', 'ESC_IDENTIFIER']))
    const field = this.fieldName(memberEnd)
    if (field === undefined) return this.broken()
    if (field.kind === 'ESC_IDENTIFIER') {
      return this.fail(dot.offset, "unsupported syntax: '`'")
    }
    if (!isOptional) {
      const id = this.ids.next(dot.offset)
      return { kind: 'select', id, operand, field: field.text, isTest: false }
    }
    const literal: Expr = { kind: 'literal', id: this.ids.next(field.offset), value: field.text }
    return { kind: 'call', id: this.ids.next(dot.offset), name: '_?._', args: [operand, literal] }
  }

  /** The rule `escapeIdent`. */
  private fieldName(after: Follow): Token | undefined {
    const expected = follow(['IDENTIFIER', 'ESC_IDENTIFIER'])
    const body = (): Token | undefined => {
      this.cursor.sync(expected)
      const kind = this.cursor.isNext('ESC_IDENTIFIER') ? 'ESC_IDENTIFIER' : 'IDENTIFIER'
      if (!this.cursor.isNext(kind)) {
        throw this.cursor.noViable(this.cursor.peek(), this.cursor.peek())
      }
      return this.cursor.match(kind, anyEnd)
    }
    return this.cursor.rule('escapeIdent:0', after, body, () => undefined)
  }

  private argumentList(): { readonly open: Token; readonly args: readonly Expr[] } {
    const open = this.cursor.match("'('", follow([...exprStarts, "')'"]))
    this.cursor.sync(follow([...exprStarts, "')'"]))
    const args = exprStarts.includes(this.cursor.peek().kind)
      ? this.exprList(follow(["')'"]))
      : []
    this.cursor.match("')'", memberEnd)
    return { open, args }
  }

  private exprList(after: Follow): readonly Expr[] {
    const args: Expr[] = []
    const body = (): readonly Expr[] => {
      args.push(this.expr(follow(["','"], true)))
      while (this.cursor.isNext("','")) {
        this.cursor.match("','", start.expr)
        args.push(this.expr(follow(["','"], true)))
      }
      return args
    }
    return this.cursor.rule('exprList:0', after, body, () => args)
  }

  private primary(after: Follow): Expr {
    const body = (): Expr => {
      this.cursor.sync(start.primary)
      const { kind } = this.cursor.peek()
      if (kind === "'('") return this.nested()
      if (kind === "'['") return this.list()
      if (kind === "'{'") return this.map()
      if (kind === "'.'" || kind === 'IDENTIFIER') return this.named()
      return this.literal()
    }
    return this.cursor.rule('primary:0', after, body, this.broken)
  }

  private nested(): Expr {
    this.cursor.match("'('", start.expr)
    const expr = this.expr(follow(["')'"]))
    this.cursor.match("')'", anyEnd)
    return expr
  }

  /** A name, a call of a function, or an object literal. */
  private named(): Expr {
    const first = this.cursor.peek()
    const hasDot = first.kind === "'.'"
    const name = this.cursor.peek(hasDot ? 1 : 0)
    if (name.kind !== 'IDENTIFIER') throw this.cursor.noViable(first, name)
    if (this.isObjectLiteral(hasDot ? 1 : 0)) return this.object()
    if (hasDot) this.cursor.match("'.'", start.identifier)
    this.cursor.match('IDENTIFIER', anyEnd)
    const isCall = this.cursor.isNext("'('")
    const call = isCall ? this.argumentList() : undefined
    if (reserved.has(name.text)) {
      return this.fail(first.offset, `reserved identifier: ${name.text}`)
    }
    const text = `${hasDot ? '.' : ''}${name.text}`
    if (call !== undefined) return this.call(call.open.offset, text, call.args)
    return { kind: 'ident', id: this.ids.next(name.offset), name: text }
  }

  private isObjectLiteral(from: number): boolean {
    let at = from + 1
    while (this.cursor.peek(at).kind === "'.'" && this.cursor.peek(at + 1).kind === 'IDENTIFIER') {
      at += 2
    }
    return this.cursor.peek(at).kind === "'{'"
  }

  private object(): Expr {
    let typeName = ''
    if (this.cursor.isNext("'.'")) typeName += this.cursor.match("'.'", start.identifier).text
    typeName += this.cursor.match('IDENTIFIER', follow(["'.'", "'{'"])).text
    while (this.cursor.isNext("'.'")) {
      this.cursor.match("'.'", start.identifier)
      typeName += `.${this.cursor.match('IDENTIFIER', follow(["'.'", "'{'"])).text}`
    }
    const starts: readonly TokenKind[] = ['IDENTIFIER', 'ESC_IDENTIFIER', "'?'"]
    const open = this.cursor.match("'{'", follow([...starts, "','", "'}'"]))
    this.cursor.sync(follow([...starts, "','", "'}'"]))
    const id = this.ids.next(open.offset)
    const fields = starts.includes(this.cursor.peek().kind)
      ? this.fieldList(follow(["','", "'}'"]))
      : []
    this.closing("'}'")
    return { kind: 'struct', id, typeName, fields }
  }

  private fieldList(after: Follow): readonly StructField[] {
    const fields: StructField[] = []
    const field = (): void => {
      const isOptional = this.cursor.isNext("'?'")
      if (isOptional) this.cursor.match("'?'", follow(['IDENTIFIER', 'ESC_IDENTIFIER']))
      const name = this.fieldName(follow(["':'"]))
      const colon = this.cursor.match("':'", start.expr)
      const value = this.expr(follow(["','"], true))
      const id = this.ids.next(colon.offset)
      if (name?.kind === 'ESC_IDENTIFIER') this.fail(name.offset, "unsupported syntax: '`'")
      else fields.push({ id, name: name?.text ?? '', value, isOptional })
    }
    const body = (): readonly StructField[] => {
      field()
      while (this.hasNextItem(['IDENTIFIER', 'ESC_IDENTIFIER', "'?'"], "'}'")) {
        this.cursor.match("','", follow(['IDENTIFIER', 'ESC_IDENTIFIER', "'?'"]))
        field()
      }
      return fields
    }
    return this.cursor.rule('fieldInitializerList:0', after, body, () => fields)
  }

  /** Whether a comma begins another item; otherwise it is a trailing one. */
  private hasNextItem(starts: readonly TokenKind[], close: TokenKind): boolean {
    if (!this.cursor.isNext("','")) return false
    const second = this.cursor.peek(1)
    if (starts.includes(second.kind)) return true
    if (second.kind === close) return false
    throw this.cursor.noViable(this.cursor.peek(), second)
  }

  /** The rest of a literal: an optional comma and the closing bracket. */
  private closing(close: TokenKind): void {
    this.cursor.sync(follow(["','", close]))
    if (this.cursor.isNext("','")) this.cursor.match("','", follow([close]))
    this.cursor.match(close, anyEnd)
  }

  private list(): Expr {
    const open = this.cursor.match("'['", follow([...exprStarts, "'?'", "','", "']'"]))
    const id = this.ids.next(open.offset)
    this.cursor.sync(follow([...exprStarts, "'?'", "','", "']'"]))
    const elements: Expr[] = []
    const optionals = new Set<number>()
    if (start.optExpr.kinds.has(this.cursor.peek().kind)) {
      const element = (): void => {
        const { expr, isOptional } = this.optExpr(follow(["','"], true))
        if (isOptional) optionals.add(elements.length)
        elements.push(expr)
      }
      this.items('listInit:0', element, "']'")
    }
    this.closing("']'")
    const list: ListExpr = { kind: 'list', id, elements, optionals }
    return list
  }

  private items(site: string, item: () => void, close: TokenKind): void {
    const body = (): void => {
      item()
      while (this.hasNextItem([...exprStarts, "'?'"], close)) {
        this.cursor.match("','", start.optExpr)
        item()
      }
    }
    this.cursor.rule(site, follow(["','", close]), body, () => undefined)
  }

  private optExpr(after: Follow): { readonly expr: Expr; readonly isOptional: boolean } {
    const body = (): { readonly expr: Expr; readonly isOptional: boolean } => {
      this.cursor.sync(start.optExpr)
      const isOptional = this.cursor.isNext("'?'")
      if (isOptional) this.cursor.match("'?'", start.expr)
      return { expr: this.expr(anyEnd), isOptional }
    }
    const broken = () => ({ expr: this.broken(), isOptional: false })
    return this.cursor.rule('optExpr:0', after, body, broken)
  }

  private map(): Expr {
    const open = this.cursor.match("'{'", follow([...exprStarts, "'?'", "','", "'}'"]))
    const id = this.ids.next(open.offset)
    this.cursor.sync(follow([...exprStarts, "'?'", "','", "'}'"]))
    const entries: MapEntry[] = []
    if (start.optExpr.kinds.has(this.cursor.peek().kind)) {
      const entry = (): void => {
        const { expr: key, isOptional } = this.optExpr(follow(["':'"]))
        const colon = this.cursor.match("':'", start.expr)
        const entryId = this.ids.next(colon.offset)
        const value = this.expr(follow(["','"], true))
        entries.push({ id: entryId, key, value, isOptional })
      }
      this.items('mapInitializerList:0', entry, "'}'")
    }
    this.closing("'}'")
    return { kind: 'map', id, entries }
  }

  private literal(): Expr {
    const first = this.cursor.peek()
    const body = (): Expr => {
      this.cursor.sync(follow(literals))
      const hasSign = this.cursor.isNext("'-'")
      if (hasSign) this.cursor.match("'-'", follow(['NUM_INT', 'NUM_FLOAT']))
      const token = this.cursor.match(this.cursor.peek().kind, anyEnd)
      const literal = literalOf(token, hasSign)
      if (literal.error !== undefined) this.problems.report(first.offset, literal.error)
      return { kind: 'literal', id: this.ids.next(first.offset), value: literal.value ?? null }
    }
    return this.cursor.rule('literal:0', anyEnd, body, this.broken)
  }
}

function operatorName(text: string): string {
  return text === 'in' ? '@in' : `_${text}_`
}
