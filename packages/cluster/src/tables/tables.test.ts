import fc from 'fast-check'
import type { JsonObject } from 'setpoint/schema'
import { expect, test } from 'vitest'
import { builtinData } from '../data/index.ts'
import { humanDuration } from './human-duration.ts'
import { builtinPrinter, customPrinter, scalePrinter } from './index.ts'

function resourceOf(key: string): { group: string; version: string; plural: string } {
  const parts = key.split('/')
  const [group = '', version = '', plural = ''] = parts.length === 2 ? ['', ...parts] : parts
  return { group, version, plural }
}

test('prints a cell for every column of an empty object of any kind', () => {
  for (const [key, { columns }] of Object.entries(builtinData.tableColumns())) {
    if (key.startsWith('rows.example.com/')) continue
    const printer = builtinPrinter(resourceOf(key))
    const { cells } = printer.row({ metadata: { name: 'bare' } }, 0)
    // A real server sends the age of an IPAddress without a column for it.
    const extra = key.endsWith('/ipaddresses') ? 1 : 0
    expect([key, cells.length]).toEqual([key, columns.length + extra])
    expect(cells).toContain('bare')
    expect(printer.columns.map(({ name }) => name)).toEqual(columns.map(({ name }) => name))
  }
})

test('prints name and creation time of a resource without columns', () => {
  const printer = builtinPrinter({ group: 'later.example.com', version: 'v1', plural: 'things' })
  expect(printer.columns.map(({ name, type }) => [name, type])).toEqual([
    ['Name', 'string'],
    ['Created At', 'date'],
  ])
  const object = { metadata: { name: 'a', creationTimestamp: '2025-01-01T00:00:00Z' } }
  expect(printer.row(object, 0)).toEqual({ cells: ['a', '2025-01-01T00:00:00Z'] })
})

test('creates each printer once', () => {
  const pods = { group: '', version: 'v1', plural: 'pods' }
  expect(builtinPrinter({ ...pods })).toBe(builtinPrinter({ ...pods }))
  const columns = [{ name: 'A', type: 'string', jsonPath: '.a' }]
  expect(customPrinter(columns)).toBe(customPrinter(columns))
  expect(customPrinter(undefined)).toBe(customPrinter([]))
})

test('prints the age for a definition without columns', () => {
  const { columns, row } = customPrinter(undefined)
  expect(columns.map(({ name, type }) => [name, type])).toEqual([
    ['Name', 'string'],
    ['Age', 'date'],
  ])
  const object: JsonObject = { metadata: { name: 'a', creationTimestamp: '2025-01-01T00:00:00Z' } }
  expect(row(object, Date.UTC(2025, 0, 1, 3, 5)).cells).toEqual(['a', '3h5m'])
  expect(row({ metadata: { name: 'a' } }, 0).cells).toEqual(['a', null])
})

test.each([
  [false, '', 'string'],
  [true, 'name', 'date'],
])('prints desired and available replicas of a Scale (custom: %s)', (isCustom, format, ageType) => {
  const { columns, row } = scalePrinter({ isCustom })
  expect(columns.map(({ name }) => name)).toEqual(['Name', 'Desired', 'Available', 'Age'])
  expect([columns[0]?.format, columns[3]?.type]).toEqual([format, ageType])
  const metadata = { name: 'web', creationTimestamp: '2025-01-01T00:00:00Z' }
  const now = Date.UTC(2025, 0, 1, 3, 5)
  const scale = { metadata, spec: { replicas: 3 }, status: { replicas: 1 } }
  expect(row(scale, now).cells).toEqual(['web', 3, 1, '3h5m'])
  expect(row({ metadata, spec: {}, status: {} }, now).cells).toEqual(['web', 0, 0, '3h5m'])
})

test('lists flow schemas in the order in which they are matched', () => {
  const group = 'flowcontrol.apiserver.k8s.io'
  const { order } = builtinPrinter({ group, version: 'v1', plural: 'flowschemas' })
  const schema = (name: string, matchingPrecedence: number): JsonObject => ({
    metadata: { name },
    spec: { matchingPrecedence },
  })
  const schemas = [schema('b', 900), schema('a', 900), schema('catch-all', 10_000), schema('z', 1)]
  const names = schemas.sort(order).map(({ metadata }) => (metadata as { name: string }).name)
  expect(names).toEqual(['z', 'a', 'b', 'catch-all'])
})

test('treats names of Object.prototype in columns and labels as ordinary names', () => {
  const printer = customPrinter([{ name: 'A', type: 'string', jsonPath: '.spec.constructor' }])
  expect(printer.row({ metadata: { name: 'a' }, spec: {} }, 0).cells).toEqual(['a', null])
})

test('prints durations that never decrease, with at most two units and bounded rounding', () => {
  const seconds: Record<string, number> = { y: 31_536_000, d: 86_400, h: 3600, m: 60, s: 1 }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_000_000_000 }), (duration) => {
      const text = humanDuration(duration * 1000)
      expect(text).toMatch(/^(\d+[ydhms]){1,2}$/)
      const shown = [...text.matchAll(/(\d+)([ydhms])/g)].reduce(
        (sum, [, count, unit]) => sum + Number(count) * (seconds[unit ?? ''] ?? 0),
        0,
      )
      expect(shown).toBeLessThanOrEqual(duration)
      expect(duration - shown).toBeLessThanOrEqual(duration / 8 + 1)
    }),
    { numRuns: 500 },
  )
})
