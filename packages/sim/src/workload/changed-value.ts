import type { JsonValue, StructuralSchema } from 'setpoint/schema'

/**
 * Other values of a field, by its schema. They may break a pattern or a rule: the caller drops what
 * the schema of the whole object refuses.
 */
export function changedValues(schema: StructuralSchema, value: JsonValue | undefined): JsonValue[] {
  const { enum: allowed, default: byDefault } = schema
  const present = value ?? byDefault
  if (allowed !== undefined) return allowed.filter((one) => one !== present).slice(0, 1)
  if (schema['x-kubernetes-int-or-string'] === true) return changedText(present)
  switch (schema.type) {
    case 'boolean':
      return [present !== true]
    case 'integer':
    case 'number':
      return changedNumbers(schema, typeof present === 'number' ? present : 0)
    case 'string':
      return changedText(present)
    case 'array':
      return changedList(schema, Array.isArray(present) ? present : [])
    default:
      return []
  }
}

function changedNumbers({ minimum, maximum }: StructuralSchema, value: number): number[] {
  // Two up and then back is a scale-down over more than one step.
  const candidates = [value + 2, value - 1]
  return candidates.filter((one) => one >= (minimum ?? 0) && one <= (maximum ?? Infinity))
}

/** `15.4` becomes `16.4`, `1Gi` becomes `2Gi`, `nginx` becomes `nginx-x`. */
function changedText(value: JsonValue | undefined): JsonValue[] {
  if (typeof value === 'number') return [value + 1]
  if (typeof value !== 'string' || value === '') return ['x']
  const number = /^\d+/.exec(value)?.[0]
  return number === undefined
    ? [`${value}-x`, `${value}x`]
    : [`${Number(number) + 1}${value.slice(number.length)}`]
}

function changedList({ items }: StructuralSchema, value: readonly JsonValue[]): JsonValue[] {
  const [first] = value
  if (first !== undefined) return [value.slice(1)]
  const added = items === undefined ? [] : changedValues(items, undefined)
  return added.slice(0, 1).map((one) => [one])
}
