import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { parseQuantity } from '../codec/index.ts'

const milli = -3

/** Quantities are rounded up to thousandths. */
export function roundQuantities(amounts: JsonValue | undefined): void {
  if (!isJsonObject(amounts)) return
  for (const name of Object.keys(amounts)) {
    const text = amounts[name]
    if (typeof text === 'string' && !/^\d+[kMGTPEi]*$/.test(text)) {
      amounts[name] = parseQuantity(text).roundedUp(milli).toText()
    }
  }
}

/** Copies the amounts that `into` does not have; undefined if both are empty. */
export function withMissingQuantities(
  into: JsonObject | undefined,
  from: JsonObject | undefined,
): JsonObject | undefined {
  if (from === undefined) return into
  const result = { ...from, ...into }
  return Object.keys(result).length === 0 ? into : result
}
