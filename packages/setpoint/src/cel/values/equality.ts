/** Equality and order of values, across numeric types. */
import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelObject,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './cel-value.ts'

type CelNumber = bigint | number | CelUint

/** Whether the value is a number of any type. */
function isNumber(value: CelValue): value is CelNumber {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof CelUint
}

/**
 * Whether two values are equal. Values of different types are not, except numbers; lists and maps
 * of Kubernetes objects report an error instead.
 */
export function celEquals(one: CelValue, other: CelValue): boolean | CelError {
  if (one === other) return typeof one !== 'number' || !Number.isNaN(one)
  if (one === null || other === null) return false
  if (isNumber(one)) return isNumber(other) && compareNumbers(one, other) === 0
  if (one instanceof CelList || one instanceof CelMap) return one.equals(other, celEquals)
  if (typeof one !== 'object' || typeof other !== 'object') return false
  return sameObjects(one, other)
}

function sameObjects(one: CelValue & object, other: CelValue & object): boolean | CelError {
  if (one instanceof Uint8Array) {
    return other instanceof Uint8Array && compareBytes(one, other) === 0
  }
  if (one instanceof CelTimestamp) {
    return other instanceof CelTimestamp && one.nanoseconds === other.nanoseconds
  }
  if (one instanceof CelDuration) {
    return other instanceof CelDuration && one.nanoseconds === other.nanoseconds
  }
  if (one instanceof CelTypeValue) {
    return other instanceof CelTypeValue && one.type.name === other.type.name
  }
  if (one instanceof CelObject) {
    return other instanceof CelObject && one.type.name === other.type.name && one.equals(other)
  }
  if (!(one instanceof CelOptional) || !(other instanceof CelOptional)) return false
  if (one.value === undefined || other.value === undefined) return one.value === other.value
  return celEquals(one.value, other.value)
}

/** Compares numbers; `undefined` if one of them is not a number (NaN). */
function compareNumbers(one: CelNumber, other: CelNumber): number | undefined {
  const left = one instanceof CelUint ? one.value : one
  const right = other instanceof CelUint ? other.value : other
  if (typeof left === typeof right) return left === right ? 0 : compareRaw(left, right)
  // Where the types differ, cel-go rounds the integer to a double, unless the double is out of range.
  const isLeftDouble = typeof left === 'number'
  const double = isLeftDouble ? left : (right as number)
  const integer = isLeftDouble ? (right as bigint) : left
  const isUnsigned = isLeftDouble ? other instanceof CelUint : one instanceof CelUint
  const order = compareDouble(double, integer, isUnsigned)
  if (order === undefined) return undefined
  return isLeftDouble ? order : -order
}

function compareDouble(double: number, integer: bigint, isUnsigned: boolean): number | undefined {
  if (double < (isUnsigned ? 0 : -(2 ** 63))) return -1
  if (double > (isUnsigned ? 2 ** 64 : 2 ** 63)) return 1
  return compareRaw(double, Number(integer))
}

function compareRaw(one: number | bigint, other: number | bigint): number | undefined {
  if (one < other) return -1
  if (one > other) return 1
  return one === other ? 0 : undefined
}

/** Compares bytes, the first difference decides. */
function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index++) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  return Math.sign(one.length - other.length)
}

/** Compares texts by code points, as their UTF-8 bytes compare. */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index++) {
    let left = one.charCodeAt(index)
    let right = other.charCodeAt(index)
    if (left === right) continue
    // Surrogates stand for code points above all others, although their codes are lower.
    if (left >= 0xd800 && right >= 0xd800) {
      left += left >= 0xe000 ? -0x800 : 0x2000
      right += right >= 0xe000 ? -0x800 : 0x2000
    }
    return left < right ? -1 : 1
  }
  return Math.sign(one.length - other.length)
}

/** Compares values of ordered types: -1, 0 or 1; NaN compares as equal, as in cel-go's sorting. */
export function celCompare(one: CelValue, other: CelValue): number | CelError {
  if (isNumber(one) && isNumber(other)) {
    const order = compareNumbers(one, other)
    return order ?? new CelError('NaN values cannot be ordered')
  }
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other)
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other)
  if (one instanceof Uint8Array && other instanceof Uint8Array) return compareBytes(one, other)
  if (one instanceof CelDuration && other instanceof CelDuration) {
    return compareRaw(one.nanoseconds, other.nanoseconds) ?? 0
  }
  if (one instanceof CelTimestamp && other instanceof CelTimestamp) {
    return compareRaw(one.nanoseconds, other.nanoseconds) ?? 0
  }
  return new CelError('no such overload')
}
