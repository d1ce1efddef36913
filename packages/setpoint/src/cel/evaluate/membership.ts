/** `x in [constants]`, with a set instead of a search. */
import { CelError, CelList, CelUint, type CelResult, type CelValue } from '../values/cel-value.ts'
import type { Evaluate } from './frame.ts'

/** A test of membership in a constant list; `undefined` if its elements are not simple values. */
export function constantMembership(
  element: Evaluate,
  list: CelValue,
): Evaluate | boolean | undefined {
  if (!(list instanceof CelList)) return undefined
  if (list.size === 0) return false
  const known = new Set<unknown>()
  for (const item of list) {
    const index = indexOf(item)
    if (index === undefined) return undefined
    known.add(index)
  }
  return (frame) => {
    const value = element(frame)
    if (value instanceof CelError) return value
    const index = indexOf(value)
    return index !== undefined && known.has(index)
  }
}

function indexOf(value: CelResult): string | boolean | bigint | number | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value
    case 'number':
      return Number.isInteger(value) ? BigInt(value) : value
    default:
      return value instanceof CelUint ? value.value : undefined
  }
}
