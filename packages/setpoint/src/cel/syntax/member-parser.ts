import type { Expr, ListExpr, MapEntry, StructField } from './ast.ts'
import {
  anyEnd,
  closeNext,
  commaNext,
  exprStarts,
  memberEnd,
  primaryStarts,
  start,
} from './grammar-sets.ts'
import { literalOf } from './literals.ts'
import { NodeBuilder } from './node-builder.ts'
import { follow, type Follow } from './token-cursor.ts'
import type { Token, TokenKind } from './tokens.ts'

const reserved = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
)

/** Parses operands: names, calls, literals, and what follows a dot or a bracket. */
export abstract class MemberParser extends NodeBuilder {
  /** The rule of whole expressions. */
  protected abstract expr(after: Follow): Expr

  protected member(after: Follow): Expr {
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
      return this.build({ offset: open.offset, name: name.text, args, target: operand })
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
    const args = exprStarts.includes(this.cursor.peek().kind) ? this.exprList(follow(["')'"])) : []
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
