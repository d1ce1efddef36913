import { splitLines } from 'setpoint/client'
import type { ApiObject } from './api-resources.ts'
import { groupResourceOf } from './api-resources.ts'
import { KubectlProblem } from './kubectl-problem.ts'
import type { KubectlSession } from './kubectl-session.ts'
import { objectPrinter } from './print/object-printer.ts'
import { collectionPath } from './paths.ts'
import { cellsOf, type ServerTable, tableAccept } from './print/server-table.ts'
import { printRows, readTable, styleOf } from './print/table-listing.ts'
import { namespaceFor, type Target } from './targets.ts'
import { TextTable } from './print/text-table.ts'

/** Prints the objects and then every change, until Ctrl-C. Columns keep their widths. */
export async function watchObjects(
  session: KubectlSession,
  targets: readonly Target[],
): Promise<void> {
  const [target, ...others] = targets
  if (target === undefined || others.length > 0 || target.names.length > 1) {
    throw new KubectlProblem('error: you may only specify a single resource type')
  }
  const { resource, names } = target
  const [name] = names
  const namespace = namespaceFor(resource, session)
  const style = styleOf(session, targets)
  const print = objectPrinter(session)
  const shown = new TextTable()
  const path = collectionPath(resource, namespace)
  const selection = {
    labelSelector: session.line.text('selector'),
    fieldSelector:
      name === undefined ? session.line.text('field-selector') : `metadata.name=${name}`,
  }
  const first = await readTable(session, path, { limit: 0, ...selection })
  let columns = first.columnDefinitions ?? []
  const { rows = [] } = first
  if (print === undefined && rows.length > 0) {
    printRows(session, { resource, style, columns, rows }, shown)
  }
  let hasHeadings = rows.length > 0
  const from = print === undefined ? first.metadata?.resourceVersion : undefined
  for await (const object of changes(session, path, { ...selection, resourceVersion: from })) {
    if (print !== undefined) {
      print([{ resource, object: object as ApiObject }], 'one')
      continue
    }
    const { columnDefinitions, rows: changed = [] } = object as ServerTable
    columns = columnDefinitions ?? columns
    if (!hasHeadings) printRows(session, { resource, style, columns, rows: changed }, shown)
    else {
      const cells = changed.map((row) => cellsOf(row, columns, { ...style, resource }))
      for (const text of shown.lines(cells)) session.print(text)
    }
    hasHeadings = true
  }

  /** The objects of a watch; it ends without an error on Ctrl-C. */
  async function* changes(
    { client, signal }: KubectlSession,
    watched: string,
    query: Readonly<Record<string, string | undefined>>,
  ): AsyncGenerator<unknown, void, undefined> {
    try {
      const stream = await client.transport.stream({
        method: 'GET',
        path: watched,
        query: { ...query, watch: true },
        headers: print === undefined ? { accept: tableAccept } : {},
        what: `watch of ${groupResourceOf(resource)}`,
        signal,
      })
      for await (const bytes of splitLines(stream.body)) {
        yield (JSON.parse(new TextDecoder().decode(bytes)) as { object: unknown }).object
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
