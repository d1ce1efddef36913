import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkCrd } from 'setpoint/schema'
import { SampleDB } from './sample-db.ts'

test('kubectl get SampleDB finds the kind the text names, with what the text says it manages', () => {
  const crd = SampleDB.crd()
  expect(checkCrd(crd).errors).toEqual([])
  expect(crd.spec.names).toMatchObject({
    kind: 'SampleDB',
    singular: 'sampledb',
    plural: 'sampledbs',
  })
  const spec = SampleDB.schema().properties?.['spec']?.properties ?? {}
  // The text: storage for the database, regular backups, and upgrades of old versions.
  expect(Object.keys(spec)).toEqual(['version', 'storage', 'backup'])
})

test('the sample is the database the text edits, with its defaults', async () => {
  const sample: unknown = parse(await readFile(new URL('sample.yaml', import.meta.url), 'utf8'))
  expect(SampleDB.parse(sample)).toMatchObject({
    metadata: { name: 'example-database' },
    spec: { version: '16.4', storage: { size: '1Gi' }, backup: { every: '24h', keep: 3 } },
  })
})
