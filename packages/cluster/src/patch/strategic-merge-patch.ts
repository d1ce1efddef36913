import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { mergeListItems, mergeOrderedList } from './merge-list.ts'
import { withoutNullFields } from './merge-patch.ts'
import { patchSchemaOf, type PatchSchema } from './patch-schema.ts'
import { malformed, schemaProblem, unknownDirective } from './strategic-errors.ts'
import { withoutDirectives } from './without-directives.ts'

const directive = '$patch'
const deleteFromList = '$deleteFromPrimitiveList'
const elementOrder = '$setElementOrder'
const retainKeys = '$retainKeys'

/**
 * Applies a strategic merge patch to an object of a built-in kind: lists with a merge key are
 * merged item by item, and directives such as `$patch` are applied. Throws the ApiError of a real
 * server.
 */
export function applyStrategicMergePatch(
  target: JsonObject,
  patch: JsonObject,
  definitionName: string,
): JsonObject {
  try {
    return mergeMaps(target, patch, patchSchemaOf(definitionName))
  } catch (error) {
    throw schemaProblem(error)
  }
}

/** Merges one level; also called for the items of lists. */
function mergeMaps(live: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject {
  if (Object.hasOwn(patch, directive)) return applyDirective(patch)
  const merged = new Map(Object.entries(live))
  const rest = new Map(Object.entries(patch))
  keepOnlyRetained(merged, rest)
  mergeOrdered(merged, rest, schema)
  for (const [key, value] of rest) mergeField({ merged, key, value, schema })
  return Object.fromEntries(merged)
}

function applyDirective(patch: JsonObject): JsonObject {
  const { [directive]: what, ...content } = patch
  if (what === 'replace') return content
  if (what === 'delete') return {}
  throw unknownDirective(what ?? null, patch)
}

function isListDirective(key: string): boolean {
  return key.startsWith(deleteFromList) || key.startsWith(elementOrder)
}

function keepOnlyRetained(merged: Map<string, JsonValue>, patch: Map<string, JsonValue>): void {
  if (!patch.has(retainKeys)) return
  const list = patch.get(retainKeys)
  patch.delete(retainKeys)
  if (!Array.isArray(list)) throw malformed.retainKeys()
  const retained = new Set(list)
  for (const [key, value] of patch) {
    if (value !== null && !isListDirective(key) && !retained.has(key)) throw malformed.retainKeys()
  }
  for (const key of [...merged.keys()]) if (!retained.has(key)) merged.delete(key)
}

function fieldNamed(key: string, prefix: string): string | undefined {
  return key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : undefined
}

/** Lists with `$setElementOrder` are merged first and removed from the rest of the patch. */
function mergeOrdered(
  merged: Map<string, JsonValue>,
  patch: Map<string, JsonValue>,
  schema: PatchSchema,
): void {
  for (const [key, order] of [...patch]) {
    if (!key.startsWith(elementOrder)) continue
    patch.delete(key)
    const name = fieldNamed(key, elementOrder)
    const list = mergeOrderedList({
      name,
      order,
      live: merged.get(name ?? ''),
      patch: patch.get(name ?? ''),
      field: () => schema.field(name ?? ''),
      mergeMaps,
    })
    if (list === undefined || name === undefined) continue
    merged.set(name, list)
    patch.delete(name)
  }
}

interface FieldMerge {
  readonly merged: Map<string, JsonValue>
  readonly key: string
  readonly value: JsonValue
  readonly schema: PatchSchema
}

function mergeField({ merged, key, value, schema }: FieldMerge): void {
  const isDeletion = key.startsWith(deleteFromList)
  const name = isDeletion ? fieldNamed(key, deleteFromList) : key
  if (name === undefined) throw malformed.primitiveList()
  if (value === null) {
    merged.delete(name)
    return
  }
  const own = merged.get(name)
  if (isJsonObject(own) && isJsonObject(value)) {
    const field = schema.field(name)
    const isReplaced = field.strategy === 'replace'
    merged.set(name, isReplaced ? value : mergeMaps(own, value, field.schema))
  } else if (Array.isArray(own) && Array.isArray(value)) {
    const field = schema.field(name)
    const isMerged = field.strategy === 'merge' || isDeletion
    merged.set(
      name,
      isMerged ? mergeListItems({ live: own, patch: value, field, isDeletion, mergeMaps }) : value,
    )
  } else if (!isDeletion) {
    const clean = withoutDirectives(withoutNullFields(value))
    if (clean === undefined) merged.delete(name)
    else merged.set(name, clean)
  }
}
