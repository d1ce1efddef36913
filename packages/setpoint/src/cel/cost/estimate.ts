/** Ranges of sizes and costs, in unsigned 64-bit integers that stop at their maximum. */

/** The largest value. */
export const uint64Max = 2n ** 64n - 1n

/** A size or cost between two bounds. */
export interface Estimate {
  readonly min: bigint
  readonly max: bigint
}

/** A known size or cost. */
export function fixed(value: bigint): Estimate {
  return { min: value, max: value }
}

/** Nothing is known. */
export const unknownSize: Estimate = { min: 0n, max: uint64Max }

function capped(value: bigint): bigint {
  return value > uint64Max ? uint64Max : value
}

/** The sum. */
export function plus(...estimates: readonly Estimate[]): Estimate {
  let min = 0n
  let max = 0n
  for (const estimate of estimates) {
    min = capped(min + estimate.min)
    max = capped(max + estimate.max)
  }
  return { min, max }
}

/** The product. */
export function times(one: Estimate, other: Estimate): Estimate {
  return { min: capped(one.min * other.min), max: capped(one.max * other.max) }
}

/** The product with a factor, rounded up. */
export function byFactor({ min, max }: Estimate, factor: number): Estimate {
  return { min: scaled(min, factor), max: scaled(max, factor) }
}

function scaled(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor)
  return product >= 2 ** 64 ? uint64Max : BigInt(product)
}

/** The range that contains both. */
export function union(one: Estimate, other: Estimate): Estimate {
  return {
    min: one.min < other.min ? one.min : other.min,
    max: one.max > other.max ? one.max : other.max,
  }
}
