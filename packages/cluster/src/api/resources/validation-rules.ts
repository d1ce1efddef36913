import { fieldError, nilField, type FieldError, type StructuralSchema } from 'setpoint/schema'

/** Errors after which a server does not run the rules of a schema: they could not trust the value. */
export const blockingTypes: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

/** What a server says when it did not run them. */
export const rulesNotChecked: FieldError = fieldError.invalid(
  nilField,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

const known = new WeakMap<StructuralSchema, boolean>()

/** Tells whether a schema has rules anywhere. */
export function hasRules(schema: StructuralSchema): boolean {
  let answer = known.get(schema)
  if (answer === undefined) {
    answer = JSON.stringify(schema).includes('"x-kubernetes-validations":')
    known.set(schema, answer)
  }
  return answer
}
