/** Amounts with units, as rules compare them. Texts are canonical: decoding has seen to that. */
import { parseQuantity, type Quantity } from '../../codec/index.ts'

const parsed = new Map<string, Quantity>()

function quantityOf(text: string): Quantity {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const quantity = parseQuantity(text)
  // Texts come from clients: forget them before they fill the memory.
  if (parsed.size > 1000) parsed.clear()
  parsed.set(text, quantity)
  return quantity
}

/** Below zero, zero or above zero, as for sorting; a missing amount is zero. */
export function compareQuantities(a = '0', b = '0'): number {
  return a === b ? 0 : quantityOf(a).cmp(quantityOf(b))
}

/** Below zero, zero or above zero. */
export function signOf(quantity: string): number {
  return compareQuantities(quantity, '0')
}

/** The amount as a whole number, rounded away from zero. */
export function wholeValue(quantity: string): bigint {
  return quantityOf(quantity).scaledValue()
}

/** The amount in thousandths, rounded away from zero. */
export function milliValue(quantity: string): bigint {
  return quantityOf(quantity).scaledValue(-3)
}
