import { isJsonObject, type JsonValue } from 'setpoint/schema'
import type { ListType } from './apply-type.ts'
import { keyElement, valueElement, type PathElement } from '../fields/path-element.ts'

/** The path element of an item of a set or of a keyed list; throws when the item has none. */
export function listItemElement(list: ListType, item: JsonValue): PathElement {
  return list.keys.length > 0 ? keyedItem(list, item) : setItem(item)
}

function setItem(item: JsonValue): PathElement {
  if (isJsonObject(item)) {
    throw new Error("associative list without keys has an element that's a map type")
  }
  if (Array.isArray(item)) {
    throw new Error('not supported: associative list with lists as elements')
  }
  if (item === null) {
    throw new Error("associative list without keys has an element that's an explicit null")
  }
  return valueElement(item)
}

function keyedItem(list: ListType, item: JsonValue): PathElement {
  if (item === null) throw new Error('associative list with keys may not have a null element')
  if (!isJsonObject(item)) {
    throw new Error('associative list with keys may not have non-map elements')
  }
  const keys: [string, JsonValue][] = []
  for (const name of list.keys) {
    const value = Object.hasOwn(item, name) ? item[name] : defaultOf(list, name)
    if (value !== undefined) keys.push([name, value])
  }
  if (keys.length === 0) {
    const names = list.keys.map((name) => JSON.stringify(name)).join(' ')
    throw new Error(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    )
  }
  return keyElement(keys)
}

function defaultOf(list: ListType, name: string): JsonValue | undefined {
  const { map } = list.element
  if (map === undefined) {
    throw new Error(
      `couldn't find default value for ${name}: associative list may not have non-map types`,
    )
  }
  return map.fields.get(name)?.default ?? undefined
}
