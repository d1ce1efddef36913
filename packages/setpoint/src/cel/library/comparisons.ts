/** Comparisons, membership, logic and sizes. */
import {
  declare,
  type CelFunction,
  type FunctionDeclaration,
} from '../types/function-declaration.ts'
import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  CelUint,
  type CelResult,
  type CelValue,
} from '../values/cel-value.ts'
import { celCompare, celEquals } from '../values/equality.ts'
import { textSize } from '../values/text-size.ts'

const noSuchOverload = new CelError('no such overload')

function isComparable(value: CelValue): boolean {
  return (
    typeof value === 'bigint' ||
    typeof value === 'number' ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    value instanceof CelUint ||
    value instanceof CelTimestamp ||
    value instanceof CelDuration ||
    value instanceof Uint8Array
  )
}

const comparedTypes = [
  'bool(bool, bool)',
  'int64(int, int)',
  'int64_double(int, double)',
  'int64_uint64(int, uint)',
  'uint64(uint, uint)',
  'uint64_double(uint, double)',
  'uint64_int64(uint, int)',
  'double(double, double)',
  'double_int64(double, int)',
  'double_uint64(double, uint)',
  'string(string, string)',
  'bytes(bytes, bytes)',
  'timestamp(timestamp, timestamp)',
  'duration(duration, duration)',
]

function comparison(name: string, holds: (order: number) => boolean) {
  const run: CelFunction = (one = null, other = null) => {
    const order = celCompare(one, other)
    return order instanceof CelError ? order : holds(order)
  }
  const signatures = comparedTypes.map((types) => `${name}_${types}: bool`)
  return { signatures, run, accepts: isComparable }
}

/** Whether a list has an element, or a map a key. */
function isIn(element: CelValue, container: CelValue): CelResult {
  if (container instanceof CelMap) {
    const found = container.find(element)
    return found instanceof CelError ? found : found !== undefined
  }
  if (!(container instanceof CelList)) return noSuchOverload
  let problem: CelError | undefined
  for (const item of container) {
    if (item instanceof CelError) continue
    const isEqual = celEquals(item, element)
    if (isEqual === true) return true
    if (isEqual instanceof CelError) problem ??= isEqual
  }
  return problem ?? false
}

const membership = {
  signatures: ['in_list(A, list(A)): bool', 'in_map(A, map(A, B)): bool'],
  run: (element: CelValue = null, container: CelValue = null) => isIn(element, container),
}

function size(value: CelValue): CelResult {
  if (typeof value === 'string') return BigInt(textSize(value))
  if (value instanceof CelList || value instanceof CelMap) return BigInt(value.size)
  return value instanceof Uint8Array ? BigInt(value.length) : noSuchOverload
}

function hasSize(value: CelValue): boolean {
  return !(size(value) instanceof CelError)
}

/** The compiler evaluates these itself; the declarations are for the checker. */
const special: CelFunction = () => noSuchOverload

/** The operators and `size`. */
export const comparisons: readonly FunctionDeclaration[] = declare({
  '_<_': comparison('less', (order) => order < 0),
  '_<=_': comparison('less_equals', (order) => order <= 0),
  '_>_': comparison('greater', (order) => order > 0),
  '_>=_': comparison('greater_equals', (order) => order >= 0),
  '_==_': { signatures: ['equals(A, A): bool'], run: special },
  '_!=_': { signatures: ['not_equals(A, A): bool'], run: special },
  '_&&_': { signatures: ['logical_and(bool, bool): bool'], run: special },
  '_||_': { signatures: ['logical_or(bool, bool): bool'], run: special },
  '_?_:_': { signatures: ['conditional(bool, A, A): A'], run: special },
  '_[_]': {
    signatures: [
      'index_list(list(A), int): A',
      'index_map(map(A, B), A): B',
      'optional_list_index_int(optional_type(list(V)), int): optional_type(V)',
      'optional_map_index_value(optional_type(map(K, V)), K): optional_type(V)',
    ],
    run: special,
  },
  '!_': {
    signatures: ['logical_not(bool): bool'],
    run: (value) => (typeof value === 'boolean' ? !value : noSuchOverload),
  },
  '@not_strictly_false': {
    signatures: ['not_strictly_false(bool): bool'],
    run: (value) => value !== false,
  },
  __not_strictly_false__: {
    signatures: ['__not_strictly_false__(bool): bool'],
    run: (value) => value !== false,
  },
  '@in': membership,
  _in_: membership,
  in: membership,
  size: {
    signatures: [
      'size_bytes(bytes): int',
      '.bytes_size(bytes): int',
      'size_list(list(A)): int',
      '.list_size(list(A)): int',
      'size_map(map(A, B)): int',
      '.map_size(map(A, B)): int',
      'size_string(string): int',
      '.string_size(string): int',
    ],
    run: (value = null) => size(value),
    accepts: hasSize,
  },
})
