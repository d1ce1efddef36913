/** The operators `+ - * / %` and negation, with the overflow checks of 64-bit integers. */
import { declare, type FunctionDeclaration } from '../types/function-declaration.ts'
import {
  CelDuration,
  CelError,
  CelList,
  CelTimestamp,
  CelUint,
  type CelResult,
  type CelValue,
} from '../values/cel-value.ts'
import { addDuration } from './time-arithmetic.ts'

const noSuchOverload = new CelError('no such overload')
const divisionByZero = new CelError('division by zero')
const modulusByZero = new CelError('modulus by zero')
const intOverflow = new CelError('integer overflow')
const uintOverflow = new CelError('unsigned integer overflow')

/** The int, or an error if it does not fit 64 bits. */
export function checkedInt(value: bigint): bigint | CelError {
  return BigInt.asIntN(64, value) === value ? value : intOverflow
}

/** The uint, or an error if it does not fit 64 bits. */
export function checkedUint(value: bigint): CelUint | CelError {
  return BigInt.asUintN(64, value) === value ? new CelUint(value) : uintOverflow
}

function checkedDuration(nanoseconds: bigint): CelDuration | CelError {
  return BigInt.asIntN(64, nanoseconds) === nanoseconds ? new CelDuration(nanoseconds) : intOverflow
}

/** `+` for all types. */
export function add(one: CelValue, other: CelValue): CelResult {
  if (typeof one === 'bigint' && typeof other === 'bigint') return checkedInt(one + other)
  if (typeof one === 'string' && typeof other === 'string') return one + other
  if (typeof one === 'number' && typeof other === 'number') return one + other
  if (one instanceof CelList && other instanceof CelList) return one.concat(other)
  if (one instanceof CelUint && other instanceof CelUint)
    return checkedUint(one.value + other.value)
  if (one instanceof CelDuration) {
    if (other instanceof CelDuration) return checkedDuration(one.nanoseconds + other.nanoseconds)
    if (other instanceof CelTimestamp) return addDuration(other, one.nanoseconds)
  }
  if (one instanceof CelTimestamp && other instanceof CelDuration) {
    return addDuration(one, other.nanoseconds)
  }
  if (one instanceof Uint8Array && other instanceof Uint8Array) {
    return Uint8Array.from([...one, ...other])
  }
  return noSuchOverload
}

function subtract(one: CelValue, other: CelValue): CelResult {
  if (typeof one === 'bigint' && typeof other === 'bigint') return checkedInt(one - other)
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (one instanceof CelUint && other instanceof CelUint)
    return checkedUint(one.value - other.value)
  if (one instanceof CelDuration && other instanceof CelDuration) {
    return checkedDuration(one.nanoseconds - other.nanoseconds)
  }
  if (one instanceof CelTimestamp) {
    if (other instanceof CelDuration) return addDuration(one, -other.nanoseconds)
    if (other instanceof CelTimestamp) return checkedDuration(one.nanoseconds - other.nanoseconds)
  }
  return noSuchOverload
}

function multiply(one: CelValue, other: CelValue): CelResult {
  if (typeof one === 'bigint' && typeof other === 'bigint') return checkedInt(one * other)
  if (typeof one === 'number' && typeof other === 'number') return one * other
  if (one instanceof CelUint && other instanceof CelUint)
    return checkedUint(one.value * other.value)
  return noSuchOverload
}

function divide(one: CelValue, other: CelValue): CelResult {
  if (typeof one === 'number' && typeof other === 'number') return one / other
  if (typeof one === 'bigint' && typeof other === 'bigint') {
    return other === 0n ? divisionByZero : checkedInt(one / other)
  }
  if (one instanceof CelUint && other instanceof CelUint) {
    return other.value === 0n ? divisionByZero : new CelUint(one.value / other.value)
  }
  return noSuchOverload
}

function modulo(one: CelValue, other: CelValue): CelResult {
  if (typeof one === 'bigint' && typeof other === 'bigint') {
    if (other === 0n) return modulusByZero
    return one === -(2n ** 63n) && other === -1n ? intOverflow : one % other
  }
  if (one instanceof CelUint && other instanceof CelUint) {
    return other.value === 0n ? modulusByZero : new CelUint(one.value % other.value)
  }
  return noSuchOverload
}

function negate(value: CelValue): CelResult {
  if (typeof value === 'bigint') return checkedInt(-value)
  if (value instanceof CelDuration) return checkedDuration(-value.nanoseconds)
  return typeof value === 'number' ? -value : noSuchOverload
}

function isCalculable(value: CelValue): boolean {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof CelUint
}

function isAddable(value: CelValue): boolean {
  return (
    isCalculable(value) ||
    typeof value === 'string' ||
    value instanceof CelList ||
    value instanceof CelDuration ||
    value instanceof CelTimestamp ||
    value instanceof Uint8Array
  )
}

function isSubtractable(value: CelValue): boolean {
  return isCalculable(value) || value instanceof CelDuration || value instanceof CelTimestamp
}

/** The arithmetic operators. */
export const arithmetic: readonly FunctionDeclaration[] = declare({
  '_+_': {
    signatures: [
      'add_bytes(bytes, bytes): bytes',
      'add_double(double, double): double',
      'add_duration_duration(duration, duration): duration',
      'add_duration_timestamp(duration, timestamp): timestamp',
      'add_timestamp_duration(timestamp, duration): timestamp',
      'add_int64(int, int): int',
      'add_list(list(A), list(A)): list(A)',
      'add_string(string, string): string',
      'add_uint64(uint, uint): uint',
    ],
    run: (one = null, other = null) => add(one, other),
    accepts: isAddable,
  },
  '_-_': {
    signatures: [
      'subtract_double(double, double): double',
      'subtract_duration_duration(duration, duration): duration',
      'subtract_int64(int, int): int',
      'subtract_timestamp_duration(timestamp, duration): timestamp',
      'subtract_timestamp_timestamp(timestamp, timestamp): duration',
      'subtract_uint64(uint, uint): uint',
    ],
    run: (one = null, other = null) => subtract(one, other),
    accepts: isSubtractable,
  },
  '_*_': {
    signatures: [
      'multiply_double(double, double): double',
      'multiply_int64(int, int): int',
      'multiply_uint64(uint, uint): uint',
    ],
    run: (one = null, other = null) => multiply(one, other),
    accepts: isCalculable,
  },
  '_/_': {
    signatures: [
      'divide_double(double, double): double',
      'divide_int64(int, int): int',
      'divide_uint64(uint, uint): uint',
    ],
    run: (one = null, other = null) => divide(one, other),
    accepts: isCalculable,
  },
  '_%_': {
    signatures: ['modulo_int64(int, int): int', 'modulo_uint64(uint, uint): uint'],
    run: (one = null, other = null) => modulo(one, other),
    accepts: (value) => typeof value === 'bigint' || value instanceof CelUint,
  },
  '-_': {
    signatures: ['negate_double(double): double', 'negate_int64(int): int'],
    run: (value = null) => negate(value),
  },
})
