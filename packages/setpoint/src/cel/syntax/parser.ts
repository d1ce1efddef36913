/**
 * Parses an expression. Each method is a rule of CEL's grammar and recovers from syntax errors as
 * cel-go's generated parser does, so that the messages are the same.
 */
import { type Expr, type NodeIds, NodeIds as Ids } from './ast.ts'
import {
  andEnd,
  anyEnd,
  calcEnd,
  colonNext,
  exprEnd,
  orEnd,
  primaryStarts,
  products,
  relationEnd,
  relations,
  start,
  sums,
} from './grammar-sets.ts'
import { MemberParser } from './member-parser.ts'
import { SourceProblems } from './source-problems.ts'
import { follow, ParserStopped, type Follow } from './token-cursor.ts'
import type { Token, TokenKind } from './tokens.ts'

/** A parsed expression: the tree, or the errors. */
interface ParsedSource {
  readonly expr: Expr
  readonly ids: NodeIds
  readonly problems: SourceProblems
}

/** A longer expression is refused. */
const sourceLengthMax = 100_000

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

class Parser extends MemberParser {
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

  protected override expr(after: Follow): Expr {
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
}

function calcPrecedence(kind: TokenKind): number {
  if (products.includes(kind)) return 2
  return Number(sums.includes(kind))
}

function operatorName(text: string): string {
  return text === 'in' ? '@in' : `_${text}_`
}
