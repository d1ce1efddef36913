/** What calls cost at run time, in the units of cel-go and of Kubernetes' libraries. */
import { CelObject, type CelResult } from '../values/cel-value.ts'
import { libraryCallCost, type CalledOverload } from './library-call-cost.ts'
import { patternCost, sizeOf, traversalFactor } from './value-size.ts'

/** The cost of a comparison: the shorter side counts. */
export function binaryCost(name: string, one: CelResult, other: CelResult): number {
  if (name === '_==_' && one instanceof CelObject) return 1
  return Math.ceil(Math.min(sizeOf(one), sizeOf(other)) * traversalFactor)
}

/** The cost of a call with these arguments and this result. */
export function callCost(
  callee: CalledOverload,
  args: readonly CelResult[],
  result: CelResult,
): number {
  return libraryCallCost(callee, args, result) ?? standardCallCost(callee.overloadId, args)
}

function standardCallCost(overloadId: string, args: readonly CelResult[]): number {
  const [first = null, second = null] = args
  switch (overloadId) {
    case 'starts_with_string':
    case 'ends_with_string':
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return Math.ceil(sizeOf(first) * traversalFactor)
    case 'in_list':
      return sizeOf(second)
    case 'less_string':
    case 'greater_string':
    case 'less_equals_string':
    case 'greater_equals_string':
    case 'less_bytes':
    case 'greater_bytes':
    case 'less_equals_bytes':
    case 'greater_equals_bytes':
      return binaryCost('', first, second)
    case 'add_string':
    case 'add_bytes':
      return Math.ceil((sizeOf(first) + sizeOf(second)) * traversalFactor)
    case 'matches_string':
      return patternCost(first, second)
    case 'contains_string':
      return (
        Math.ceil(sizeOf(first) * traversalFactor) * Math.ceil(sizeOf(second) * traversalFactor)
      )
    default:
      return 1
  }
}
