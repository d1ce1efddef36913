/** What the rules for the costs of calls know about arguments. */
import type { Expr } from '../syntax/ast.ts'
import type { CelType } from '../types/cel-type.ts'
import { unknownSize, type Estimate } from './estimate.ts'

/** The size of the value at a path such as `self`, `items`, `@items`; `undefined` if unknown. */
export type SizeOfPath = (path: readonly string[]) => Estimate | undefined

/** A node as the rules for calls see it. */
export interface CostNode {
  readonly expr: Expr | undefined
  readonly type: CelType
  readonly path: readonly string[]
  readonly size: Estimate | undefined
}

/** The cost of a call without its arguments, and the size of its result. */
export interface CallEstimate {
  readonly cost: Estimate
  readonly size?: Estimate | undefined
}

/** The size of a node, or the largest possible one. */
export function sizeOrUnknown(node: CostNode | undefined): Estimate {
  return node?.size ?? unknownSize
}
