/** What functions return, as clients get it. Pure. */
import type { AnyResourceDefinition } from '../../definition/index.ts'
import { SetpointError } from '../../errors/index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../schema/index.ts'

/** An object with its metadata. */
export type ServedJson = JsonObject & { readonly metadata: JsonObject & { readonly name: string } }

/** What `list` returned. */
export interface ServedItems {
  readonly items: readonly ServedJson[]
  readonly resourceVersion: string | undefined
}

/**
 * A complete object from the result of a function; `namespace` is that of the request. Throws
 * `OPERATOR_INVALID` for anything else.
 */
export function servedObject(
  { apiVersion, kind, scope }: AnyResourceDefinition,
  result: unknown,
  namespace: string | undefined,
): ServedJson {
  const object = plain(result)
  const metadata = isJsonObject(object) ? object['metadata'] : undefined
  if (!isJsonObject(object) || !isJsonObject(metadata) || typeof metadata['name'] !== 'string') {
    throw wrongResult('an object without metadata.name', 'return { metadata: { name }, spec }')
  }
  const own = scope === 'Namespaced' ? (metadata['namespace'] ?? namespace) : undefined
  if (scope === 'Namespaced' && typeof own !== 'string') {
    throw wrongResult('an object without metadata.namespace', `${kind} is namespaced: set it`)
  }
  const { namespace: _, ...others } = metadata
  const name = metadata['name']
  return {
    ...object,
    apiVersion,
    kind,
    metadata: { ...others, name, ...(own === undefined ? {} : { namespace: own }) },
  }
}

/** The complete objects of a list, sorted by namespace and name, as a page token needs it. */
export function servedItems(
  definition: AnyResourceDefinition,
  result: unknown,
  namespace: string | undefined,
): ServedItems {
  const isList = Array.isArray(result)
  const { items, resourceVersion } = Object(result) as Record<string, unknown>
  const all: unknown = isList ? result : items
  if (!Array.isArray(all)) throw wrongResult('not a list', 'return a list, or { items }')
  const objects = all.map((one) => servedObject(definition, one, namespace))
  return {
    items: objects.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
    resourceVersion: !isList && typeof resourceVersion === 'string' ? resourceVersion : undefined,
  }
}

/** The key of an object in lists: namespace and name. */
export function keyOf({ metadata: { name, namespace } }: ServedJson): string {
  return typeof namespace === 'string' ? `${namespace}/${name}` : name
}

/** As it is sent: dates become texts, and fields that are undefined disappear. */
function plain(value: unknown): JsonValue | undefined {
  const text = JSON.stringify(value) as string | undefined
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue)
}

function wrongResult(what: string, hint: string): SetpointError {
  return new SetpointError('OPERATOR_INVALID', `it returned ${what}`, { hint })
}
