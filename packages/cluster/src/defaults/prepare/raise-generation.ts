import type { JsonObject } from 'setpoint/schema'
import { objectAt } from './field-access.ts'

/**
 * Counts a change of an object. Kinds that do not start the counter themselves keep what their author
 * said, and that may be any int64: like Go's, the counter runs over.
 */
export function raiseGeneration(object: JsonObject, old: JsonObject): void {
  const before = objectAt(old, 'metadata')['generation'] ?? 0
  const next = typeof before === 'bigint' ? BigInt.asIntN(64, before + 1n) : Number(before) + 1
  objectAt(object, 'metadata')['generation'] = next
}
