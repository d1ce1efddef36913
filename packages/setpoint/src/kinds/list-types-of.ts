import { listTablesByApiVersion } from './generated/lists/index.ts'
import type { Kind } from './kind.ts'
import { listTypesIn } from './list-table.ts'
import type { ListTypes } from './list-types.ts'

/**
 * How the lists inside a built-in kind merge, or undefined for any other kind (a CRD carries its own
 * schema). Kept apart from the kinds' values: the tables of all kinds come with this function.
 */
export function listTypesOf(kind: Pick<Kind, 'apiVersion' | 'kind'>): ListTypes | undefined {
  const table = listTablesByApiVersion[kind.apiVersion]?.[kind.kind]
  return table === undefined ? undefined : listTypesIn(table)
}
