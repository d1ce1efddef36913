/**
 * Pruning: what a server does with unknown fields. The embedded server, `parse` and `convert` of a
 * definition and `setpoint generate` call it. Strict field validation needs the list of dropped
 * fields.
 */
import { compareText } from './go/go-print.ts'
import { isJsonObject, mapItems, mapValues } from './json-value.ts'
import type { JsonValue, StructuralSchema } from './structural-schema.ts'
import { schemaWithoutNulls } from './without-nulls.ts'

/** The options of pruning. */
export interface PruneOptions {
  /**
   * The value is a whole object: `apiVersion`, `kind` and `metadata` are kept without a
   * declaration.
   */
  readonly isResourceRoot?: boolean
}

/** The value without unknown fields, and the paths of the dropped ones, sorted as by the server. */
export interface PruneResult {
  readonly value: JsonValue
  /** Paths such as `spec.items[0].foo`, as in `unknown field "spec.foo"`. */
  readonly prunedPaths: readonly string[]
}

/** The three fields of every Kubernetes object: they need not be in the schema. */
export const objectFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

/**
 * Removes fields that the schema does not have. Unchanged parts are shared with the input, which is
 * never modified. Inside `metadata` nothing is pruned: the server defines it, not the schema.
 */
export function pruneUnknown(
  schema: StructuralSchema,
  value: JsonValue,
  options: PruneOptions = {},
): PruneResult {
  const prunedPaths: string[] = []
  const clean = schemaWithoutNulls(schema)
  const root: StructuralSchema =
    options.isResourceRoot === true ? { ...clean, 'x-kubernetes-embedded-resource': true } : clean
  const pruned = prune(root, value, { path: '', prunedPaths })
  return { value: pruned, prunedPaths: prunedPaths.sort(compareText) }
}

interface Place {
  readonly path: string
  readonly prunedPaths: string[]
}

function at(place: Place, step: string | number): Place {
  const { path, prunedPaths } = place
  if (typeof step === 'number') return { path: `${path}[${step}]`, prunedPaths }
  return { path: path === '' ? step : `${path}.${step}`, prunedPaths }
}

function prune(schema: StructuralSchema | undefined, value: JsonValue, place: Place): JsonValue {
  if (schema?.['x-kubernetes-preserve-unknown-fields'] === true) {
    return pruneBelowPreserved(schema, value, place)
  }
  if (Array.isArray(value)) {
    return mapItems(value, (item, index) => prune(schema?.items, item, at(place, index)))
  }
  if (!isJsonObject(value)) return value
  return mapValues(value, (item, key) => {
    const known = fieldSchema(schema, key)
    if (known === 'keep') return item
    if (known !== 'unknown') return prune(known.schema, item, at(place, key))
    // The server does not report the three object fields when it drops them at the top.
    if (schema === undefined || place.path !== '' || !objectFields.has(key)) {
      place.prunedPaths.push(at(place, key).path)
    }
    return undefined
  })
}

/** Unknown fields are kept here, but declared ones are pruned by their own schemas again. */
function pruneBelowPreserved(
  schema: StructuralSchema | undefined,
  value: JsonValue,
  place: Place,
): JsonValue {
  if (schema === undefined) return value
  if (Array.isArray(value)) {
    return mapItems(value, (item, index) =>
      pruneBelowPreserved(schema.items, item, at(place, index)),
    )
  }
  if (!isJsonObject(value)) return value
  return mapValues(value, (item, key) => {
    const known = fieldSchema(schema, key)
    return typeof known === 'string' ? item : prune(known.schema, item, at(place, key))
  })
}

/**
 * The schema of one key. `additionalProperties: true` (or `false`) keeps the key but has no schema
 * below it, so objects under it become empty, as on a server.
 */
function fieldSchema(
  schema: StructuralSchema | undefined,
  key: string,
): 'keep' | 'unknown' | { readonly schema: StructuralSchema | undefined } {
  if (schema === undefined) return 'unknown'
  if (schema['x-kubernetes-embedded-resource'] === true && objectFields.has(key)) return 'keep'
  const { properties, additionalProperties } = schema
  if (properties !== undefined && Object.hasOwn(properties, key)) return { schema: properties[key] }
  if (additionalProperties === undefined) return 'unknown'
  return { schema: typeof additionalProperties === 'boolean' ? undefined : additionalProperties }
}
