import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type StructuralSchema,
} from 'setpoint/schema'

/** Another value of a field. */
export interface ChangedValue {
  /** `undefined` removes the field. */
  readonly value: JsonValue | undefined
  /** Whether the value is valid by the schema, but nothing can run with it. */
  readonly isBad?: boolean
}

/** A field and its value. */
interface PresentField {
  readonly name: string
  readonly schema: StructuralSchema
  readonly value: JsonValue | undefined
}

/** No node has this label, so a pod that needs it stays pending. */
const unknownLabel = { 'simulation.setpoint.dev/no-node': 'true' }

/**
 * Other values of a field, by its name and schema. They may break a pattern or a rule: the caller
 * drops what the schema of the whole object refuses.
 */
export function changedValues(
  { name, schema, value }: PresentField,
  badImage: string,
): ChangedValue[] {
  const present = value ?? schema.default
  const bad: ChangedValue[] =
    /image$/i.test(name) && schema.type === 'string' ? [{ value: badImage, isBad: true }] : []
  const good = valuesOf(name, schema, present).map((one) => ({ value: one }))
  const isRemovable = value !== undefined && schema.default === undefined
  const removed: ChangedValue[] = isRemovable ? [{ value: undefined }] : []
  const isSelector = /^nodeSelector$/.test(name) && schema.type === 'object'
  if (isSelector) return [{ value: unknownLabel, isBad: true }, ...removed]
  return [...good, ...bad, ...removed]
}

function valuesOf(
  name: string,
  schema: StructuralSchema,
  present: JsonValue | undefined,
): JsonValue[] {
  const { enum: allowed } = schema
  if (allowed !== undefined) return allowed.filter((one) => one !== present).slice(0, 2)
  if (schema['x-kubernetes-int-or-string'] === true) return changedText(present)
  switch (schema.type) {
    case 'boolean':
      return [present !== true]
    case 'integer':
    case 'number':
      return changedNumbers(name, schema, typeof present === 'number' ? present : 0)
    case 'string':
      return changedText(present)
    case 'array':
      return changedList(name, schema, Array.isArray(present) ? present : [])
    case 'object':
      return changedMap(name, schema, isJsonObject(present) ? present : {})
    default:
      return []
  }
}

function changedNumbers(
  name: string,
  { minimum = 0, maximum = Infinity }: StructuralSchema,
  value: number,
): number[] {
  const least = Math.max(0, minimum)
  const isCount = /replicas|size|count|members|nodes|instances/i.test(name)
  // Two up and then back is a scale-down over more than one step.
  const candidates = new Set([value + 2, value - 1, ...(isCount && value > least ? [least] : [])])
  return [...candidates].filter((one) => one >= least && one <= maximum)
}

/** `15.4` becomes `16.4`, `1Gi` becomes `2Gi`, `nginx:1` becomes `nginx:2`, `nginx` `nginx-x`. */
function changedText(value: JsonValue | undefined): JsonValue[] {
  if (typeof value === 'number') return [value + 1]
  if (typeof value !== 'string' || value === '') return ['x']
  const number = /^\d+/.exec(value)?.[0]
  if (number !== undefined) return [`${Number(number) + 1}${value.slice(number.length)}`]
  const tag = /:(\d+)([^:/]*)$/.exec(value)
  if (tag !== null) return [`${value.slice(0, tag.index)}:${Number(tag[1]) + 1}${tag[2] ?? ''}`]
  return [`${value}-x`, `${value}x`]
}

/** One element less, and one more. */
function changedList(
  name: string,
  { items }: StructuralSchema,
  value: readonly JsonValue[],
): JsonValue[] {
  const added = items === undefined ? [] : newValue(name, items)
  const more = added.slice(0, 1).map((one) => [...value, one])
  return value.length > 0 ? [value.slice(1), ...more] : more
}

/** A key that is added, and one that is removed. */
function changedMap(name: string, schema: StructuralSchema, value: JsonObject): JsonValue[] {
  const { additionalProperties } = schema
  if (additionalProperties === undefined || typeof additionalProperties === 'boolean') return []
  const added = newValue(name, additionalProperties)
  const more = added.slice(0, 1).map((one) => ({ ...value, 'simulated.key': one }))
  const [first] = Object.keys(value)
  if (first === undefined) return more
  const { [first]: _, ...rest } = value
  return [...more, rest]
}

/** A value of a schema, where there is none yet. */
function newValue(name: string, schema: StructuralSchema): JsonValue[] {
  if (schema.type !== 'object' || schema.properties === undefined) {
    return valuesOf(name, schema, schema.default)
  }
  const fields = Object.entries(schema.properties).flatMap(([field, inner]) => {
    if (schema.required?.includes(field) !== true) return []
    const [value] = newValue(field, inner)
    return value === undefined ? [] : [[field, value] as const]
  })
  return [Object.fromEntries(fields)]
}
