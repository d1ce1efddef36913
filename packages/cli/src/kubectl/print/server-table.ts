import type { JsonValue } from 'setpoint/schema'
import type { ApiMetadata, ApiResource } from '../api-resources.ts'
import { typeTitleOf } from '../api-resources.ts'

/** The Table that a server returns instead of objects. */
export interface ServerTable {
  readonly kind: string
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string }
  readonly columnDefinitions?: readonly {
    readonly name: string
    readonly priority?: number
    readonly format?: string
  }[]
  readonly rows?: readonly ServerRow[]
}

/** A row: one object. */
export interface ServerRow {
  readonly cells: readonly JsonValue[]
  readonly object: { readonly metadata: ApiMetadata; readonly [field: string]: unknown }
}

/** The header that asks for a table. */
export const tableAccept =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json'

/** How a table is shown. */
export interface TableStyle {
  readonly isWide: boolean
  /** Names are prefixed with the kind. */
  readonly showsKind: boolean
  readonly showsNamespace: boolean
  readonly showsLabels: boolean
  /** Labels that have their own column. */
  readonly labelColumns: readonly string[]
}

/** The headings of a table, as `kubectl get` prints them. */
export function headingsOf(columns: ServerTable['columnDefinitions'], style: TableStyle): string[] {
  return [
    ...(style.showsNamespace ? ['NAMESPACE'] : []),
    ...shownColumns(columns, style).map(({ name }) => name.toUpperCase()),
    ...style.labelColumns.map((label) => (label.split('/').at(-1) ?? '').toUpperCase()),
    ...(style.showsLabels ? ['LABELS'] : []),
  ]
}

/** The cells of a row, as `kubectl get` prints them. */
export function cellsOf(
  { cells, object: { metadata } }: ServerRow,
  columns: ServerTable['columnDefinitions'],
  { resource, ...style }: TableStyle & { readonly resource: ApiResource },
): string[] {
  const { labels = {} } = metadata
  const shown = shownColumns(columns, style).map(({ index }) => cellText(cells[index] ?? null))
  const [first = '', ...rest] = shown
  return [
    ...(style.showsNamespace ? [metadata.namespace ?? ''] : []),
    ...(style.showsKind ? [`${typeTitleOf(resource)}/${first}`, ...rest] : shown),
    ...style.labelColumns.map((label) => labels[label] ?? '<none>'),
    ...(style.showsLabels ? [labelsText(labels)] : []),
  ]
}

function shownColumns(
  columns: ServerTable['columnDefinitions'] = [],
  { isWide }: TableStyle,
): { readonly name: string; readonly index: number }[] {
  return columns.flatMap(({ name, priority = 0 }, index) =>
    priority > 0 && !isWide ? [] : [{ name, index }],
  )
}

/** The first line of a cell. */
function cellText(cell: JsonValue): string {
  if (cell === null) return ''
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
  const end = text.search(/[\f\n\r]/)
  return end === -1 ? text : `${text.slice(0, end)}...`
}

/** `app=web,tier=front`, or `<none>`. */
function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([name, value]) => `${name}=${value}`)
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',')
}
