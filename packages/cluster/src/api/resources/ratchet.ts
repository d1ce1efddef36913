import {
  isJsonObject,
  jsonEquals,
  validateValue,
  type FieldError,
  type JsonObject,
  type JsonValue,
  type StructuralSchema,
} from 'setpoint/schema'

/**
 * Forgives what was wrong before and did not change: an object that a stricter schema would refuse
 * today may still get a label or another field. An error stays when its value changed, or when the
 * stored object did not have it.
 */
export function withoutOldErrors(
  errors: readonly FieldError[],
  update: {
    readonly object: JsonObject
    readonly old: JsonObject
    readonly schema: StructuralSchema
  },
): FieldError[] {
  if (errors.length === 0) return []
  const { object, old, schema } = update
  const known = new Set(validateValue(schema, old).map(identityOf))
  return errors.filter(
    (error) =>
      !known.has(identityOf(error)) ||
      !jsonEquals(valueAt(object, error.field), valueAt(old, error.field)),
  )
}

function identityOf({ type, field, message }: FieldError): string {
  return `${type} ${field} ${message}`
}

function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    const step = name ?? index ?? ''
    if (Array.isArray(value)) value = value[Number(step)]
    else if (isJsonObject(value)) value = Object.hasOwn(value, step) ? value[step] : undefined
    else return undefined
  }
  return value
}
