import { type ApiObject, type ApiResource, groupResourceOf } from '../api-resources.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { collectionPath, objectPath, selectionOf } from '../paths.ts'
import {
  cellsOf,
  headingsOf,
  type ServerRow,
  type ServerTable,
  tableAccept,
  type TableStyle,
} from './server-table.ts'
import { sortedBy } from './sorted-by.ts'
import { attemptFound, hasSeveralKinds, namespaceFor, type Target } from '../targets.ts'
import { TextTable } from './text-table.ts'

/** The table style of a command line. */
export function styleOf(session: KubectlSession, targets: readonly Target[]): TableStyle {
  const { line } = session
  return {
    isWide: line.text('output') === 'wide',
    showsKind: line.isOn('show-kind') || hasSeveralKinds(targets, line.words),
    showsNamespace: line.isOn('all-namespaces'),
    showsLabels: line.isOn('show-labels'),
    labelColumns: line.list('label-columns'),
  }
}

/** Prints the tables of all targets, one per kind. */
export async function printTables(
  session: KubectlSession,
  targets: readonly Target[],
): Promise<void> {
  const { line } = session
  const style = styleOf(session, targets)
  const groups = new Map<string, Target[]>()
  for (const target of targets) {
    const key = groupResourceOf(target.resource)
    groups.set(key, [...(groups.get(key) ?? []), target])
  }
  let hasPrinted = false
  for (const group of groups.values()) {
    const tables: ServerTable[] = []
    for (const target of group) tables.push(...(await tablesOf(session, target)))
    const resource = group[0]?.resource
    const rows = tables.flatMap(({ rows: some = [] }) => some)
    if (resource === undefined || rows.length === 0) continue
    if (hasPrinted && !line.isOn('no-headers')) session.print('')
    hasPrinted = true
    printRows(session, { resource, style, columns: tables[0]?.columnDefinitions ?? [], rows })
  }
  if (!hasPrinted && session.exitCode === 0 && !line.isOn('ignore-not-found')) {
    const isAllNamespaces = targets.every(
      ({ resource }) => namespaceFor(resource, session) === undefined,
    )
    const where = isAllNamespaces ? '' : ` in ${session.namespace} namespace.`
    session.terminal.printProgress(`No resources found${where}`)
  }
}

/** Rows of one kind, with their columns and style. */
interface ShownRows {
  readonly resource: ApiResource
  readonly style: TableStyle
  readonly columns: NonNullable<ServerTable['columnDefinitions']>
  readonly rows: readonly ServerRow[]
}

/** Prints rows below their headings. */
export function printRows(
  session: KubectlSession,
  { resource, style, columns, rows }: ShownRows,
  table = new TextTable(),
): void {
  const shown = {
    ...style,
    showsNamespace: style.showsNamespace && resource.scope === 'Namespaced',
  }
  const heading = session.line.isOn('no-headers') ? [] : [headingsOf(columns, shown)]
  const cells = sortedRows(session, rows).map((row) =>
    cellsOf(row, columns, { ...shown, resource }),
  )
  for (const text of table.lines([...heading, ...cells])) session.print(text)
}

function sortedRows({ line }: KubectlSession, rows: readonly ServerRow[]): readonly ServerRow[] {
  const path = line.text('sort-by')
  if (path === undefined) return rows
  const ranked = sortedBy(
    path,
    rows.map((row) => ({ ...(row.object as ApiObject), row })),
  )
  return ranked.map((object) => object['row'] as ServerRow)
}

/** The tables of a target: one for a list, one for each name. */
async function tablesOf(session: KubectlSession, target: Target): Promise<ServerTable[]> {
  const { resource, names } = target
  const namespace = namespaceFor(resource, session)
  const tables: ServerTable[] = []
  if (names.length === 0) {
    const path = collectionPath(resource, namespace)
    let next: string | undefined
    do {
      const table = await readTable(session, path, { limit: 500, continue: next })
      tables.push(table)
      next = table.metadata?.continue
    } while (next !== undefined && next !== '')
  }
  for (const name of names) {
    await attemptFound(session, async () => {
      tables.push(await readTable(session, objectPath(resource, { namespace, name }), {}))
    })
  }
  return tables
}

/** Reads a table instead of objects. */
export async function readTable(
  { client, line, signal }: KubectlSession,
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<ServerTable> {
  const includeObject = line.isSet('sort-by') ? 'Object' : undefined
  const isList = 'limit' in query
  const text = await client.transport.text({
    method: 'GET',
    path,
    query: { ...(isList ? selectionOf(line) : {}), ...query, includeObject },
    headers: { accept: tableAccept },
    what: `get of ${path}`,
    signal,
  })
  return JSON.parse(text) as ServerTable
}
