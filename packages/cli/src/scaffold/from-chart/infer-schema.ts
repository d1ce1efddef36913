import { isMap } from './is-map.ts'

/** The part of JSON Schema that a project is made from. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/**
 * A schema that accepts these values, and others like them: every field may be left out, because the
 * chart has a default for it, and maps accept more fields, because charts have values that are only
 * in comments. A null, an empty list or an empty map says nothing about its content.
 */
export function inferSchema(value: unknown): JsonSchema {
  if (typeof value === 'string') return { type: 'string' }
  if (typeof value === 'boolean') return { type: 'boolean' }
  // A fraction may replace an integer: Go prints both alike.
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' }
  if (Array.isArray(value)) return { type: 'array', items: itemSchema(value) }
  if (!isMap(value)) return {}
  const properties = Object.entries(value).map(
    ([name, one]) => [name, mayBeNumber(name, one) ? intOrString : inferSchema(one)] as const,
  )
  return { type: 'object', properties: Object.fromEntries(properties) }
}

const intOrString: JsonSchema = { 'x-kubernetes-int-or-string': true }

/** Whether Kubernetes takes a number or a text for a field with this name. */
function mayBeNumber(name: string, value: unknown): boolean {
  const isName = /^(\w*port|maxSurge|maxUnavailable|minAvailable|cpu|memory|storage)$/i.test(name)
  return isName && (typeof value === 'string' || Number.isInteger(value))
}

/** The schema of the items if all are alike; items may have fields that others do not have. */
function itemSchema(items: readonly unknown[]): JsonSchema {
  const [first, ...others] = items.map(inferSchema)
  if (first === undefined || others.some(({ type }) => type !== first['type'])) return {}
  return first['type'] === 'object' || first['type'] === 'array' ? { type: first['type'] } : first
}
