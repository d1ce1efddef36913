import { goJson, goNumber, type JsonObject, type JsonValue } from 'setpoint/schema'
import { nameOf } from '../object/index.ts'
import { timeSince } from './age.ts'
import { readColumnPath } from './column-path.ts'
import { nameDescription } from './name-column.ts'
import { isRfc3339 } from './rfc3339.ts'
import type { ColumnDefinition, TablePrinter } from './table.ts'

/** A column of `additionalPrinterColumns` in a version of a definition. */
export interface CustomColumn {
  readonly name: string
  readonly type: string
  readonly jsonPath: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
}

const nameColumn: ColumnDefinition = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: nameDescription,
  priority: 0,
}

const ageColumns: readonly CustomColumn[] = [
  {
    name: 'Age',
    type: 'date',
    description: 'How long ago the object was created.',
    jsonPath: '.metadata.creationTimestamp',
  },
]

const memo = new WeakMap<readonly CustomColumn[], TablePrinter>()

/** The printer of a custom resource; a definition without columns shows the age. */
export function customPrinter(columns: readonly CustomColumn[] = ageColumns): TablePrinter {
  const shown = columns.length === 0 ? ageColumns : columns
  let printer = memo.get(shown)
  if (printer === undefined) {
    printer = makePrinter(shown)
    memo.set(shown, printer)
  }
  return printer
}

function makePrinter(columns: readonly CustomColumn[]): TablePrinter {
  const cells = columns.map(cellReader)
  return {
    columns: [nameColumn, ...columns.map(columnDefinition)],
    row: (object, nowMs) => ({
      cells: [nameOf(object), ...cells.map((cell) => cell(object, nowMs))],
    }),
  }
}

function columnDefinition(column: CustomColumn): ColumnDefinition {
  const { name, type, jsonPath, format = '', description = '', priority = 0 } = column
  const generated = `Custom resource definition column (in JSONPath format): ${jsonPath}`
  return {
    name,
    type,
    format,
    description: description === '' ? generated : description,
    priority,
  }
}

type CellReader = (object: JsonObject, nowMs: number) => JsonValue

/** A cell shows only the first value at its path; an unsupported path has none. */
function cellReader({ type, jsonPath }: CustomColumn): CellReader {
  const path = readColumnPath(jsonPath)
  return (object, nowMs) => {
    const [value] = path(object)
    if (value === undefined) return null
    if (type === 'string') return printedText(value)
    return value === null ? null : typedCell(type, value, nowMs)
  }
}

/** A value of another type than the column leaves the cell empty. */
function typedCell(type: string, value: JsonValue, nowMs: number): JsonValue {
  switch (type) {
    case 'integer':
      if (typeof value === 'bigint') return value
      return typeof value === 'number' ? int64(value) : null
    case 'number':
      return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? dateCell(value, nowMs) : null
    default:
      return null
  }
}

/** A number truncated to int64 as on amd64: one that is out of range becomes the smallest int64. */
function int64(value: number): JsonValue {
  if (Math.abs(value) >= 2 ** 63) return -(2n ** 63n)
  return value > -1 && value < 1 ? 0 : Math.trunc(value)
}

/** A real server treats an empty string and the string null as no time. */
function dateCell(text: string, nowMs: number): string {
  if (text === '' || text === 'null') return timeSince(undefined, nowMs)
  return isRfc3339(text) ? timeSince(text, nowMs) : '<invalid>'
}

/** Values are printed as in Go: objects and lists as JSON, null as in Go templates. */
function printedText(value: JsonValue): string {
  if (value === null) return '<no value>'
  if (typeof value === 'object') return goJson(value)
  return typeof value === 'number' ? goNumber(value) : String(value)
}
