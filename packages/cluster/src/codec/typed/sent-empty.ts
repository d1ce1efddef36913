import type { JsonObject, JsonValue } from 'setpoint/schema'
import type { FieldPlan } from './type-plan.ts'

/**
 * Go forgets a list or map that is empty when it writes it (`omitempty`), not when it reads it. Decoding
 * forgets it at once, which spares everybody else the difference; only refusals that quote it, and a few
 * rules, can tell, so that it is remembered beside the object it was sent in. Selectors are quoted as
 * they are written, without what is empty.
 */
const remembered = new WeakMap<JsonObject, JsonObject>()

/** The fields of a decoded object that were sent empty and are not in it any more. */
export function sentEmpty(object: JsonObject): JsonObject | undefined {
  return remembered.get(object)
}

/** Every map that was sent empty: unlike a struct that nothing was set in, it means as much as none. */
export const emptyMap: JsonObject = Object.freeze({})

/** Notes which fields of an object were sent empty. */
export function rememberEmpty(
  object: JsonObject,
  fields: readonly FieldPlan[],
  slots: readonly (JsonValue | undefined)[],
): void {
  const empty: JsonObject = {}
  for (const [index, { name, shape }] of fields.entries()) {
    const value = slots[index]
    if (shape !== 'single' && value !== undefined && !Object.hasOwn(object, name)) {
      empty[name] = shape === 'map' ? emptyMap : value
    }
  }
  if (Object.keys(empty).length > 0) remembered.set(object, empty)
}
