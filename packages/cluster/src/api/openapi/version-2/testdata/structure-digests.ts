import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/**
 * Digests of the structure of a document of OpenAPI v2, by package of definitions and by group
 * version of paths: without descriptions, with parameters instead of references to them.
 */
export function structureDigests(document: JsonObject): Record<string, string> {
  const parts = new Map<string, JsonObject>()
  const { paths, definitions, parameters } = document
  const add = (part: string, name: string, value: JsonValue | undefined): void => {
    const known = parts.get(part) ?? {}
    parts.set(part, { ...known, [name]: value ?? null })
  }
  for (const [name, path] of Object.entries(paths as JsonObject)) {
    const [, root = '', group = '', version = ''] = name.split('/')
    add(root === 'apis' ? `/apis/${group}/${version}` : `/${root}`, name, path)
  }
  for (const [name, definition] of Object.entries(definitions as JsonObject)) {
    add(name.slice(0, name.lastIndexOf('.')), name, definition)
  }
  const digests = [...parts].map(([part, value]): [string, string] => {
    const text = JSON.stringify(structure(value, parameters as JsonObject | undefined, true))
    return [part, createHash('sha256').update(text).digest('hex').slice(0, 16)]
  })
  return Object.fromEntries(digests.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A value with sorted keys. Names are kept where descriptions would be left out. */
function structure(
  value: JsonValue | undefined,
  parameters: JsonObject | undefined,
  hasNames: boolean,
): JsonValue {
  if (Array.isArray(value)) return value.map((item) => structure(item, parameters, false))
  if (!isJsonObject(value)) return value ?? null
  const reference = value['$ref']
  if (typeof reference === 'string' && reference.startsWith('#/parameters/')) {
    return structure(parameters?.[reference.slice('#/parameters/'.length)], parameters, false)
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => hasNames || name !== 'description' || typeof item !== 'string')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [
        name,
        structure(item, parameters, !hasNames && name === 'properties'),
      ]),
  )
}
