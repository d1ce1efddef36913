/** Estimates of the standard functions. */
import { sizeOrUnknown, type CallEstimate, type CostNode } from './cost-node.ts'
import { byFactor, fixed, plus, times, type Estimate } from './estimate.ts'

const one = fixed(1n)

function wrapped(value: bigint): bigint {
  return BigInt.asUintN(64, value)
}

/** The calls whose cost depends on the sizes of their arguments; all others cost 1. */
export function estimateStandardCall(
  overload: string,
  target: CostNode | undefined,
  args: readonly CostNode[],
): CallEstimate {
  const [first, second] = args
  const size = sizeOrUnknown(first)
  switch (overload) {
    case 'string_format':
      return { cost: byFactor(sizeOrUnknown(target), 0.1) }
    case 'string_to_bytes':
      return { cost: byFactor(size, 0.1), size: { min: size.min, max: wrapped(size.max * 4n) } }
    case 'bytes_to_string':
      return { cost: byFactor(size, 0.1), size: { min: size.min / 4n, max: size.max } }
    case 'strings_quote': {
      const quoted = { min: wrapped(size.min + 2n), max: wrapped(size.max * 2n + 2n) }
      return { cost: byFactor(size, 0.1), size: quoted }
    }
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: byFactor(size, 0.1) }
    case 'in_list':
      return { cost: byFactor(sizeOrUnknown(second), 1) }
    case 'matches_string':
      return {
        cost: times(byFactor(plus(sizeOrUnknown(target), one), 0.1), byFactor(size, 0.25)),
      }
    case 'contains_string':
      return { cost: times(byFactor(sizeOrUnknown(target), 0.1), byFactor(size, 0.1)) }
    default:
      return { cost: isComparison(overload) ? comparisonCost(first, second) : one }
  }
}

function isComparison(overload: string): boolean {
  return /^(?:(?:less|greater)(?:_equals)?_(?:string|bytes)|equals|not_equals)$/.test(overload)
}

function comparisonCost(left: CostNode | undefined, right: CostNode | undefined): Estimate {
  const [one, other] = [sizeOrUnknown(left).max, sizeOrUnknown(right).max]
  const max = one < other ? one : other
  return byFactor({ min: max > 0n ? 1n : 0n, max }, 0.1)
}
