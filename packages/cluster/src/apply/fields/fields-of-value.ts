import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import {
  decidedKind,
  defaultKind,
  typeOfField,
  type ApplyType,
  type ListType,
  type MapType,
} from '../types/apply-type.ts'
import { emptyFieldSet, fieldSetNode, isEmptySet, onlyMember, type FieldSet } from './field-set.ts'
import { listItemElement } from '../types/list-items.ts'
import { fieldElement, type PathElement } from './path-element.ts'

/**
 * Every leaf and every list item of the value: the fields that its applier owns. The value must
 * match the type.
 */
export function fieldsOfValue(value: JsonValue, type: ApplyType): FieldSet {
  const kind = decidedKind(type, value) ?? defaultKind(type)
  if (kind === 'scalar') return onlyMember
  if (kind === 'map' && type.map !== undefined) {
    if (type.map.atomic) return onlyMember
    return isJsonObject(value) ? fieldsOfMap(value, type.map) : emptyFieldSet
  }
  if (type.list === undefined || type.list.atomic) return onlyMember
  return Array.isArray(value) ? fieldsOfList(value, type.list) : emptyFieldSet
}

function asMember(set: FieldSet): FieldSet {
  return set.member ? set : fieldSetNode(true, set.children)
}

function isEmptyOrNull(value: JsonValue): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0)
}

function fieldsOfMap(value: JsonObject, map: MapType): FieldSet {
  const children = new Map<PathElement, FieldSet>()
  for (const [name, item] of Object.entries(value)) {
    const type = typeOfField(map, name)
    if (type === undefined) continue
    const set = fieldsOfValue(item, type)
    // Keys of maps are owned themselves; declared fields only through their content.
    const owned = isEmptyOrNull(item) || !map.fields.has(name) ? asMember(set) : set
    if (!isEmptySet(owned)) children.set(fieldElement(name), owned)
  }
  return fieldSetNode(false, children)
}

function fieldsOfList(items: readonly JsonValue[], list: ListType): FieldSet {
  const children = new Map<PathElement, FieldSet>()
  for (const item of items) {
    const element = listItemElement(list, item)
    // Duplicate items are owned as one item.
    const isDuplicate = children.has(element)
    children.set(element, isDuplicate ? onlyMember : asMember(fieldsOfValue(item, list.element)))
  }
  return fieldSetNode(false, children)
}

/**
 * Adds the declared fields on the way to each path. Sets usually omit them, but they are needed to
 * find fields that were removed together with their content.
 */
export function withDeclaredFields(set: FieldSet, type: ApplyType | undefined): FieldSet {
  const children = new Map<PathElement, FieldSet>()
  for (const [element, child] of set.children) {
    const below = withDeclaredFields(child, typeBelow(type, element))
    const isDeclared =
      child.children.size > 0 &&
      element.startsWith('f:') &&
      type?.map?.fields.has(element.slice(2)) === true
    children.set(element, isDeclared ? asMember(below) : below)
  }
  return fieldSetNode(set.member, children)
}

function typeBelow(type: ApplyType | undefined, element: PathElement): ApplyType | undefined {
  if (element.startsWith('f:') && type?.map !== undefined) {
    return typeOfField(type.map, element.slice(2))
  }
  return element.startsWith('k:') ? type?.list?.element : undefined
}
