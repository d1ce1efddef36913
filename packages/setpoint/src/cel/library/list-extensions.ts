/** The list library of cel-go in version 3, sets, and the function behind `transformMap`. */
import { declare, type FunctionDeclaration } from '../types/function-declaration.ts'
import { typeOfValue } from '../evaluate/runtime-type.ts'
import { GrowingMap } from '../evaluate/growing-map.ts'
import type { CelMap } from '../values/cel-value.ts'
import { ArrayList, CelError, CelList, type CelResult, type CelValue } from '../values/cel-value.ts'
import { celCompare, celEquals } from '../values/equality.ts'

const sortable = [
  'int',
  'uint',
  'double',
  'bool',
  'duration',
  'timestamp',
  'string',
  'bytes',
] as const

/** The names of types in the ids of overloads. */
const typeNames: Readonly<Record<string, string>> = {
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
}

function slice(list: CelList, start: bigint, end: bigint): CelResult {
  const head = `cannot slice(${start}, ${end}), `
  if (start < 0n || end < 0n) return new CelError(`${head}negative indexes not supported`)
  if (start > end) {
    return new CelError(`${head}start index must be less than or equal to end index`)
  }
  if (BigInt(list.size) < end) return new CelError(`${head}list is length ${list.size}`)
  return new ArrayList([...list].slice(Number(start), Number(end)))
}

function flatten(list: CelList, depth: number): CelResult[] {
  return [...list].flatMap((element) =>
    element instanceof CelList && depth > 0 ? flatten(element, depth - 1) : [element],
  )
}

function flattenTo(list: CelValue, depth: bigint): CelResult {
  if (!(list instanceof CelList)) {
    return new CelError(`no such overload: ${typeOfValue(list).name}.flatten()`)
  }
  if (depth < 0n) return new CelError('level must be non-negative')
  return new ArrayList(flatten(list, Number(depth)))
}

function sortByKeys(list: CelList, keys: CelList): CelResult {
  if (list.size !== keys.size) {
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    )
  }
  if (list.size === 0) return list
  const values = [...keys]
  const [first = null] = values
  const isSame = values.every(
    (value) =>
      !(value instanceof CelError) &&
      !(first instanceof CelError) &&
      typeOfValue(value).name === typeOfValue(first).name,
  )
  if (first instanceof CelError || celCompare(first, first) instanceof CelError) {
    return new CelError('list elements must be comparable')
  }
  if (!isSame) return new CelError('list elements must have the same type')
  const order = values
    .map((value, index) => ({ value: value as CelValue, index }))
    .sort((one, other) => {
      const compared = celCompare(one.value, other.value)
      return compared instanceof CelError ? 0 : compared
    })
  return new ArrayList(order.map(({ index }) => list.at(index)))
}

function range(count: bigint): CelResult {
  return new ArrayList(Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i)))
}

function distinct(list: CelList): CelResult {
  const found: CelValue[] = []
  for (const element of list) {
    if (element instanceof CelError) return element
    if (!found.some((other) => celEquals(element, other) === true)) found.push(element)
  }
  return new ArrayList(found)
}

function contains(list: CelList, element: CelResult): boolean {
  if (element instanceof CelError) return false
  for (const other of list) {
    if (!(other instanceof CelError) && celEquals(other, element) === true) return true
  }
  return false
}

function containsAll(list: CelList, other: CelList): boolean {
  return [...other].every((element) => contains(list, element))
}

function insert(map: CelMap, entries: Iterable<readonly [CelValue, CelValue]>): CelResult {
  const grown = map instanceof GrowingMap ? map : copyOf(map)
  for (const [key, value] of entries) {
    const result = grown.insert(key, value)
    if (result instanceof CelError) return result
  }
  return grown
}

function copyOf(map: CelMap): GrowingMap {
  const copy = new GrowingMap()
  for (const [key, value] of entriesOf(map)) copy.set(key, value)
  return copy
}

function* entriesOf(map: CelMap): Generator<readonly [CelValue, CelValue]> {
  for (const key of map.keys()) {
    const value = map.find(key)
    if (value !== undefined && !(value instanceof CelError)) yield [key, value]
  }
}

const isList = (value: CelValue): boolean => value instanceof CelList

/** The functions. */
export const listExtensions: readonly FunctionDeclaration[] = declare({
  slice: [
    [
      '.list_slice(list(T), int, int): list(T)',
      (list, start, end) => slice(list as CelList, start as bigint, end as bigint),
    ],
  ],
  flatten: {
    signatures: [
      '.list_flatten(list(list(T))): list(T)',
      '.list_flatten_int(list(dyn), int): list(dyn)',
    ],
    run: (list = null, depth = 1n) => flattenTo(list, depth as bigint),
  },
  sort: {
    signatures: sortable.map(
      (type) => `.list_${typeNames[type] ?? type}_sort(list(${type})): list(${type})`,
    ),
    run: (list) => sortByKeys(list as CelList, list as CelList),
    accepts: isList,
  },
  '@sortByAssociatedKeys': {
    signatures: sortable.map(
      (type) =>
        `.list_${typeNames[type] ?? type}_sortByAssociatedKeys(list(T), list(${type})): list(T)`,
    ),
    run: (list, keys) => sortByKeys(list as CelList, keys as CelList),
    accepts: isList,
  },
  'lists.range': [['lists_range(int): list(int)', (count) => range(count as bigint)]],
  reverse: [
    ['.list_reverse(list(T)): list(T)', (list) => new ArrayList([...(list as CelList)].reverse())],
  ],
  distinct: [['.list_distinct(list(T)): list(T)', (list) => distinct(list as CelList)]],
  'sets.contains': [
    [
      'list_sets_contains_list(list(T), list(T)): bool',
      (list, other) => containsAll(list as CelList, other as CelList),
    ],
  ],
  'sets.equivalent': [
    [
      'list_sets_equivalent_list(list(T), list(T)): bool',
      (list, other) =>
        containsAll(list as CelList, other as CelList) &&
        containsAll(other as CelList, list as CelList),
    ],
  ],
  'sets.intersects': [
    [
      'list_sets_intersects_list(list(T), list(T)): bool',
      (list, other) =>
        [...(list as CelList)].some((element) => contains(other as CelList, element)),
    ],
  ],
  'cel.@mapInsert': [
    [
      '@mapInsert_map_key_value(map(K, V), K, V): map(K, V)',
      (map, key = null, value = null) => insert(map as CelMap, [[key, value]]),
    ],
    [
      '@mapInsert_map_map(map(K, V), map(K, V)): map(K, V)',
      (map, more) => insert(map as CelMap, entriesOf(more as CelMap)),
    ],
  ],
})
