import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { emptyFieldSet, fieldSetNode, type FieldSet } from './field-set.ts'
import { comparePathElements, parsePathElement, type PathElement } from './path-element.ts'

/**
 * Prints a set as `fieldsV1` in the server's order. Keys never have the form of integers, so that
 * JavaScript keeps the order.
 */
export function toFieldsV1(set: FieldSet): JsonObject {
  const fields: JsonObject = {}
  if (set.member && set.children.size > 0) fields['.'] = {}
  const sorted = [...set.children].sort(([a], [b]) => comparePathElements(a, b))
  for (const [element, child] of sorted) fields[element] = toFieldsV1(child)
  return fields
}

/** Parses `fieldsV1`; throws when it is invalid. */
export function fromFieldsV1(fields: JsonValue | undefined): FieldSet {
  const { children } = readNode(fields ?? null)
  return children.size === 0 ? emptyFieldSet : fieldSetNode(false, children)
}

function readNode(fields: JsonValue): FieldSet {
  if (fields === null) return fieldSetNode(true, new Map())
  if (!isJsonObject(fields)) throw new Error('ReadMapCB: expect { or n, but found another value')
  const children = new Map<PathElement, FieldSet>()
  let member = false
  for (const [key, value] of Object.entries(fields)) {
    if (key === '.') {
      member = true
      continue
    }
    const element = parsePathElement(key)
    if (element !== undefined) children.set(element, readNode(value))
  }
  // A node without children is a member.
  return fieldSetNode(member || children.size === 0, children)
}
