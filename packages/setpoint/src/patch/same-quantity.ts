import { quantityAmount } from '../schema/quantity-amount.ts'

/**
 * Whether two values are the same quantity: the server returns `1000m` as `1`, and numbers as text.
 */
export function isSameQuantity(a: unknown, b: unknown): boolean {
  const [left, right] = [quantityAmount(a), quantityAmount(b)]
  return left !== undefined && left === right && (typeof a === 'string' || typeof b === 'string')
}
