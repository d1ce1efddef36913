import { listTablesByApiVersion } from './generated/lists/index.ts'
import type { Kind } from './kind.ts'
import { listTypesIn } from './list-table.ts'
import type { ListTypes } from './list-types.ts'

/**
 * How the lists of a built-in kind merge; undefined for any other kind (a CRD has its own schema).
 * Separate from the kinds' values, because this function bundles the tables of all kinds.
 */
export function listTypesOf(kind: Pick<Kind, 'apiVersion' | 'kind'>): ListTypes | undefined {
  const table = listTablesByApiVersion[kind.apiVersion]?.[kind.kind]
  return table === undefined ? undefined : listTypesIn(table)
}
