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
const exprEnd = follow(["'?'"], true)
const orEnd = follow(["'||'"], true)
const andEnd = follow(["'&&'"], true)
const colonNext = follow(["':'"])
const commaNext = follow(["','"], true)
const closeNext = follow(["')'"])

/** Deeper expressions are refused. */
const depthMax = 250

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
  private readonly depths = new Map<number, number>()

  constructor(source: string, problems: SourceProblems, ids: NodeIds) {
    this.cursor = new TokenCursor(tokenize(source, problems), problems)
    this.problems = problems
    this.ids = ids
  }

  parse(): Expr {
    try {
      const expr = this.start()
      if ((this.depths.get(expr.id) ?? 0) > depthMax) {
        this.problems.reportNowhere('max recursion depth exceeded')
      }
      return expr
    } catch (error) {
      if (error instanceof ParserStopped) return this.broken()
      throw error
    }
  }

  private broken(): Expr {
    return { kind: 'broken', id: this.ids.next(this.cursor.peek().offset) }
  }

  /** Keeps how deep an expression nests; operators, selections and methods add a level. */
  private nest(expr: Expr, parts: readonly Expr[], levels = 1): Expr {
    let depth = 0
    for (const part of parts) depth = Math.max(depth, this.depths.get(part.id) ?? 0)
    if (depth + levels > 0) this.depths.set(expr.id, depth + levels)
    return expr
  }

  private fail(offset: number, message: string): Expr {
    this.problems.report(offset, message)
    return { kind: 'broken', id: this.ids.next(offset) }
  }

  private call(offset: number, name: string, args: readonly Expr[], target?: Expr): Expr {
    const expanded = expandMacro(this.ids, { offset, name, args, target })
    if (expanded !== undefined && 'problem' in expanded) {
      return this.fail(expanded.offset, expanded.problem)
    }
    const isFunction = target === undefined && /^\.?\w+$/.test(name)
    const parts = target === undefined ? args : [target, ...args]
    const levels = isFunction || name === '!_' || name === '-_' ? 0 : 1
    if (expanded !== undefined) return this.nest(expanded, parts, levels)
    const id = this.ids.next(offset)
    const call: Expr =
      target === undefined
        ? { kind: 'call', id, name, args }
        : { kind: 'call', id, name, args, target }
    return this.nest(call, parts, levels)
  }

  private start(): Expr {
    this.cursor.enter('start', anyEnd)
    let expr = this.broken()
    try {
      expr = this.expr(follow(['<EOF>']))
      this.cursor.match('<EOF>', anyEnd)
    } catch (error) {
      this.cursor.recoverFrom(error, 'start')
    } finally {
      this.cursor.leave('start')
    }
    return expr
  }

  private expr(after: Follow): Expr {
    this.cursor.enter('expr', after)
    try {
      const condition = this.logical('||', exprEnd)
      if (!this.cursor.isNext("'?'")) return condition
      const operator = this.cursor.match("'?'", start.expr)
      const yes = this.logical('||', colonNext)
      this.cursor.match("':'", start.expr)
      const no = this.expr(anyEnd)
      return this.call(operator.offset, '_?_:_', [condition, yes, no])
    } catch (error) {
      this.cursor.recoverFrom(error, 'expr')
      return this.broken()
    } finally {
      this.cursor.leave('expr')
    }
  }

  /** `conditionalOr` and `conditionalAnd`: terms with one operator, as a balanced tree. */
  private logical(operator: '||' | '&&', after: Follow): Expr {
    this.cursor.enter(operator, after)
    const kind: TokenKind = `'${operator}'`
    const isOr = operator === '||'
    try {
      const terms = [isOr ? this.logical('&&', orEnd) : this.binary('relation', 0, andEnd)]
      const offsets: number[] = []
      while (this.cursor.isNext(kind)) {
        offsets.push(this.cursor.match(kind, start.expr).offset)
        terms.push(isOr ? this.logical('&&', orEnd) : this.binary('relation', 0, andEnd))
      }
      return this.balanced(`_${operator}_`, terms, offsets)
    } catch (error) {
      this.cursor.recoverFrom(error, operator)
      return this.broken()
    } finally {
      this.cursor.leave(operator)
    }
  }

  private balanced(name: string, terms: readonly Expr[], offsets: readonly number[]): Expr {
    const build = (low: number, high: number): Expr => {
      const middle = Math.floor((low + high + 1) / 2)
      const left = middle === low ? terms[middle] : build(low, middle - 1)
      const right = middle === high ? terms[middle + 1] : build(middle + 1, high)
      const args = [left as Expr, right as Expr]
      return { kind: 'call', id: this.ids.next(offsets[middle] ?? 0), name, args }
    }
    if (offsets.length === 0) return terms[0] as Expr
    return this.nest(build(0, offsets.length - 1), terms, 0)
  }

  /** `relation` and `calc`: operands with operators of at least a precedence. */
  private binary(name: 'relation' | 'calc', precedence: number, after: Follow): Expr {
    this.cursor.enter(name, after)
    const isCalc = name === 'calc'
    try {
      let left = isCalc ? this.unary(calcEnd) : this.binary('calc', 0, relationEnd)
      for (;;) {
        const { kind } = this.cursor.peek()
        const found = isCalc ? calcPrecedence(kind) : Number(relations.includes(kind))
        if (found === 0 || found < precedence) return left
        const token = this.cursor.match(kind, start.expr)
        const right = this.binary(name, found + 1, isCalc ? calcEnd : relationEnd)
        left = this.call(token.offset, operatorName(token.text), [left, right])
      }
    } catch (error) {
      this.cursor.recoverFrom(error, name)
      return this.broken()
    } finally {
      this.cursor.leave(name)
    }
  }

  private unary(after: Follow): Expr {
    this.cursor.enter('unary', after)
    try {
      this.cursor.sync(start.expr)
      const first = this.cursor.peek()
      if (first.kind === "'!'") return this.prefixed(first, '!_')
      if (first.kind !== "'-'") return this.member(anyEnd)
      const second = this.cursor.peek(1)
      if (second.kind === 'NUM_INT' || second.kind === 'NUM_FLOAT') return this.member(anyEnd)
      if (!primaryStarts.includes(second.kind)) throw this.cursor.noViable(first, second)
      return this.prefixed(first, '-_')
    } catch (error) {
      this.cursor.recoverFrom(error, 'unary')
      return this.broken()
    } finally {
      this.cursor.leave('unary')
    }
  }

  private prefixed(first: Token, name: '!_' | '-_'): Expr {
    const kind: TokenKind = `'${name.slice(0, 1)}'` as TokenKind
    let count = 0
    do {
      this.cursor.match(kind, follow([...primaryStarts, kind]))
      count++
    } while (this.hasNextPrefix(kind))
    const operand = this.member(anyEnd)
    return count % 2 === 0 ? operand : this.call(first.offset, name, [operand])
  }

  /** Whether another operator follows; two tokens of `-` decide, because a number can begin so. */
  private hasNextPrefix(kind: TokenKind): boolean {
    this.cursor.syncLoop(follow([...primaryStarts, kind]))
    if (!this.cursor.isNext(kind)) return false
    const second = this.cursor.peek(1)
    if (kind === "'-'" && !primaryStarts.includes(second.kind)) {
      throw this.cursor.noViable(this.cursor.peek(), second)
    }
    return true
  }

  private member(after: Follow): Expr {
    this.cursor.enter('member', after)
    try {
      let left = this.primary(memberEnd)
      for (;;) {
        const token = this.cursor.peek()
        if (token.kind === "'['") left = this.index(left)
        else if (token.kind === "'.'") left = this.selectOrCall(left, token)
        else return left
      }
    } catch (error) {
      this.cursor.recoverFrom(error, 'member')
      return this.broken()
    } finally {
      this.cursor.leave('member')
    }
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
    const { offset } = this.cursor.peek()
    const field = this.fieldName(memberEnd)
    if (field === undefined) this.problems.report(offset, 'unsupported ident kind')
    if (field?.kind === 'ESC_IDENTIFIER') this.problems.report(offset, "unsupported syntax: '`'")
    const text = field?.kind === 'IDENTIFIER' ? field.text : ''
    if (!isOptional) {
      const id = this.ids.next(dot.offset)
      return this.nest({ kind: 'select', id, operand, field: text, isTest: false }, [operand])
    }
    const literal: Expr = { kind: 'literal', id: this.ids.next(offset), value: text }
    const args = [operand, literal]
    const call: Expr = { kind: 'call', id: this.ids.next(dot.offset), name: '_?._', args }
    return this.nest(call, [operand])
  }

  /** The rule `escapeIdent`. */
  private fieldName(after: Follow): Token | undefined {
    this.cursor.enter('escapeIdent', after)
    try {
      this.cursor.sync(follow(['IDENTIFIER', 'ESC_IDENTIFIER']))
      const kind = this.cursor.isNext('ESC_IDENTIFIER') ? 'ESC_IDENTIFIER' : 'IDENTIFIER'
      if (!this.cursor.isNext(kind)) {
        throw this.cursor.noViable(this.cursor.peek(), this.cursor.peek())
      }
      return this.cursor.match(kind, anyEnd)
    } catch (error) {
      this.cursor.recoverFrom(error, 'escapeIdent')
      return undefined
    } finally {
      this.cursor.leave('escapeIdent')
    }
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
    this.cursor.enter('exprList', after)
    try {
      args.push(this.expr(commaNext))
      while (this.cursor.isNext("','")) {
        this.cursor.match("','", start.expr)
        args.push(this.expr(commaNext))
      }
    } catch (error) {
      this.cursor.recoverFrom(error, 'exprList')
    } finally {
      this.cursor.leave('exprList')
    }
    return args
  }

  private primary(after: Follow): Expr {
    this.cursor.enter('primary', after)
    try {
      this.cursor.sync(start.primary)
      const token = this.cursor.peek()
      const { kind } = token
      if (!primaryStarts.includes(kind)) throw this.cursor.noViable(token, token)
      if (kind === "'['") return this.list()
      if (kind === "'{'") return this.map()
      if (kind === "'.'" || kind === 'IDENTIFIER') return this.named()
      if (kind !== "'('") return this.literal()
      this.cursor.match("'('", start.expr)
      const expr = this.expr(closeNext)
      this.cursor.match("')'", anyEnd)
      return expr
    } catch (error) {
      this.cursor.recoverFrom(error, 'primary')
      return this.broken()
    } finally {
      this.cursor.leave('primary')
    }
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
    const parts = fields.map(({ value }) => value)
    return this.nest({ kind: 'struct', id, typeName, fields }, parts, 0)
  }

  private fieldList(after: Follow): readonly StructField[] {
    const fields: StructField[] = []
    const first = this.cursor.peek()
    const field = (): void => {
      const isOptional = this.cursor.isNext("'?'")
      if (isOptional) this.cursor.match("'?'", follow(['IDENTIFIER', 'ESC_IDENTIFIER']))
      const name = this.fieldName(follow(["':'"]))
      const colon = this.cursor.match("':'", start.expr)
      const value = this.expr(commaNext)
      const id = this.ids.next(colon.offset)
      if (name === undefined) this.fail(first.offset, 'unsupported ident kind')
      else if (name.kind !== 'IDENTIFIER') this.fail(first.offset, "unsupported syntax: '`'")
      else fields.push({ id, name: name.text, value, isOptional })
    }
    this.cursor.enter('fieldInitializerList', after)
    try {
      field()
      while (this.hasNextItem(['IDENTIFIER', 'ESC_IDENTIFIER', "'?'"])) {
        this.cursor.match("','", follow(['IDENTIFIER', 'ESC_IDENTIFIER', "'?'"]))
        field()
      }
    } catch (error) {
      this.cursor.recoverFrom(error, 'fieldInitializerList')
    } finally {
      this.cursor.leave('fieldInitializerList')
    }
    return fields
  }

  /** Whether a comma begins another item; otherwise it is a trailing one. */
  private hasNextItem(starts: readonly TokenKind[]): boolean {
    return this.cursor.isNext("','") && starts.includes(this.cursor.peek(1).kind)
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
        const { expr, isOptional } = this.optExpr(commaNext)
        if (isOptional) optionals.add(elements.length)
        elements.push(expr)
      }
      this.items('listInit', element, "']'")
    }
    this.closing("']'")
    const list: ListExpr = { kind: 'list', id, elements, optionals }
    return this.nest(list, elements, 0)
  }

  private items(name: string, item: () => void, close: TokenKind): void {
    this.cursor.enter(name, follow(["','", close]))
    try {
      item()
      while (this.hasNextItem([...exprStarts, "'?'"])) {
        this.cursor.match("','", start.optExpr)
        item()
      }
    } catch (error) {
      this.cursor.recoverFrom(error, name)
    } finally {
      this.cursor.leave(name)
    }
  }

  private optExpr(after: Follow): { readonly expr: Expr; readonly isOptional: boolean } {
    this.cursor.enter('optExpr', after)
    try {
      this.cursor.sync(start.optExpr)
      const isOptional = this.cursor.isNext("'?'")
      if (isOptional) this.cursor.match("'?'", start.expr)
      return { expr: this.expr(anyEnd), isOptional }
    } catch (error) {
      this.cursor.recoverFrom(error, 'optExpr')
      return { expr: this.broken(), isOptional: false }
    } finally {
      this.cursor.leave('optExpr')
    }
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
        const value = this.expr(commaNext)
        entries.push({ id: entryId, key, value, isOptional })
      }
      this.items('mapInitializerList', entry, "'}'")
    }
    this.closing("'}'")
    const parts = entries.flatMap(({ key, value }) => [key, value])
    return this.nest({ kind: 'map', id, entries }, parts, 0)
  }

  private literal(): Expr {
    const first = this.cursor.peek()
    const second = this.cursor.peek(1)
    const hasSign = first.kind === "'-'"
    this.cursor.enter('literal', anyEnd)
    try {
      if (hasSign) {
        const isNumber = second.kind === 'NUM_INT' || second.kind === 'NUM_FLOAT'
        if (!isNumber) throw this.cursor.noViable(first, second)
        this.cursor.match("'-'", follow(['NUM_INT', 'NUM_FLOAT']))
      }
      const token = this.cursor.match(this.cursor.peek().kind, anyEnd)
      const literal = literalOf(token, hasSign)
      if (literal.error !== undefined) this.problems.report(first.offset, literal.error)
      return { kind: 'literal', id: this.ids.next(first.offset), value: literal.value ?? null }
    } catch (error) {
      this.cursor.recoverFrom(error, 'literal')
      return this.broken()
    } finally {
      this.cursor.leave('literal')
    }
  }
}

function calcPrecedence(kind: TokenKind): number {
  if (products.includes(kind)) return 2
  return Number(sums.includes(kind))
}

function operatorName(text: string): string {
  return text === 'in' ? '@in' : `_${text}_`
}
