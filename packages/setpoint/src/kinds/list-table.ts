import { invariant } from '../errors/index.ts'
import type { ListType, ListTypes } from './list-types.ts'

/**
 * The list types of an object as text, and the tables of its nested objects, in order: a fraction of
 * the size of the objects that `listTypesIn` makes of it. A word is a field and its properties, one
 * letter each with its text:
 *
 *     containers:kname,if     k key of a map   s set   a atomic   f fields: the next table
 *
 * Letters after an `i` refer to the items.
 */
export type ListTable = readonly [words: string, ...tables: ListTable[]]

const known = new WeakMap<ListTable, ListTypes>()

/** The list types of a table, parsed once. */
export function listTypesIn(table: ListTable): ListTypes {
  const before = known.get(table)
  if (before !== undefined) return before
  const [words, ...tables] = table
  const types = Object.fromEntries(
    (words.match(/\S+/g) ?? []).map((word) => {
      const [name = '', properties = ''] = word.split(':')
      return [name, listTypeIn(properties.split(','), tables)]
    }),
  )
  known.set(table, types)
  return types
}

function listTypeIn(properties: readonly string[], tables: ListTable[]): ListType {
  const type: { -readonly [Field in keyof ListType]: ListType[Field] } = {}
  for (const [index, one] of properties.entries()) {
    const text = one.slice(1)
    switch (one[0]) {
      case 's':
        type.list = 'set'
        break
      case 'k':
        type.list = 'map'
        type.keys = [...(type.keys ?? []), text]
        break
      case 'a':
        type.atomic = true
        break
      case 'f': {
        const table = tables.shift()
        invariant(table !== undefined, 'a list table names fewer tables than it has')
        type.fields = listTypesIn(table)
        break
      }
      default:
        type.items = listTypeIn([text, ...properties.slice(index + 1)], tables)
        return type
    }
  }
  return type
}
