import type { StructuralSchema } from 'setpoint/schema'

/**
 * The schema of a custom resource in version 2. Old clients read a value that may be null, or that
 * has unknown fields, only if it has neither a type nor properties.
 */
export function structuralVersion2(schema: StructuralSchema): StructuralSchema {
  const { allOf: _all, oneOf: _one, anyOf: _any, not: _not, nullable, ...kept } = schema
  const { type, items, properties, required: _required, additionalProperties, ...rest } = kept
  const hasUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true
  const isOpen = nullable === true || hasUnknown
  const shownItems = isOpen ? undefined : items
  const isUntyped =
    nullable === true ||
    (type === 'array' && shownItems === undefined) ||
    (type === 'object' && hasUnknown)
  const shownProperties = isOpen ? undefined : properties
  const needed = requiredFields(schema, shownProperties)
  return {
    ...rest,
    ...(isUntyped || type === undefined ? {} : { type }),
    ...(needed === undefined ? {} : { required: needed }),
    ...(shownItems === undefined ? {} : { items: structuralVersion2(shownItems) }),
    ...(shownProperties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(shownProperties).map(([name, each]) => [name, structuralVersion2(each)]),
          ),
        }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object'
              ? structuralVersion2(additionalProperties)
              : additionalProperties,
        }),
  }
}

/** A field that may be null is not required, because its schema does not say so any more. */
function requiredFields(
  { required, additionalProperties }: StructuralSchema,
  properties: StructuralSchema['properties'],
): string[] | undefined {
  const hasNullValues =
    typeof additionalProperties === 'object' && additionalProperties.nullable === true
  if (required === undefined || hasNullValues) return undefined
  const left = required.filter((name) => properties?.[name]?.nullable !== true)
  return left.length === 0 ? undefined : left
}
