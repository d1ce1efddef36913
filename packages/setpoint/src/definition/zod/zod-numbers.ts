/** zod's numbers with their ranges and formats. */
import type * as core from 'zod/v4/core'
import type { StructuralSchema } from '../../schema/index.ts'
import { checksOf, rejectCheck, rejectCoercion } from './zod-checks.ts'
import { reject, type Place } from './zod-place.ts'

interface Bound {
  readonly value: number
  readonly isExclusive: boolean
}

export function convertNumber(schema: core.$ZodNumber, place: Place): StructuralSchema {
  if (schema._zod.def.coerce === true) return rejectCoercion(place)
  const lower: Bound[] = []
  const upper: Bound[] = []
  const divisors: number[] = []
  const formats: string[] = []
  for (const check of checksOf(schema)) {
    const { def } = check._zod
    if (def.check === 'greater_than') {
      lower.push({ value: Number(def.value), isExclusive: !def.inclusive })
    } else if (def.check === 'less_than') {
      upper.push({ value: Number(def.value), isExclusive: !def.inclusive })
    } else if (def.check === 'multiple_of') divisors.push(divisorOf(Number(def.value), place))
    else if (def.check === 'number_format') formats.push(def.format)
    else rejectCheck(check, place)
  }
  for (const { value } of [...lower, ...upper]) {
    if (Number.isNaN(value)) reject(place, 'NaN is not a bound', 'use a number')
  }
  if (formats.includes('uint32')) {
    lower.push({ value: 0, isExclusive: false })
    upper.push({ value: 2 ** 32 - 1, isExclusive: false })
  }
  const [multipleOf, ...moreDivisors] = divisors
  return {
    ...numberType(formats),
    ...lowerBound(lower.filter(isFinite), place),
    ...upperBound(upper.filter(isFinite), place),
    ...(multipleOf === undefined ? {} : { multipleOf }),
    ...(moreDivisors.length === 0
      ? {}
      : { allOf: moreDivisors.map((divisor) => ({ multipleOf: divisor })) }),
  }
}

/** An infinite bound has no effect, and JSON cannot express it. */
function isFinite({ value }: Bound): boolean {
  return Number.isFinite(value)
}

/** Servers divide whole numbers as integers, so a fraction as divisor refuses all of them. */
function divisorOf(value: number, place: Place): number {
  if (!Number.isInteger(value) || value === 0) {
    reject(
      place,
      `a server cannot check multiples of ${value}: it divides whole numbers as integers`,
      'choose a smaller unit, so that the divisor is a whole number',
    )
  }
  return Math.abs(value)
}

/** The narrowest format wins; the bounds of `z.int()` are those of a double, not of the field. */
function numberType(formats: readonly string[]): StructuralSchema {
  if (formats.includes('int32')) return { type: 'integer', format: 'int32' }
  if (formats.includes('uint32') || formats.includes('safeint')) {
    return { type: 'integer', format: 'int64' }
  }
  if (formats.includes('float32')) return { type: 'number', format: 'float' }
  if (formats.includes('float64')) return { type: 'number', format: 'double' }
  return { type: 'number' }
}

function lowerBound(bounds: readonly Bound[], place: Place): StructuralSchema {
  if (bounds.length === 0) return {}
  const minimum = Math.max(...bounds.map((bound) => bound.value))
  const isExclusive = bounds.some((bound) => bound.value === minimum && bound.isExclusive)
  rejectFraction(minimum, isExclusive === minimum > 0, place)
  return { minimum, ...(isExclusive ? { exclusiveMinimum: true } : {}) }
}

function upperBound(bounds: readonly Bound[], place: Place): StructuralSchema {
  if (bounds.length === 0) return {}
  const maximum = Math.min(...bounds.map((bound) => bound.value))
  const isExclusive = bounds.some((bound) => bound.value === maximum && bound.isExclusive)
  rejectFraction(maximum, isExclusive === maximum < 0, place)
  return { maximum, ...(isExclusive ? { exclusiveMaximum: true } : {}) }
}

/**
 * Servers compare whole numbers with a bound whose fraction is cut off: `minimum: 0.5` accepts 0.
 * Where the cut changes nothing for whole numbers (`isHarmless`), a fraction is allowed.
 */
function rejectFraction(bound: number, isHarmless: boolean, place: Place): void {
  if (Number.isInteger(bound) || isHarmless) return
  reject(
    place,
    `a server cuts the fraction off the bound ${bound} when the value is a whole number`,
    'choose a whole number as the bound, or a smaller unit',
  )
}
