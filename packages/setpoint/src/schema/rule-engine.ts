import type { FieldError } from './field-error.ts'
import type { JsonValue, StructuralSchema } from './structural-schema.ts'

/** Evaluates the CEL rules of a schema over a new object. */
type RuleEngine = (schema: StructuralSchema, object: JsonValue) => readonly FieldError[]

let loaded: RuleEngine | undefined

/**
 * Makes `setpoint/cel` available to code that must not import it: the engine would be in the bundle
 * of every operator. The engine calls this when it is loaded.
 */
export function useRuleEngine(engine: RuleEngine): void {
  loaded = engine
}

/** The rules that a new object breaks; `undefined` if `setpoint/cel` is not loaded. */
export function brokenRules(
  schema: StructuralSchema,
  object: JsonValue,
): readonly FieldError[] | undefined {
  return loaded?.(schema, object)
}
