/** `x-kubernetes-list-type`: items of a set are unique, items of a map are unique by their keys. */
import { duplicate, invalid, type FieldError } from '../field-error.ts'
import { goJson } from '../go/go-print.ts'
import { isJsonObject, schemaOfField } from '../json-value.ts'
import type { JsonValue, StructuralSchema } from '../structural-schema.ts'

/** Finds repeated items everywhere below the value; each is reported once. */
export function repeatedItems(
  schema: StructuralSchema | undefined,
  value: JsonValue,
  path: string,
): FieldError[] {
  if (schema === undefined) return []
  if (Array.isArray(value)) {
    return [
      ...repeatedIn(schema, value, path),
      ...value.flatMap((item, index) => repeatedItems(schema.items, item, `${path}[${index}]`)),
    ]
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) =>
    repeatedItems(schemaOfField(schema, key), item, fieldPath(schema, path, key)),
  )
}

/** A declared field is `path.key`, an entry of a map `path[key]`. */
export function fieldPath(schema: StructuralSchema, path: string, key: string): string {
  const { properties } = schema
  if (properties === undefined || !Object.hasOwn(properties, key)) return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}

function repeatedIn(schema: StructuralSchema, items: JsonValue[], path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  if (listType === 'set') return secondOccurrences(items, path)
  if (listType !== 'map') return []
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item))
  if (wrong !== -1) {
    const detail = 'must be an object for an array of list-type map'
    return [invalid(`${path}[${wrong}]`, items[wrong] as JsonValue, detail)]
  }
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const identities = items.map((item) => {
    const present = isJsonObject(item) ? keys.filter((key) => Object.hasOwn(item, key)) : []
    return Object.fromEntries(present.map((key) => [key, (item as Record<string, JsonValue>)[key]]))
  }) as JsonValue[]
  return secondOccurrences(identities, path)
}

function secondOccurrences(items: readonly JsonValue[], path: string): FieldError[] {
  if (items.length < 2) return []
  const seen = new Map<string, number>()
  const errors: FieldError[] = []
  for (const [index, item] of items.entries()) {
    const identity = goJson(item)
    const times = seen.get(identity) ?? 0
    seen.set(identity, times + 1)
    if (times === 1) errors.push(duplicate(`${path}[${index}]`, item))
  }
  return errors
}
