/** The syntax tree of an expression after macros were expanded. */
import type { CelConstant } from '../values/cel-value.ts'

/** A literal. */
interface LiteralExpr {
  readonly kind: 'literal'
  readonly id: number
  readonly value: CelConstant
}

/** A name. The checker replaces it by the resolved name. */
interface IdentExpr {
  readonly kind: 'ident'
  readonly id: number
  readonly name: string
}

/** `operand.field`, or `has(operand.field)` if `isTest`. */
interface SelectExpr {
  readonly kind: 'select'
  readonly id: number
  readonly operand: Expr
  readonly field: string
  readonly isTest: boolean
}

/** A call of a function or an operator. */
export interface CallExpr {
  readonly kind: 'call'
  readonly id: number
  readonly name: string
  readonly target?: Expr
  readonly args: readonly Expr[]
}

/** A list literal. */
export interface ListExpr {
  readonly kind: 'list'
  readonly id: number
  readonly elements: readonly Expr[]
  /** The indexes of the elements that are written `?element`. */
  readonly optionals: ReadonlySet<number>
}

/** One entry of a map literal. */
export interface MapEntry {
  readonly id: number
  readonly key: Expr
  readonly value: Expr
  readonly isOptional: boolean
}

/** A map literal. */
interface MapExpr {
  readonly kind: 'map'
  readonly id: number
  readonly entries: readonly MapEntry[]
}

/** One field of an object literal. */
export interface StructField {
  readonly id: number
  readonly name: string
  readonly value: Expr
  readonly isOptional: boolean
}

/** An object literal such as `Object{spec: ...}`. */
interface StructExpr {
  readonly kind: 'struct'
  readonly id: number
  readonly typeName: string
  readonly fields: readonly StructField[]
}

/** A loop, into which macros such as `all` and `map` are expanded. */
export interface ComprehensionExpr {
  readonly kind: 'comprehension'
  readonly id: number
  readonly range: Expr
  readonly variable: string
  /** The second variable of loops such as `transformMap(key, value, ...)`. */
  readonly variable2?: string
  readonly accumulator: string
  readonly init: Expr
  readonly condition: Expr
  readonly step: Expr
  readonly result: Expr
}

/** A part that could not be parsed; the parser has reported an error for it. */
interface BrokenExpr {
  readonly kind: 'broken'
  readonly id: number
}

/** A node of the tree. */
export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr
  | BrokenExpr

/** The variable in which macros collect their result; expressions cannot name it. */
export const accumulatorName = '@result'

/** Numbers the nodes of a tree and keeps where each of them begins in the source. */
export class NodeIds {
  private readonly offsets: number[] = [0]

  /** Gives out the next id, for a node that begins at `offset`. */
  next(offset: number): number {
    return this.offsets.push(offset) - 1
  }

  /** Where the node begins. */
  offsetOf(id: number): number {
    return this.offsets[id] ?? 0
  }
}

/** The name `a.b.c` of nested selects, if the expression is nothing else. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind !== 'select' || expr.isTest) return undefined
  const prefix = qualifiedName(expr.operand)
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`
}
