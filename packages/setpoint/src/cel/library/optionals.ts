/** Optional values: `optional.of(x)`, `a.?b.orValue(c)`, ... */
import { declare, type FunctionDeclaration } from '../types/function-declaration.ts'
import {
  ArrayList,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  optionalNone,
  type CelResult,
  type CelValue,
} from '../values/cel-value.ts'
import { CelMessage } from '../values/cel-message.ts'
import { printValue } from '../values/print-value.ts'
import { partsOf } from './time-arithmetic.ts'

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0
  if (value instanceof CelMessage) return value.fields.size === 0
  if (value instanceof CelUint) return value.value === 0n
  if (value instanceof CelDuration) return value.nanoseconds === 0n
  if (value instanceof Uint8Array) return value.length === 0
  if (!(value instanceof CelTimestamp)) return false
  return value.nanoseconds === -62135596800n * 1_000_000_000n && partsOf(0n, 0).year === 1970
}

function valueOf(optional: CelOptional): CelResult {
  return optional.value ?? new CelError('optional.none() dereference')
}

function unwrap(list: CelList): CelResult {
  const values: CelValue[] = []
  for (const element of list) {
    if (element instanceof CelError) return element
    if (!(element instanceof CelOptional)) {
      return new CelError(`value ${printValue(element)} is not optional`)
    }
    if (element.value !== undefined) values.push(element.value)
  }
  return new ArrayList(values)
}

function optionalOf(value: CelResult): CelResult {
  return value instanceof CelError ? value : new CelOptional(value)
}

const special = (): CelError => new CelError('no such overload')

/** The functions of optional values. */
export const optionals: readonly FunctionDeclaration[] = declare({
  'optional.of': [['optional_of(V): optional_type(V)', (value = null) => new CelOptional(value)]],
  'optional.ofNonZeroValue': [
    [
      'optional_ofNonZeroValue(V): optional_type(V)',
      (value = null) => (isZero(value) ? optionalNone : new CelOptional(value)),
    ],
  ],
  'optional.none': [['optional_none(): optional_type(V)', () => optionalNone]],
  value: [['.optional_value(optional_type(V)): V', (optional) => valueOf(optional as CelOptional)]],
  hasValue: [
    [
      '.optional_hasValue(optional_type(V)): bool',
      (optional) => (optional as CelOptional).value !== undefined,
    ],
  ],
  or: [['.optional_or_optional(optional_type(V), optional_type(V)): optional_type(V)', special]],
  orValue: [['.optional_orValue_value(optional_type(V), V): V', special]],
  '_?._': [['select_optional_field(dyn, string): optional_type(V)', special]],
  '_[?_]': [
    ['list_optindex_optional_int(list(V), int): optional_type(V)', special],
    ['optional_list_optindex_optional_int(optional_type(list(V)), int): optional_type(V)', special],
    ['map_optindex_optional_value(map(K, V), K): optional_type(V)', special],
    [
      'optional_map_optindex_optional_value(optional_type(map(K, V)), K): optional_type(V)',
      special,
    ],
  ],
  first: [
    [
      '.list_first(list(V)): optional_type(V)',
      (list) => {
        const { size } = list as CelList
        return size === 0 ? optionalNone : optionalOf((list as CelList).at(0))
      },
    ],
  ],
  last: [
    [
      '.list_last(list(V)): optional_type(V)',
      (list) => {
        const { size } = list as CelList
        return size === 0 ? optionalNone : optionalOf((list as CelList).at(size - 1))
      },
    ],
  ],
  'optional.unwrap': [
    ['optional_unwrap(list(optional_type(V))): list(V)', (list) => unwrap(list as CelList)],
  ],
  unwrapOpt: [
    ['.optional_unwrapOpt(list(optional_type(V))): list(V)', (list) => unwrap(list as CelList)],
  ],
})
