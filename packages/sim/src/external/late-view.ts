import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { mapIn, textIn } from './model-state.ts'

/** When a view is read, and how far it is behind. */
interface ViewTime {
  readonly nowMs: number
  readonly behindMs: number
}

/**
 * A second view of a map that shows changes later: an index of objects, or what resolvers of names
 * have cached. It is kept in the state `view` of a model, because that must be JSON.
 */
export function noteChange(
  view: JsonObject,
  { key, value, ...time }: ViewTime & { readonly key: string; readonly value: JsonValue },
): void {
  if (time.behindMs <= 0) return
  const shown = mapIn(view, 'shown')
  const due = pendingIn(view).filter((change) => isDue(change, time))
  for (const change of due) show(shown, change)
  const rest = pendingIn(view).filter((change) => !isDue(change, time))
  view['pending'] = [...rest, { key, value, atMs: time.nowMs }]
}

/** What the view shows now; `current` if nothing is late. Nothing is changed. */
export function lateView(
  view: JsonValue | undefined,
  current: JsonObject,
  time: ViewTime,
): JsonObject {
  if (time.behindMs <= 0) return current
  const copy = isJsonObject(view) ? structuredClone(view) : {}
  const shown = mapIn(copy, 'shown')
  for (const change of pendingIn(copy)) if (isDue(change, time)) show(shown, change)
  return shown
}

/** Changes that the view does not show yet. A value of null removes its key. */
function pendingIn(view: JsonObject): readonly JsonObject[] {
  const { pending } = view
  return Array.isArray(pending) ? pending.filter((one) => isJsonObject(one)) : []
}

function isDue({ atMs }: JsonObject, { nowMs, behindMs }: ViewTime): boolean {
  return Number(atMs) + behindMs <= nowMs
}

function show(shown: JsonObject, change: JsonObject): void {
  const { value = null } = change
  const key = textIn(change, 'key')
  if (value === null) Reflect.deleteProperty(shown, key)
  else shown[key] = value
}
