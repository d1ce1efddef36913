import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import {
  decidedKind,
  defaultKind,
  typeOfField,
  type ApplyType,
  type ListType,
  type MapType,
} from './apply-type.ts'
import { listItemElement } from './list-items.ts'
import { printPathElement, type PathElement } from '../fields/path-element.ts'
import { TypedError } from './typed-error.ts'

/**
 * Merges the applied value into the live one: leaves of the applied value win, nothing is removed.
 * Undefined when both are empty.
 */
export function mergeValues(
  live: JsonValue | undefined,
  applied: JsonValue | undefined,
  type: ApplyType,
): JsonValue | undefined {
  const decidedBy = applied === undefined ? live : applied
  const kind = decidedKind(type, decidedBy) ?? defaultKind(type)
  if (kind === 'map' && type.map !== undefined) {
    const ours = isJsonObject(live) ? live : undefined
    const theirs = isJsonObject(applied) ? applied : undefined
    const isLeaf = type.map.atomic || (isBare(ours) && isBare(theirs))
    if (!isLeaf) return mergeMaps(ours, theirs, type.map)
  } else if (kind === 'list' && type.list !== undefined) {
    const ours = Array.isArray(live) ? live : []
    const theirs = Array.isArray(applied) ? applied : []
    const isLeaf = type.list.atomic || (ours.length === 0 && theirs.length === 0)
    if (!isLeaf) return mergeLists(ours, theirs, type.list)
  }
  return applied === undefined ? live : applied
}

function isBare(object: JsonObject | undefined): boolean {
  return object === undefined || Object.keys(object).length === 0
}

function mergeMaps(
  live: JsonObject | undefined,
  applied: JsonObject | undefined,
  map: MapType,
): JsonObject | undefined {
  const merged: [string, JsonValue][] = []
  const add = (name: string, ours: JsonValue | undefined, theirs: JsonValue | undefined) => {
    const type = typeOfField(map, name)
    const value = type === undefined ? (theirs ?? ours) : mergeValues(ours, theirs, type)
    if (value !== undefined) merged.push([name, value])
  }
  for (const [name, value] of Object.entries(live ?? {})) {
    add(
      name,
      value,
      applied !== undefined && Object.hasOwn(applied, name) ? applied[name] : undefined,
    )
  }
  for (const [name, value] of Object.entries(applied ?? {})) {
    if (live === undefined || !Object.hasOwn(live, name)) add(name, undefined, value)
  }
  return merged.length === 0 ? undefined : Object.fromEntries(merged)
}

interface IndexedList {
  readonly elements: PathElement[]
  /** The item of each element; null for duplicate items, which are not merged. */
  readonly byElement: ReadonlyMap<PathElement, JsonValue>
}

function indexList(
  items: readonly JsonValue[],
  list: ListType,
  allowDuplicates: boolean,
): IndexedList {
  const elements: PathElement[] = []
  const byElement = new Map<PathElement, JsonValue>()
  for (const item of items) {
    const element = listItemElement(list, item)
    const isDuplicate = byElement.has(element)
    if (isDuplicate && !allowDuplicates) {
      const message = `duplicate entries for key ${printPathElement(element)}`
      throw new TypedError([{ path: '', message }])
    }
    byElement.set(element, isDuplicate ? null : item)
    elements.push(element)
  }
  return { elements, byElement }
}

/**
 * Walks both lists together: items of both are in the applied order, live items keep their place
 * between them.
 */
function mergeLists(
  live: readonly JsonValue[],
  applied: readonly JsonValue[],
  list: ListType,
): JsonValue[] | undefined {
  const theirs = indexList(applied, list, false)
  const ours = indexList(live, list, true)
  const shared = theirs.elements.filter((element) => ours.byElement.has(element))
  const out: JsonValue[] = []
  const merged = new Set<PathElement>()
  const push = (left: JsonValue | undefined, right: JsonValue | undefined) => {
    const value = mergeValues(left, right, list.element)
    if (value !== undefined) out.push(value)
  }
  const pushApplied = (element: PathElement) => {
    merged.add(element)
    push(ours.byElement.get(element), theirs.byElement.get(element))
  }
  let next = 0
  let l = 0
  let r = 0
  while (l < ours.elements.length || r < theirs.elements.length) {
    const left = ours.elements[l]
    const right = theirs.elements[r]
    if (left !== undefined && right !== undefined) {
      if (left === right) {
        pushApplied(left)
        l += 1
        r += 1
        next += 1
        continue
      }
      const expected = shared[next]
      if (theirs.byElement.has(left) && expected !== undefined && expected !== left) {
        l += 1
        continue
      }
    }
    if (left !== undefined) {
      if (!theirs.byElement.has(left)) {
        push(live[l], undefined)
        l += 1
        continue
      }
      if (merged.has(left)) l += 1
    }
    if (right !== undefined) {
      pushApplied(right)
      r += 1
      if (shared[next] === right) next += 1
    }
  }
  return out.length === 0 ? undefined : out
}
