/** Comparisons of quantities. The texts are canonical after decoding. */
import { parseQuantity, type Quantity } from '../../codec/index.ts'

const parsed = new Map<string, Quantity>()

function quantityOf(text: string): Quantity {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const quantity = parseQuantity(text)
  // Clients choose the texts: the cache must not grow without limit.
  if (parsed.size > 1000) parsed.clear()
  parsed.set(text, quantity)
  return quantity
}

/** Negative, zero or positive, as for sorting; a missing quantity is zero. */
export function compareQuantities(a = '0', b = '0'): number {
  return a === b ? 0 : quantityOf(a).cmp(quantityOf(b))
}

/** Negative, zero or positive. */
export function signOf(quantity: string): number {
  return compareQuantities(quantity, '0')
}

/** The quantity as an integer, rounded away from zero. */
export function wholeValue(quantity: string): bigint {
  return quantityOf(quantity).scaledValue()
}

/** The quantity in thousandths, rounded away from zero. */
export function milliValue(quantity: string): bigint {
  return quantityOf(quantity).scaledValue(-3)
}
