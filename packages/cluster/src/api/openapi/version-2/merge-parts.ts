import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

const prefix = '#/definitions/'

/** The parts of a document that several servers and definitions contribute to. */
export interface Parts {
  readonly paths: JsonObject
  readonly definitions: JsonObject
}

/**
 * Adds the parts of other servers to a document. A path that exists stays as it is. A definition
 * with the name of another one gets a new name: `Thing_v2`.
 */
export function mergeParts(own: Parts, others: readonly Parts[]): Parts {
  const paths: Record<string, JsonValue> = { ...own.paths }
  const definitions: Record<string, JsonValue> = { ...own.definitions }
  for (const other of others) {
    const renamed = new Map<string, string>()
    for (const [name, definition] of Object.entries(other.definitions)) {
      const free = freeName(definitions, name, definition)
      if (free !== name) renamed.set(name, free)
    }
    for (const [name, definition] of Object.entries(other.definitions)) {
      const target = renamed.get(name) ?? name
      if (!Object.hasOwn(definitions, target)) {
        definitions[target] = withReferences(definition, renamed)
      }
    }
    for (const [path, item] of Object.entries(other.paths)) {
      if (!Object.hasOwn(paths, path)) paths[path] = withReferences(item, renamed)
    }
  }
  return { paths, definitions }
}

function freeName(known: JsonObject, name: string, definition: JsonValue): string {
  for (let version = 1; ; version += 1) {
    const candidate = version === 1 ? name : `${name}_v${version}`
    const existing = known[candidate]
    if (existing === undefined || structureOf(existing) === structureOf(definition)) {
      return candidate
    }
  }
}

/**
 * A definition without its kinds, which may differ, and without its texts: those of the embedded
 * server have none.
 */
function structureOf(definition: JsonValue): string {
  return JSON.stringify(definition, (key, value: JsonValue) => {
    if (key === 'x-kubernetes-group-version-kind') return undefined
    if (key === 'description' && typeof value === 'string') return undefined
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

function withReferences(value: JsonValue, renamed: ReadonlyMap<string, string>): JsonValue {
  if (renamed.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => withReferences(item, renamed))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key !== '$ref' || typeof item !== 'string') return [key, withReferences(item, renamed)]
      const name = renamed.get(item.replace(prefix, ''))
      return [key, name === undefined ? item : `${prefix}${name}`]
    }),
  )
}
