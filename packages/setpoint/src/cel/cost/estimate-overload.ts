/** Estimates of the list and set libraries of cel-go, which belong to overloads. */
import type { CallEstimate, CostNode, SizeOfPath } from './cost-node.ts'
import { byFactor, fixed, plus, times, uint64Max, unknownSize, type Estimate } from './estimate.ts'

const call = fixed(1n)
const listBase = fixed(10n)

/** The estimate of a call of these libraries; `undefined` for others. */
export function estimateOverload(
  overload: string,
  { target, args }: { readonly target: CostNode | undefined; readonly args: readonly CostNode[] },
  sizeOfPath: SizeOfPath,
): CallEstimate | undefined {
  const sizeOf = (node: CostNode): Estimate =>
    node.size ?? (node.path.length === 0 ? undefined : sizeOfPath(node.path)) ?? unknownSize
  const [first, second] = args
  if (overload.startsWith('list_sets_') && first !== undefined && second !== undefined) {
    const factor = overload === 'list_sets_equivalent_list' ? 2 : 1
    return { cost: plus(byFactor(times(sizeOf(first), sizeOf(second)), factor), call) }
  }
  if (overload === 'lists_range' && first !== undefined) {
    return allocating(1, fixed(literalOr(first, uint64Max)))
  }
  if (target === undefined) return undefined
  const size = sizeOf(target)
  switch (overload) {
    case 'list_slice': {
      if (first === undefined || second === undefined) return undefined
      const length = literalOr(second, size.max) - literalOr(first, 0n)
      return allocating(1, fixed(BigInt.asUintN(64, length)))
    }
    case 'list_reverse':
      return allocating(1, size)
    case 'list_flatten':
      return allocating(1, size)
    case 'list_flatten_int':
      return allocating(Number(first === undefined ? 1n : literalOr(first, uint64Max)), size)
    case 'list_distinct':
      return allocating(2, times(size, size))
    default:
      return sorting(overload, first === undefined ? size : sizeOf(first))
  }
}

function sorting(overload: string, size: Estimate): CallEstimate | undefined {
  const type = /^list_(.+)_sort(?:ByAssociatedKeys)?$/.exec(overload)?.[1]
  if (type === undefined) return undefined
  return allocating(type === 'string' || type === 'bytes' ? 2.1 : 2, times(size, size))
}

/** The cost of a call that makes a list. */
function allocating(factor: number, size: Estimate): CallEstimate {
  return { cost: plus(byFactor(size, factor), call, listBase), size }
}

function literalOr(node: CostNode, other: bigint): bigint {
  if (node.expr?.kind !== 'literal' || typeof node.expr.value !== 'bigint') return other
  return node.expr.value < 0n ? 0n : node.expr.value
}
