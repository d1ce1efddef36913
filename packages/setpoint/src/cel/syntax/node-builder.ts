import type { Expr, NodeIds } from './ast.ts'
import { tokenize } from './lexer.ts'
import { expandMacro, type MacroCall } from './macros.ts'
import type { SourceProblems } from './source-problems.ts'
import { TokenCursor } from './token-cursor.ts'

/** Makes the nodes of the tree and expands macros. */
export abstract class NodeBuilder {
  protected readonly cursor: TokenCursor
  protected readonly problems: SourceProblems
  protected readonly ids: NodeIds
  protected readonly depths = new Map<number, number>()

  constructor(source: string, problems: SourceProblems, ids: NodeIds) {
    this.cursor = new TokenCursor(tokenize(source, problems), problems)
    this.problems = problems
    this.ids = ids
  }

  protected broken(): Expr {
    return { kind: 'broken', id: this.ids.next(this.cursor.peek().offset) }
  }

  /** Keeps how deep an expression nests; operators, selections and methods add a level. */
  protected nest(expr: Expr, parts: readonly Expr[], levels = 1): Expr {
    let depth = 0
    for (const part of parts) depth = Math.max(depth, this.depths.get(part.id) ?? 0)
    if (depth + levels > 0) this.depths.set(expr.id, depth + levels)
    return expr
  }

  protected fail(offset: number, message: string): Expr {
    this.problems.report(offset, message)
    return { kind: 'broken', id: this.ids.next(offset) }
  }

  /** A call of a function or an operator. */
  protected call(offset: number, name: string, args: readonly Expr[]): Expr {
    return this.build({ offset, name, args })
  }

  /** A call, or what its macro expands to. */
  protected build(call: MacroCall): Expr {
    const { offset, name, args, target } = call
    const expanded = expandMacro(this.ids, call)
    if (expanded !== undefined && 'problem' in expanded) {
      return this.fail(expanded.offset, expanded.problem)
    }
    const isFunction = target === undefined && /^\.?\w+$/.test(name)
    const parts = target === undefined ? args : [target, ...args]
    const levels = isFunction || name === '!_' || name === '-_' ? 0 : 1
    if (expanded !== undefined) return this.nest(expanded, parts, levels)
    const id = this.ids.next(offset)
    const expr: Expr =
      target === undefined
        ? { kind: 'call', id, name, args }
        : { kind: 'call', id, name, args, target }
    return this.nest(expr, parts, levels)
  }
}
