import { isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'
import type { PatchRules } from './patch-rules.ts'
import { asObject, type ThreeStates } from './three-way-patch.ts'

/**
 * The strategic merge patch that applies a file of a built-in kind: like `threeWayMergePatch`, but
 * list items with a merge key are compared one by one, so that a container of another manager is
 * kept.
 */
export function strategicPatch(states: ThreeStates, rules: PatchRules): JsonObject {
  const { original, modified, current } = states
  const [before, after, now] = [asObject(original), asObject(modified), asObject(current)]
  const patch: JsonObject = {}
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name) && Object.hasOwn(now, name)) patch[name] = null
  }
  for (const [name, desired] of Object.entries(after)) {
    const field = rules.field(name)
    const has = Object.hasOwn(now, name) ? (now[name] as JsonValue) : undefined
    if (desired === null) {
      if (has !== undefined) patch[name] = null
      continue
    }
    const inner = { original: before[name] ?? null, modified: desired, current: has ?? null }
    if (isJsonObject(desired) && isJsonObject(has ?? {}) && field.strategy !== 'replace') {
      mergeObject(name, inner, field)
    } else if (Array.isArray(desired) && field.strategy === 'merge') {
      const list = listPatch(inner, field)
      if (list !== undefined) patch[name] = list
      const gone = field.mergeKey === undefined ? goneValues(inner) : []
      if (gone.length > 0) patch[`$deleteFromPrimitiveList/${name}`] = gone
      const order = desired.map((item) => nameOf(item, field.mergeKey))
      if (list !== undefined || gone.length > 0 || isReordered(order, inner, field.mergeKey)) {
        patch[`$setElementOrder/${name}`] = order
      }
    } else if (has === undefined || !jsonEquals(desired, has)) patch[name] = desired
  }

  function mergeObject(name: string, inner: ThreeStates, field: PatchRules): void {
    const changes = strategicPatch(inner, field)
    const isNew = !Object.hasOwn(now, name)
    const { retainsKeys } = field
    const others = Object.keys(asObject(inner.current)).some(
      (key) => !Object.hasOwn(asObject(inner.modified), key),
    )
    if (Object.keys(changes).length > 0 || isNew) {
      const keys = Object.keys(asObject(inner.modified)).sort()
      patch[name] = retainsKeys && others ? { $retainKeys: keys, ...changes } : changes
    }
  }

  return patch
}

/** The changed, new and removed items of a list; `undefined` when nothing changes. */
function listPatch(
  { original, modified, current }: ThreeStates,
  rules: PatchRules,
): JsonValue[] | undefined {
  const { mergeKey } = rules
  const [before, after, now] = [original, modified, current].map((list) =>
    Array.isArray(list) ? list : [],
  ) as [JsonValue[], JsonValue[], JsonValue[]]
  if (mergeKey === undefined) {
    const missing = after.filter((item) => !now.some((other) => jsonEquals(item, other)))
    return missing.length === 0 ? undefined : missing
  }
  const find = (list: readonly JsonValue[], item: JsonValue): JsonValue | undefined =>
    list.find((other) => jsonEquals(keyOf(other, mergeKey), keyOf(item, mergeKey)))
  const changes: JsonValue[] = after.flatMap((item) => {
    const has = find(now, item)
    if (has === undefined) return [item]
    const states = { original: find(before, item) ?? null, modified: item, current: has }
    const inner = strategicPatch(states, rules.items)
    if (Object.keys(inner).length === 0) return []
    return [{ ...inner, [mergeKey]: keyOf(item, mergeKey) }]
  })
  const gone = before
    .filter((item) => find(after, item) === undefined && find(now, item) !== undefined)
    .map((item): JsonValue => ({ $patch: 'delete', [mergeKey]: keyOf(item, mergeKey) }))
  const patch = [...changes, ...gone]
  return patch.length === 0 ? undefined : patch
}

/** An item in a `$setElementOrder` list. */
function nameOf(item: JsonValue, mergeKey: string | undefined): JsonValue {
  return mergeKey === undefined ? item : { [mergeKey]: keyOf(item, mergeKey) }
}

/**
 * Whether the items that the server also has are in another order there. New items would come first
 * without it.
 */
function isReordered(
  order: readonly JsonValue[],
  { current }: ThreeStates,
  mergeKey: string | undefined,
): boolean {
  const now = (Array.isArray(current) ? current : []).map((item) => nameOf(item, mergeKey))
  const isIn = (list: readonly JsonValue[]) => (item: JsonValue) =>
    list.some((other) => jsonEquals(other, item))
  return !jsonEquals(now.filter(isIn(order)), order.filter(isIn(now)))
}

function goneValues({ original, modified, current }: ThreeStates): JsonValue[] {
  if (!Array.isArray(original) || !Array.isArray(modified) || !Array.isArray(current)) return []
  const has = (list: readonly JsonValue[], item: JsonValue): boolean =>
    list.some((other) => jsonEquals(other, item))
  return original.filter((item) => !has(modified, item) && has(current, item))
}

function keyOf(item: JsonValue, mergeKey: string): JsonValue {
  return asObject(item)[mergeKey] ?? null
}
