import { isUnknownMap, typeOfField, type ApplyType } from './apply-type.ts'
import { fieldSetNode, isEmptySet, onlyMember, type FieldSet } from '../fields/field-set.ts'
import type { PathElement } from '../fields/path-element.ts'

/**
 * Adapts a set to a schema that changed since the set was written: an owner of parts of a value
 * that became atomic owns the whole value. Returns the same set when nothing changed.
 */
export function followSchema(set: FieldSet, type: ApplyType): FieldSet {
  // Only sets with children can own parts of an atomic value.
  const isPart = set.children.size > 0
  if (type.map !== undefined) {
    if (isUnknownMap(type.map)) return set
    if (type.map.atomic) return isPart ? onlyMember : set
    const { map } = type
    return followChildren(set, (element) =>
      element.startsWith('f:') ? typeOfField(map, element.slice(2)) : map.element,
    )
  }
  if (type.scalar !== undefined || type.list === undefined) return set
  if (type.list.atomic) return isPart ? onlyMember : set
  const { element } = type.list
  return followChildren(set, () => element)
}

function followChildren(
  set: FieldSet,
  typeOf: (element: PathElement) => ApplyType | undefined,
): FieldSet {
  let changed: Map<PathElement, FieldSet> | undefined
  for (const [element, child] of set.children) {
    const type = typeOf(element)
    if (type === undefined) continue
    const next = followSchema(child, type)
    if (next === child) continue
    changed ??= new Map(set.children)
    if (isEmptySet(next)) changed.delete(element)
    else changed.set(element, next)
  }
  return changed === undefined ? set : fieldSetNode(set.member, changed)
}
