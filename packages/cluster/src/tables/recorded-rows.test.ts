/** Every row that a 1.36 server printed, printed again from the same object at the same time. */
import { readFileSync } from 'node:fs'
import type { JsonObject, JsonValue } from 'setpoint/schema'
import { describe, expect, test } from 'vitest'
import { builtinPrinter, customPrinter, type CustomColumn, type TablePrinter } from './index.ts'

interface RecordedRow {
  readonly resource: string
  readonly printedAt: string
  readonly cells: readonly JsonValue[]
  readonly conditions?: readonly JsonObject[]
  readonly object: JsonObject
}

function linesOf<Line>(name: string): Line[] {
  const text = readFileSync(new URL(`testdata/${name}.jsonl`, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/** A time shortly after the full second, when servers print. */
function momentAfter(time: string): number {
  return Date.parse(time) + 1
}

const rows = linesOf<RecordedRow>('rows')

interface DefinitionSpec {
  readonly group: string
  readonly names: { readonly plural: string }
  readonly versions: readonly {
    readonly name: string
    readonly additionalPrinterColumns?: readonly CustomColumn[]
  }[]
}

const customPrinters = new Map<string, TablePrinter>()
for (const { object } of rows.filter(({ resource }) =>
  resource.endsWith('/customresourcedefinitions'),
)) {
  const { group, names, versions } = object['spec'] as unknown as DefinitionSpec
  for (const { name, additionalPrinterColumns } of versions) {
    customPrinters.set(`${group}/${name}/${names.plural}`, customPrinter(additionalPrinterColumns))
  }
}

function printerOf(resource: string): TablePrinter {
  const parts = resource.split('/')
  const [group = '', version = '', plural = ''] = parts.length === 2 ? ['', ...parts] : parts
  return customPrinters.get(resource) ?? builtinPrinter({ group, version, plural })
}

describe.each([
  ['rows', rows],
  ['more-rows', linesOf<RecordedRow>('more-rows')],
] as const)('the recorded %s', (_name, recorded) => {
  const resources = new Set(recorded.map(({ resource }) => resource))
  test.each([...resources])('of %s are the same as on a real server', (resource) => {
    const printer = printerOf(resource)
    const own = recorded.filter((row) => row.resource === resource)
    for (const { cells, conditions, object, printedAt } of own) {
      const before = JSON.stringify(object)
      const printed = printer.row(object, momentAfter(printedAt))
      expect(printed).toEqual(conditions === undefined ? { cells } : { cells, conditions })
      expect(JSON.stringify(object)).toBe(before)
    }
  })
})

test("prints the same cells as a real server for the paths of a definition's columns", () => {
  interface Header {
    readonly printedAt: string
    readonly columns: readonly CustomColumn[]
  }
  const [header, ...own] = linesOf<Header & RecordedRow>('custom-columns')
  if (header === undefined) throw new Error('the recording is empty')
  // Paths with JSONPath features that we do not support and a real server does.
  const unsupported = new Set(['Exists', 'Deep', 'Greater'])
  const isSupported = (_cell: unknown, index: number): boolean =>
    !unsupported.has(header.columns[index - 1]?.name ?? '')
  const printer = customPrinter(header.columns)
  for (const { cells, object } of own) {
    const printed = printer.row(object, momentAfter(header.printedAt)).cells
    const comparable = printed.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell))
    expect(comparable.filter(isSupported)).toEqual(cells.filter(isSupported))
  }
  expect(printer.columns[1]).toEqual({
    name: 'Slice',
    type: 'string',
    format: '',
    description: 'Custom resource definition column (in JSONPath format): .spec.list[-1:]',
    priority: 0,
  })
})
