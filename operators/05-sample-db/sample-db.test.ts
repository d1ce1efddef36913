import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkCrd } from 'setpoint/schema'
import { assertRoundTrip } from 'setpoint/testing'
import { SampleDB } from './sample-db.ts'
import { compareVersions } from './upgrade.ts'

test('has the kind and the fields of the tutorial that this example follows', () => {
  const crd = SampleDB.crd()
  expect(checkCrd(crd).errors).toEqual([])
  expect(crd.spec.names).toMatchObject({
    kind: 'SampleDB',
    singular: 'sampledb',
    plural: 'sampledbs',
  })
  const spec = SampleDB.schema().properties?.['spec']?.properties ?? {}
  // Storage for the database, its initial configuration, regular backups, and upgrades of old
  // versions.
  expect(Object.keys(spec)).toEqual([
    'version',
    'database',
    'initScript',
    'restoreFrom',
    'resources',
    'snapshotOnDelete',
    'storage',
    'backup',
  ])
})

test('applies the defaults to the sample of the tutorial', async () => {
  const sample: unknown = parse(await readFile(new URL('sample.yaml', import.meta.url), 'utf8'))
  expect(SampleDB.parse(sample)).toMatchObject({
    metadata: { name: 'example-database' },
    spec: {
      version: '15.4',
      database: 'app',
      storage: { size: '1Gi' },
      backup: { schedule: '0 3 * * *', keep: 3 },
      snapshotOnDelete: true,
    },
  })
})

test('compares versions number by number', () => {
  expect(compareVersions('15.10', '15.9')).toBeGreaterThan(0)
  expect(compareVersions('9.6', '15')).toBeLessThan(0)
  expect(compareVersions('15', '15.0')).toBe(0)
})

test('converts between its versions without a loss', () => {
  assertRoundTrip(SampleDB)
})
