/** Quantities such as `100Mi`, as `resource.Quantity` of Kubernetes computes them. */
import { objectType } from '../types/cel-type.ts'
import { declare, type FunctionDeclaration } from '../types/function-declaration.ts'
import { CelError, CelObject, type CelResult } from '../values/cel-value.ts'

/** The type of quantities. */
const quantityType = objectType('kubernetes.Quantity')

const wrongFormat = new CelError(
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
)
const wrongNumber = new CelError('unable to parse numeric part of quantity')
const wrongSuffix = new CelError("unable to parse quantity's suffix")

const decimalSuffixes = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
])
const binarySuffixes = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
])

/** The number that a quantity stands for, as `unscaled * 10^-scale`. */
class CelQuantity extends CelObject {
  readonly type = quantityType
  readonly unscaled: bigint
  readonly scale: number
  /** Whether Kubernetes keeps it in 64 bits; only such quantities convert to integers. */
  readonly isSmall: boolean
  /** Whether it is the result of a calculation, which is not equal to any quantity on its right. */
  readonly isComputed: boolean

  constructor(
    unscaled: bigint,
    scale: number,
    flags: { readonly isSmall: boolean; readonly isComputed: boolean },
  ) {
    super()
    this.unscaled = unscaled
    this.scale = scale
    this.isSmall = flags.isSmall
    this.isComputed = flags.isComputed
  }

  /** -1, 0 or 1. */
  compare(other: CelQuantity): number {
    const scale = Math.max(this.scale, other.scale)
    const difference = this.scaledTo(scale) - other.scaledTo(scale)
    return difference < 0n ? -1 : Number(difference > 0n)
  }

  scaledTo(scale: number): bigint {
    return this.unscaled * 10n ** BigInt(scale - this.scale)
  }

  equals(other: CelObject): boolean | CelError {
    if (!(other instanceof CelQuantity)) return false
    return other.isComputed ? new CelError('no such overload') : this.compare(other) === 0
  }
}

const int64Max = 2n ** 63n - 1n

function fitsInt64(value: bigint): boolean {
  return value <= int64Max && value >= -int64Max - 1n
}

/** Reads a quantity, or returns Kubernetes' error. */
function readQuantity(text: string): CelQuantity | CelError {
  if (text === '') return wrongFormat
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*)([-+]?)(\d*)$/.exec(text)
  if (match === null) return wrongFormat
  const [, sign = '', whole = '', fraction = '', letters = '', exponentSign = '', digits = ''] =
    match
  const suffix = letters + exponentSign + digits
  const decimal = decimalExponent(suffix)
  const binary = binarySuffixes.get(suffix)
  if (decimal === undefined && binary === undefined) return wrongSuffix
  if (whole === '' && fraction === '' && !/^[+-]?\.?/.test(text)) return wrongNumber
  const number = BigInt(`${whole}${fraction}` === '' ? 0 : `${whole}${fraction}`)
  const signed = sign === '-' ? -number : number
  if (whole === '' && fraction === '' && text.includes('.')) return wrongNumber
  const kept = whole.replace(/^0+/, '') || '0'
  return binary === undefined
    ? decimalQuantity(signed, decimal ?? 0, { whole: kept.length, fraction: fraction.length })
    : binaryQuantity(signed, binary, { whole: kept.length, fraction: fraction.length })
}

function decimalExponent(suffix: string): number | undefined {
  const known = decimalSuffixes.get(suffix)
  if (known !== undefined) return known
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1]
  return exponent === undefined ? undefined : Number(exponent)
}

/** The numbers of digits before and after the point. */
interface DigitCounts {
  readonly whole: number
  readonly fraction: number
}

function decimalQuantity(value: bigint, exponent: number, digits: DigitCounts): CelQuantity {
  const scale = digits.fraction - exponent
  const isSmall = digits.whole + digits.fraction <= 18 && scale <= 9
  return isSmall
    ? new CelQuantity(...normalized(value, scale), { isSmall, isComputed: false })
    : rounded(value, scale)
}

function binaryQuantity(value: bigint, exponent: number, digits: DigitCounts): CelQuantity {
  const product = value * 2n ** BigInt(exponent)
  const precision = 15 - digits.whole - Math.trunc((exponent * 3) / 10) - 1
  const isSmall = digits.fraction === 0 && precision >= 0 && fitsInt64(product)
  if (isSmall) return new CelQuantity(product, 0, { isSmall, isComputed: false })
  const { unscaled, scale } = rounded(product, digits.fraction)
  const limit = int64Max * 10n ** BigInt(Math.max(scale, 0))
  const capped = unscaled > limit ? limit : unscaled < -limit ? -limit : unscaled
  return new CelQuantity(capped, scale, { isSmall: false, isComputed: false })
}

/** Rounds away from zero to nanos, the smallest unit. */
function rounded(value: bigint, scale: number): CelQuantity {
  const flags = { isSmall: false, isComputed: false }
  if (scale <= 9) return new CelQuantity(value * 10n ** BigInt(9 - scale), 9, flags)
  const by = 10n ** BigInt(scale - 9)
  const quotient = value / by
  const isExact = value % by === 0n
  const up = value < 0n ? -1n : 1n
  return new CelQuantity(isExact ? quotient : quotient + up, 9, flags)
}

/** A scale below 0 becomes 0. */
function normalized(value: bigint, scale: number): [bigint, number] {
  return scale < 0 ? [value * 10n ** BigInt(-scale), 0] : [value, scale]
}

function asInteger({ unscaled, scale, isSmall }: CelQuantity): bigint | undefined {
  if (!isSmall) return undefined
  const by = 10n ** BigInt(scale)
  const value = unscaled / by
  return unscaled % by === 0n && fitsInt64(value) ? value : undefined
}

/** Go multiplies two doubles, which is less exact than reading the decimal number. */
function approximate({ unscaled, scale }: CelQuantity): number {
  return scale === 0 ? Number(unscaled) : Number(unscaled) * Number(`1e${-scale}`)
}

function calculate(one: CelQuantity, other: CelQuantity, sign: bigint): CelQuantity {
  const scale = Math.max(one.scale, other.scale)
  const sum = one.scaledTo(scale) + sign * other.scaledTo(scale)
  const isSmall = one.isSmall && other.isSmall && fitsInt64(sum)
  return new CelQuantity(sum, scale, { isSmall, isComputed: true })
}

function fromInt(value: bigint): CelQuantity {
  return new CelQuantity(value, 0, { isSmall: true, isComputed: false })
}

const asQuantity = (value: unknown): CelQuantity => value as CelQuantity

/** The functions of quantities. */
export const quantities: readonly FunctionDeclaration[] = declare({
  quantity: [
    [
      'string_to_quantity(string): kubernetes.Quantity',
      (text): CelResult => readQuantity(text as string),
    ],
  ],
  isQuantity: [
    [
      'is_quantity_string(string): bool',
      (text) => !(readQuantity(text as string) instanceof CelError),
    ],
  ],
  sign: [
    [
      'quantity_sign(kubernetes.Quantity): int',
      (value) => BigInt(asQuantity(value).compare(fromInt(0n))),
    ],
  ],
  isGreaterThan: [
    [
      '.quantity_is_greater_than(kubernetes.Quantity, kubernetes.Quantity): bool',
      (one, other) => asQuantity(one).compare(asQuantity(other)) > 0,
    ],
  ],
  isLessThan: [
    [
      '.quantity_is_less_than(kubernetes.Quantity, kubernetes.Quantity): bool',
      (one, other) => asQuantity(one).compare(asQuantity(other)) < 0,
    ],
  ],
  compareTo: [
    [
      '.quantity_compare_to(kubernetes.Quantity, kubernetes.Quantity): int',
      (one, other) => BigInt(asQuantity(one).compare(asQuantity(other))),
    ],
  ],
  asApproximateFloat: [
    ['.quantity_get_float(kubernetes.Quantity): double', (value) => approximate(asQuantity(value))],
  ],
  asInteger: [
    [
      '.quantity_get_int(kubernetes.Quantity): int',
      (value) => asInteger(asQuantity(value)) ?? new CelError('cannot convert value to integer'),
    ],
  ],
  isInteger: [
    [
      '.quantity_is_integer(kubernetes.Quantity): bool',
      (value) => asInteger(asQuantity(value)) !== undefined,
    ],
  ],
  add: [
    [
      '.quantity_add(kubernetes.Quantity, kubernetes.Quantity): kubernetes.Quantity',
      (one, other) => calculate(asQuantity(one), asQuantity(other), 1n),
    ],
    [
      '.quantity_add_int(kubernetes.Quantity, int): kubernetes.Quantity',
      (one, other) => calculate(asQuantity(one), fromInt(other as bigint), 1n),
    ],
  ],
  sub: [
    [
      '.quantity_sub(kubernetes.Quantity, kubernetes.Quantity): kubernetes.Quantity',
      (one, other) => calculate(asQuantity(one), asQuantity(other), -1n),
    ],
    [
      '.quantity_sub_int(kubernetes.Quantity, int): kubernetes.Quantity',
      (one, other) => calculate(asQuantity(one), fromInt(other as bigint), -1n),
    ],
  ],
})
