import { isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'
import {
  decidedKind,
  defaultKind,
  typeOfField,
  type ApplyType,
  type ListType,
  type MapType,
  type ValueKind,
} from './apply-type.ts'
import { scalarProblems } from './check-type.ts'
import { hasRewrittenList } from '../../codec/index.ts'
import { FieldSetBuilder, type FieldSet } from '../fields/field-set.ts'
import { listItemElement } from './list-items.ts'
import { fieldElement, type PathElement } from '../fields/path-element.ts'
import { TypedError } from './typed-error.ts'

/** The differing fields of two values of a type; the sets are disjoint. */
export interface Comparison {
  readonly removed: FieldSet
  readonly modified: FieldSet
  readonly added: FieldSet
}

interface Walk {
  readonly path: PathElement[]
  readonly removed: FieldSetBuilder
  readonly modified: FieldSetBuilder
  readonly added: FieldSetBuilder
}

/** Compares an object before and after a change. */
export function compareValues(before: JsonValue, after: JsonValue, type: ApplyType): Comparison {
  const walk: Walk = {
    path: [],
    removed: new FieldSetBuilder(),
    modified: new FieldSetBuilder(),
    added: new FieldSetBuilder(),
  }
  compareNode(walk, { before, after, type })
  return {
    removed: walk.removed.build(),
    modified: walk.modified.build(),
    added: walk.added.build(),
  }
}

interface Pair {
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
  readonly type: ApplyType
}

function compareNode(walk: Walk, pair: Pair): void {
  const { before, after, type } = pair
  if (before === after) return
  const kindBefore = decidedKind(type, before)
  const kindAfter = decidedKind(type, after)
  let isLeaf: boolean
  if (after === undefined) isLeaf = compareAs(kindBefore ?? defaultKind(type), walk, pair)
  else {
    // A value that changed its kind is compared as both kinds.
    if (before !== undefined && kindBefore !== kindAfter) {
      compareAs(kindBefore ?? defaultKind(type), walk, pair)
    }
    isLeaf = compareAs(kindAfter ?? defaultKind(type), walk, pair)
  }
  if (isLeaf) return
  if (before === undefined) walk.added.insert(walk.path)
  else if (after === undefined) walk.removed.insert(walk.path)
}

/** Compares as one kind; true when the values are leaves. */
function compareAs(kind: ValueKind, walk: Walk, pair: Pair): boolean {
  const { before, after, type } = pair
  if (kind === 'map' && type.map !== undefined) {
    const ours = isJsonObject(before) ? before : undefined
    const theirs = isJsonObject(after) ? after : undefined
    if (!type.map.atomic && !(isBare(ours) && isBare(theirs))) {
      compareMaps(walk, type.map, [ours ?? {}, theirs ?? {}])
      return false
    }
  } else if (kind === 'list' && type.list !== undefined) {
    const ours = Array.isArray(before) ? before : []
    const theirs = Array.isArray(after) ? after : []
    if (!type.list.atomic && ours.length + theirs.length > 0) {
      compareLists(walk, type.list, [ours, theirs])
      return false
    }
  } else {
    const lhs = scalarProblems(type.scalar, before, 'lhs: ')
    const rhs = scalarProblems(type.scalar, after, 'rhs: ')
    if (lhs.length > 0 && rhs.length > 0) throw new TypedError([...lhs, ...rhs])
  }
  if (before === undefined) walk.added.insert(walk.path)
  else if (after === undefined) walk.removed.insert(walk.path)
  else if (!jsonEquals(before, after) || hasRewrittenList(after)) walk.modified.insert(walk.path)
  return true
}

function isBare(object: JsonObject | undefined): boolean {
  return object === undefined || Object.keys(object).length === 0
}

function compareMaps(walk: Walk, map: MapType, [before, after]: [JsonObject, JsonObject]): void {
  const visit = (name: string, ours: JsonValue | undefined, theirs: JsonValue | undefined) => {
    const type = typeOfField(map, name)
    if (type === undefined) return
    walk.path.push(fieldElement(name))
    compareNode(walk, { before: ours, after: theirs, type })
    walk.path.pop()
  }
  for (const [name, value] of Object.entries(before)) {
    visit(name, value, Object.hasOwn(after, name) ? after[name] : undefined)
  }
  for (const [name, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, name)) visit(name, undefined, value)
  }
}

function itemsByElement(
  items: readonly JsonValue[],
  list: ListType,
): Map<PathElement, JsonValue[]> {
  const groups = new Map<PathElement, JsonValue[]>()
  for (const item of items) {
    const element = listItemElement(list, item)
    const group = groups.get(element)
    if (group === undefined) groups.set(element, [item])
    else group.push(item)
  }
  return groups
}

function compareLists(walk: Walk, list: ListType, lists: [JsonValue[], JsonValue[]]): void {
  const before = itemsByElement(lists[0], list)
  const after = itemsByElement(lists[1], list)
  const compareItem = (
    element: PathElement,
    ours: JsonValue | undefined,
    theirs: JsonValue | undefined,
  ) => {
    walk.path.push(element)
    compareNode(walk, { before: ours, after: theirs, type: list.element })
    walk.path.pop()
  }
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    const ours = before.get(element) ?? []
    const theirs = after.get(element) ?? []
    if (ours.length < 2 && theirs.length < 2) {
      compareItem(element, ours[0], theirs[0])
    } else if (ours.length >= 2 && theirs.length >= 2) {
      // Duplicate items count as one item.
      if (!jsonEquals(ours, theirs)) walk.modified.insert(walk.path, element)
    } else if (ours.length >= 2) {
      if (theirs.length > 0) compareItem(element, undefined, theirs[0])
      walk.removed.insert(walk.path, element)
    } else {
      if (ours.length > 0) compareItem(element, ours[0], undefined)
      walk.added.insert(walk.path, element)
    }
  }
}
