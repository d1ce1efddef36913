import { fieldError, nilField, type FieldError, type StructuralSchema } from 'setpoint/schema'

/**
 * Errors after which a server skips the CEL rules of a schema, because the value has a wrong type.
 */
export const blockingTypes: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

/** The error of a server that skipped the rules. */
export const rulesNotChecked: FieldError = fieldError.invalid(
  nilField,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

const known = new WeakMap<StructuralSchema, boolean>()

/** Whether a schema has CEL rules at any level. */
export function hasRules(schema: StructuralSchema): boolean {
  let answer = known.get(schema)
  if (answer === undefined) {
    answer = JSON.stringify(schema).includes('"x-kubernetes-validations":')
    known.set(schema, answer)
  }
  return answer
}
