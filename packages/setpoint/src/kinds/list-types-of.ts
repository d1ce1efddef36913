import { listTablesByApiVersion } from './generated/lists/index.ts'
import { ObjectMeta } from './generated/lists/meta-v1.ts'
import type { Kind } from './kind.ts'
import { type ListTable, listTypesIn } from './list-table.ts'
import type { ListTypes } from './list-types.ts'

const byTable = new Map<ListTable | undefined, ListTypes>()

/**
 * How the lists of a kind merge: those of its metadata, which are the same for all kinds, and those
 * of a built-in kind. Separate from the kinds' values, because this function bundles the tables of
 * all kinds.
 */
export function listTypesOf({ apiVersion, kind }: Pick<Kind, 'apiVersion' | 'kind'>): ListTypes {
  const table = listTablesByApiVersion[apiVersion]?.[kind]
  const known = byTable.get(table)
  if (known !== undefined) return known
  const ofKind = table === undefined ? {} : listTypesIn(table)
  const types = { metadata: { fields: listTypesIn(ObjectMeta) }, ...ofKind }
  byTable.set(table, types)
  return types
}
