import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import {
  decidedKind,
  defaultKind,
  typeOfField,
  untypedAtomic,
  type ApplyType,
  type ListType,
  type MapType,
} from '../types/apply-type.ts'
import type { FieldSet } from './field-set.ts'
import { listItemElement } from '../types/list-items.ts'
import { fieldElement } from './path-element.ts'

/**
 * The value without the fields and items of the set. A container that becomes empty is null, as on
 * a real server; defaulting and pruning handle it.
 */
export function removeFields(value: JsonValue, set: FieldSet, type: ApplyType): JsonValue {
  if (set.children.size === 0) return value
  const kind = decidedKind(type, value) ?? defaultKind(type)
  if (kind === 'scalar') return value
  if (kind === 'map' && type.map !== undefined) {
    if (!isJsonObject(value) || type.map.atomic) return null
    return removeFromMap(value, set, type.map)
  }
  if (!Array.isArray(value) || type.list === undefined || type.list.atomic) return null
  return removeFromList(value, set, type.list)
}

function removeFromMap(value: JsonObject, set: FieldSet, map: MapType): JsonValue {
  const kept: [string, JsonValue][] = []
  for (const [name, item] of Object.entries(value)) {
    const child = set.children.get(fieldElement(name))
    if (child?.member === true) continue
    const type = typeOfField(map, name) ?? untypedAtomic
    kept.push([name, child === undefined ? item : removeFields(item, child, type)])
  }
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

function removeFromList(items: readonly JsonValue[], set: FieldSet, list: ListType): JsonValue {
  const kept: JsonValue[] = []
  for (const item of items) {
    const child = set.children.get(listItemElement(list, item))
    if (child?.member === true) continue
    kept.push(child === undefined ? item : removeFields(item, child, list.element))
  }
  return kept.length === 0 ? null : kept
}
