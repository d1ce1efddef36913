import {
  isJsonObject,
  jsonEquals,
  validateValue,
  type FieldError,
  type JsonObject,
  type JsonValue,
  type StructuralSchema,
} from 'setpoint/schema'

/** An update with the schema that validates it. */
interface ValidatedUpdate {
  readonly object: JsonObject
  readonly old: JsonObject
  readonly schema: StructuralSchema
}

/**
 * Validation ratcheting: drops errors about values that did not change, so that an object which a
 * stricter schema would refuse today can still get a label or another field. An error is dropped if
 * its value, or a value that contains it, did not change. Items of a list are compared by the
 * schema's list keys; in lists without keys, old and new items cannot be matched.
 */
export function withoutOldErrors(
  errors: readonly FieldError[],
  update: ValidatedUpdate,
): FieldError[] {
  if (errors.length === 0) return []
  const isDuplicate = ({ type }: FieldError) => type === 'FieldValueDuplicate'
  const hadDuplicates =
    errors.some(isDuplicate) && validateValue(update.schema, update.old).some(isDuplicate)
  const known: KnownComparisons = new Map()
  return errors.filter((error) =>
    isDuplicate(error) ? !hadDuplicates : !isUnchanged(error, update, known),
  )
}

/** A value with the old value of the same field. */
interface Correlated {
  readonly value: JsonValue
  readonly old: JsonValue
  readonly schema: StructuralSchema
}

/** Whether values are equal to their old ones. A value contains the values of many errors. */
type KnownComparisons = Map<JsonValue, boolean>

function isUnchanged(
  error: FieldError,
  { object, old, schema }: ValidatedUpdate,
  known: KnownComparisons,
): boolean {
  let at: Correlated | undefined = { value: object, old, schema }
  let rest = error.field
  while (at !== undefined) {
    let isEqual = typeof at.value === 'object' ? known.get(at.value) : undefined
    isEqual ??= jsonEquals(at.value, at.old)
    known.set(at.value, isEqual)
    if (isEqual) return true
    const step: Step | undefined = nextStep(at.value, rest)
    // A missing field is an error of its parent, and the parent has changed.
    if (step === undefined) return false
    at = correlated(at, step.name)
    rest = step.rest
  }
  return false
}

interface Step {
  readonly name: string | number
  readonly rest: string
}

/** The first step of a path; names of fields may contain dots. */
function nextStep(value: JsonValue, path: string): Step | undefined {
  const index = /^\[(\d+)\]\.?/.exec(path)
  if (index !== null && Array.isArray(value)) {
    return { name: Number(index[1]), rest: path.slice(index[0].length) }
  }
  if (!isJsonObject(value)) return undefined
  const bracketed = /^\[([^\]]*)\]\.?/.exec(path)
  if (bracketed?.[1] !== undefined && Object.hasOwn(value, bracketed[1])) {
    return { name: bracketed[1], rest: path.slice(bracketed[0].length) }
  }
  const fitting = Object.keys(value)
    .filter(
      (key) => key !== '' && path.startsWith(key) && /^(?:$|\.|\[)/.test(path.slice(key.length)),
    )
    .sort((a, b) => b.length - a.length)
  const [name] = fitting
  if (name === undefined) return undefined
  return { name, rest: path.slice(name.length).replace(/^\./, '') }
}

function correlated(
  { value, old, schema }: Correlated,
  step: string | number,
): Correlated | undefined {
  if (typeof step === 'number') return correlatedItem({ value, old, schema }, step)
  if (!isJsonObject(value) || !isJsonObject(old)) return undefined
  const inner = fieldSchema(schema, step)
  const now = Object.hasOwn(value, step) ? value[step] : undefined
  const before = Object.hasOwn(old, step) ? old[step] : undefined
  if (inner === undefined || now === undefined || before === undefined) return undefined
  return { value: now, old: before, schema: inner }
}

function fieldSchema(schema: StructuralSchema, key: string): StructuralSchema | undefined {
  const { properties = {}, additionalProperties } = schema
  if (Object.hasOwn(properties, key)) return properties[key]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

function correlatedItem({ value, old, schema }: Correlated, index: number): Correlated | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const isKeyed = schema['x-kubernetes-list-type'] === 'map'
  if (!isKeyed || !Array.isArray(value) || !Array.isArray(old)) return undefined
  const item = value[index]
  const { items } = schema
  if (item === undefined || items === undefined) return undefined
  const before = old.find((other) => keys.every((key) => sameKey(item, other, key)))
  return before === undefined ? undefined : { value: item, old: before, schema: items }
}

function sameKey(item: JsonValue, other: JsonValue, key: string): boolean {
  if (!isJsonObject(item) || !isJsonObject(other)) return false
  return jsonEquals(item[key] ?? null, other[key] ?? null)
}
