import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkCrd } from 'setpoint/schema'
import { SampleDB } from './sample-db.ts'
import { compareVersions } from './upgrade.ts'

test('kubectl get SampleDB finds the kind the text names, with what the text says it manages', () => {
  const crd = SampleDB.crd()
  expect(checkCrd(crd).errors).toEqual([])
  expect(crd.spec.names).toMatchObject({
    kind: 'SampleDB',
    singular: 'sampledb',
    plural: 'sampledbs',
  })
  const spec = SampleDB.schema().properties?.['spec']?.properties ?? {}
  // The text: storage for the database, its initial configuration, regular backups, and upgrades of old versions.
  expect(Object.keys(spec)).toEqual([
    ...['version', 'database', 'initScript', 'restoreFrom', 'storage', 'backup', 'resources'],
    'snapshotOnDelete',
  ])
})

test('the sample is the database the text edits, with its defaults', async () => {
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

test('versions are compared as numbers, one after the other', () => {
  expect(compareVersions('15.10', '15.9')).toBeGreaterThan(0)
  expect(compareVersions('9.6', '15')).toBeLessThan(0)
  expect(compareVersions('15', '15.0')).toBe(0)
})
