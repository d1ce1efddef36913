import type { JsonObject } from 'setpoint/schema'
import { objectAt } from './field-access.ts'

/**
 * Increases the generation. Kinds that do not start it at 1 keep the client's value, which may be
 * any int64: the counter overflows as in Go.
 */
export function raiseGeneration(object: JsonObject, old: JsonObject): void {
  const before = objectAt(old, 'metadata')['generation'] ?? 0
  const next = typeof before === 'bigint' ? BigInt.asIntN(64, before + 1n) : Number(before) + 1
  objectAt(object, 'metadata')['generation'] = next
}
