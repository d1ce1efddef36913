import type { Random } from './host.ts'

/** The limits of a delay that doubles with each failure. */
export interface BackoffRange {
  /** The delay after the first failure. */
  readonly firstMs: number
  readonly maxMs: number
}

/** Randomness of a delay, so that clients which failed together do not retry together. */
interface Jitter {
  /** The smallest factor of a delay. */
  readonly least: number
  /** The difference between the largest and the smallest factor. */
  readonly spread: number
}

/** Beyond this many failures the delay no longer grows, so that it stays a finite number. */
const doublingsMax = 40

/**
 * The delay after this many failures in a row, at least one: it doubles with each, up to a maximum.
 */
export function exponentialBackoff(failures: number, { firstMs, maxMs }: BackoffRange): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, doublingsMax), maxMs)
}

/** The delay, multiplied by a random factor. */
export function jittered(
  delayMs: number,
  { least, spread }: Jitter,
  host: Pick<Random, 'random'>,
): number {
  return delayMs * (least + spread * host.random())
}
