/**
 * Kubernetes quantities: `500m`, `1.5Gi`, `1e3`. A quantity is an exact decimal (mantissa and power
 * of ten) and the suffix format it was written in, which decides how it is printed.
 */

/** How a quantity was written, and is printed. */
type QuantityFormat = 'decimal' | 'exponent' | 'binary'

/** A text that is not a quantity; the message is Go's. */
class QuantityError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'QuantityError'
  }
}

const formatWrong =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const suffixWrong = "unable to parse quantity's suffix"

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
/**
 * Smaller amounts are rounded up to one billionth, so that a positive amount never becomes zero.
 */
const nano = -9
const int64DigitsMax = 18
const int64Max = 2n ** 63n - 1n
const int64Min = -(2n ** 63n)
/** Above it, Go's power of ten is no longer an int64. */
const wrappedDigitsMax = 60

interface Decimal {
  readonly mantissa: bigint
  readonly exponent: number
}

/** An amount of a resource. Immutable. */
export class Quantity {
  readonly format: QuantityFormat
  readonly #mantissa: bigint
  readonly #exponent: number
  #text: string | undefined

  constructor(value: Decimal & { readonly format: QuantityFormat; readonly text?: string }) {
    this.#mantissa = value.mantissa
    this.#exponent = value.exponent
    this.format = value.format
    this.#text = value.text
  }

  get isZero(): boolean {
    return this.#mantissa === 0n
  }

  get isNegative(): boolean {
    return this.#mantissa < 0n
  }

  /** Negative, zero or positive, like the difference of two numbers. */
  cmp(other: Quantity): number {
    const signs = sign(this.#mantissa) - sign(other.#mantissa)
    if (signs !== 0 || this.isZero) return signs
    const magnitudes = this.#magnitude() - other.#magnitude()
    if (magnitudes !== 0) return magnitudes * sign(this.#mantissa)
    const [left, right] = aligned(this, other)
    return left < right ? -1 : left > right ? 1 : 0
  }

  plus(other: Quantity): Quantity {
    const [left, right, exponent] = aligned(this, other)
    const format = this.isZero ? other.format : this.format
    return new Quantity({ mantissa: left + right, exponent, format })
  }

  minus(other: Quantity): Quantity {
    const [left, right, exponent] = aligned(this, other)
    const format = this.isZero ? other.format : this.format
    return new Quantity({ mantissa: left - right, exponent, format })
  }

  /**
   * The amount in units of 10^scale, rounded away from zero like Go's Value(). One that does not fit
   * in an int64 becomes zero or overflows, as in Go.
   */
  scaledValue(scale = 0): bigint {
    const digits = this.#magnitude() - this.#exponent
    const isSmall = this.format === 'binary' ? isInt64(this.#mantissa) : digits <= int64DigitsMax
    if (this.#magnitude() - scale > wrappedDigitsMax) return isSmall ? 0n : int64Min
    const value = this.#inUnitsOf(scale)
    if (isInt64(value)) return value
    return isSmall ? 0n : BigInt.asIntN(64, value)
  }

  /** The amount rounded up (away from zero) to whole units of 10^scale; itself if it is whole. */
  roundedUp(scale: number): Quantity {
    if (this.#exponent >= scale) return this
    const { mantissa, exponent } = rescaled(this.decimal, scale)
    return new Quantity({ mantissa, exponent, format: this.format })
  }

  #inUnitsOf(scale: number): bigint {
    return rescaled(this.decimal, scale).mantissa
  }

  /** The nearest floating point number. */
  toNumber(): number {
    return Number(`${this.#mantissa}e${this.#exponent}`)
  }

  get decimal(): Decimal {
    return { mantissa: this.#mantissa, exponent: this.#exponent }
  }

  /** The canonical text, which a server stores and prints. */
  toText(): string {
    return (this.#text ??= canonicalText(this))
  }

  #magnitude(): number {
    const digits = this.#mantissa.toString().length - (this.isNegative ? 1 : 0)
    return digits + this.#exponent
  }
}

function isInt64(value: bigint): boolean {
  return value >= int64Min && value <= int64Max
}

function sign(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0
}

function aligned(a: Quantity, b: Quantity): [bigint, bigint, number] {
  const left = a.decimal
  const right = b.decimal
  const exponent = Math.min(left.exponent, right.exponent)
  return [
    left.mantissa * 10n ** BigInt(left.exponent - exponent),
    right.mantissa * 10n ** BigInt(right.exponent - exponent),
    exponent,
  ]
}

/** The same amount in units of 10^scale, rounded away from zero. */
function rescaled({ mantissa, exponent }: Decimal, scale: number): Decimal & { exact: boolean } {
  if (exponent >= scale) {
    const shifted = mantissa * 10n ** BigInt(exponent - scale)
    return { mantissa: shifted, exponent: scale, exact: true }
  }
  const digits = mantissa.toString().length
  if (scale - exponent > digits) {
    return { mantissa: BigInt(sign(mantissa)), exponent: scale, exact: mantissa === 0n }
  }
  const divisor = 10n ** BigInt(scale - exponent)
  const quotient = mantissa / divisor
  const exact = quotient * divisor === mantissa
  const rounded = exact ? quotient : quotient + BigInt(sign(mantissa))
  return { mantissa: rounded, exponent: scale, exact }
}

function canonicalText(quantity: Quantity): string {
  if (quantity.isZero) return '0'
  const { format, decimal } = quantity
  if (format !== 'binary') return decimalText(decimal, format)
  const whole = rescaled(decimal, 0)
  const isSmall = whole.mantissa > -1024n && whole.mantissa < 1024n
  return isSmall || !whole.exact ? decimalText(decimal, 'decimal') : binaryText(whole.mantissa)
}

function binaryText(value: bigint): string {
  let mantissa = value
  let thousands = 0
  while (mantissa % 1024n === 0n) {
    mantissa /= 1024n
    thousands++
  }
  return `${mantissa}${binarySuffixes[thousands] ?? ''}`
}

function decimalText(decimal: Decimal, format: QuantityFormat): string {
  const digits = decimal.mantissa.toString()
  const significant = digits.replace(/0+$/, '')
  let exponent = decimal.exponent + digits.length - significant.length
  const zeros = ((exponent % 3) + 3) % 3
  exponent -= zeros
  const number = significant + '0'.repeat(zeros)
  if (format === 'exponent') return exponent === 0 ? number : `${number}e${exponent}`
  return number + (decimalSuffixes[exponent / 3 + 3] ?? '')
}

interface Suffix {
  readonly format: QuantityFormat
  /** A power of ten, or of two for binary suffixes. */
  readonly exponent: number
}

function readSuffix(text: string): Suffix {
  const decimal = decimalSuffixes.indexOf(text)
  if (decimal >= 0) return { format: 'decimal', exponent: (decimal - 3) * 3 }
  const binary = binarySuffixes.indexOf(text)
  if (binary >= 0) return { format: 'binary', exponent: binary * 10 }
  if (!/^[eE][+-]?\d+$/.test(text) || text.length > 18) throw new QuantityError(suffixWrong)
  return { format: 'exponent', exponent: Number(text.slice(1)) | 0 }
}

const parts = /^([+-]?)0*(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/

/** Parses a quantity; throws a QuantityError with Go's message. */
export function parseQuantity(text: string): Quantity {
  const match = text === '' ? null : parts.exec(text)
  if (match === null) throw new QuantityError(formatWrong)
  const [, minus = '', digits = '', fraction = '', suffix = ''] = match
  const { format, exponent } = readSuffix(suffix)
  const integer = digits === '' ? '0' : digits
  const magnitude = BigInt(integer + fraction)
  const mantissa = minus === '-' ? -magnitude : magnitude
  if (isInInt64Range({ integer, fraction, format, exponent })) {
    return ofInt64({ text, shifted: integer + fraction, mantissa, format, exponent, fraction })
  }
  const power = format === 'binary' ? 0 : exponent
  const factor = format === 'binary' ? 2n ** BigInt(exponent) : 1n
  return ofDecimal({ mantissa: mantissa * factor, exponent: power - fraction.length }, format)
}

/** A small number without a suffix, as most quantities are. It is its own canonical text. */
const plainNumber = /^[1-9]\d{0,14}$/

/** The canonical text of a quantity; throws a QuantityError with Go's message. */
export function canonicalQuantity(text: string): string {
  if (plainNumber.test(text) && !text.endsWith('000')) return text
  return parseQuantity(text).toText()
}

/**
 * Whether Go reads the same number and scale from both texts of an amount, of which the second is
 * canonical. It keeps a binary number without its suffix, and the text if that is short.
 */
export function isSameQuantityValue(text: string, canonical: string): boolean {
  if (text === canonical) return true
  const { format, decimal } = parseQuantity(canonical)
  const number = /^\d+/.exec(canonical)?.[0] ?? ''
  return (
    format === 'binary' && decimal.exponent === 0 && !text.includes('.') && Number(number) % 8 === 0
  )
}

interface Parts {
  readonly integer: string
  readonly fraction: string
  readonly format: QuantityFormat
  readonly exponent: number
}

/** Whether Go uses an int64, which decides whether the original text can be kept. */
function isInInt64Range({ integer, fraction, format, exponent }: Parts): boolean {
  if (format === 'binary') {
    return fraction === '' && 14 - integer.length - Math.floor((exponent * 3) / 10) >= 0
  }
  const digits = integer.length + fraction.length
  return digits <= int64DigitsMax && exponent - fraction.length >= nano
}

interface Int64Parts {
  readonly text: string
  readonly shifted: string
  readonly mantissa: bigint
  readonly format: QuantityFormat
  readonly exponent: number
  readonly fraction: string
}

function ofInt64({ text, shifted, mantissa, format, exponent, fraction }: Int64Parts): Quantity {
  if (format === 'binary') {
    const value = { mantissa: mantissa * 2n ** BigInt(exponent), exponent: 0, format }
    return new Quantity((mantissa & 7n) === 0n ? value : { ...value, text })
  }
  const value = { mantissa, exponent: exponent - fraction.length, format }
  const isCanonical =
    value.exponent % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0')
  return new Quantity(isCanonical ? { ...value, text } : value)
}

function ofDecimal(exact: Decimal, format: QuantityFormat): Quantity {
  const value = exact.exponent < nano ? rescaled(exact, nano) : exact
  if (format !== 'binary') return new Quantity({ ...value, format })
  const max = new Quantity({ mantissa: int64Max, exponent: 0, format })
  const magnitude = value.mantissa < 0n ? -value.mantissa : value.mantissa
  const size = new Quantity({ mantissa: magnitude, exponent: value.exponent, format })
  if (size.cmp(max) > 0) {
    const capped = value.mantissa < 0n ? -int64Max : int64Max
    return new Quantity({ mantissa: capped, exponent: 0, format })
  }
  const one = new Quantity({ mantissa: 1n, exponent: 0, format })
  const isFraction = !size.isZero && size.cmp(one) < 0
  return new Quantity({ ...value, format: isFraction ? 'decimal' : format })
}
