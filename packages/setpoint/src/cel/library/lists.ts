/** The list library of Kubernetes: `isSorted`, `sum`, `min`, `max`, `indexOf`, `lastIndexOf`. */
import {
  declare,
  type CelFunction,
  type FunctionDeclaration,
} from '../types/function-declaration.ts'
import type { CelList } from '../values/cel-value.ts'
import {
  CelDuration,
  CelError,
  CelUint,
  type CelResult,
  type CelValue,
} from '../values/cel-value.ts'
import { celCompare, celEquals } from '../values/equality.ts'
import { add } from './arithmetic.ts'

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']

const zeros: Readonly<Record<string, CelValue>> = {
  int: 0n,
  uint: new CelUint(0n),
  double: 0,
  duration: new CelDuration(0n),
}

function isSorted(list: CelList): CelResult {
  let previous: CelValue | undefined
  for (const next of list) {
    if (next instanceof CelError) return next
    if (previous !== undefined && celCompare(previous, next) === 1) return false
    previous = next
  }
  return true
}

function sum(list: CelList, zero: CelValue): CelResult {
  let total: CelResult = zero
  for (const next of list) {
    if (next instanceof CelError) return next
    total = add(total, next)
    if (total instanceof CelError) return total
  }
  return total
}

/** The element that no other one precedes; `order` is 1 for the smallest, -1 for the largest. */
function extreme(name: 'min' | 'max', list: CelList): CelResult {
  const wanted = name === 'min' ? 1 : -1
  let best: CelValue | undefined
  for (const next of list) {
    if (next instanceof CelError) return next
    if (best === undefined || celCompare(best, next) === wanted) best = next
  }
  return best ?? new CelError(`${name} called on empty list`)
}

function indexOf(list: CelList, element: CelValue, isLast: boolean): bigint {
  for (let step = 0; step < list.size; step++) {
    const index = isLast ? list.size - 1 - step : step
    const candidate = list.at(index)
    if (!(candidate instanceof CelError) && celEquals(candidate, element) === true) {
      return BigInt(index)
    }
  }
  return -1n
}

type OverloadEntry = readonly [signature: string, run: CelFunction]

function forTypes(
  types: readonly string[],
  overload: (type: string) => OverloadEntry,
): readonly OverloadEntry[] {
  return types.map(overload)
}

/** The functions of lists. */
export const lists: readonly FunctionDeclaration[] = declare({
  isSorted: forTypes(comparable, (type) => [
    `.list_${type}_is_sorted_bool(list(${type})): bool`,
    (list) => isSorted(list as CelList),
  ]),
  sum: forTypes(Object.keys(zeros), (type) => [
    `.list_${type}_sum_${type}(list(${type})): ${type}`,
    (list) => sum(list as CelList, zeros[type] ?? 0n),
  ]),
  max: forTypes(comparable, (type) => [
    `.list_${type}_max_${type}(list(${type})): ${type}`,
    (list) => extreme('max', list as CelList),
  ]),
  min: forTypes(comparable, (type) => [
    `.list_${type}_min_${type}(list(${type})): ${type}`,
    (list) => extreme('min', list as CelList),
  ]),
  indexOf: [
    [
      '.list_a_index_of_int(list(A), A): int',
      (list, element = null) => indexOf(list as CelList, element, false),
    ],
  ],
  lastIndexOf: [
    [
      '.list_a_last_index_of_int(list(A), A): int',
      (list, element = null) => indexOf(list as CelList, element, true),
    ],
  ],
})
