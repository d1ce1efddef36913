import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { CrdManifest } from 'setpoint'
import { checkCrd } from 'setpoint/schema'
import { CronTab } from './crontab.ts'

const read = async (name: string): Promise<unknown> =>
  parse(await readFile(new URL(name, import.meta.url), 'utf8'))

test('the CRD is the working form of the outdated manifest of the text', async () => {
  const { metadata, spec } = (await read('seed-crd.yaml')) as {
    metadata: unknown
    spec: { version: string; group: string; scope: string; names: object }
  }
  expect(CronTab.crd()).toMatchObject({
    metadata,
    spec: {
      group: spec.group,
      scope: spec.scope,
      names: spec.names,
      versions: [{ name: spec.version, served: true, storage: true }],
    },
  })
})

test('a v1 server refuses the manifest of the text, and takes ours', async () => {
  const { errors } = checkCrd((await read('seed-crd.yaml')) as CrdManifest)
  expect(errors.map(({ field }) => field)).toContain('spec.versions')
  expect(checkCrd(CronTab.crd()).errors).toEqual([])
})

test('the sample gets its defaults, and a schedule that is none is refused', async () => {
  expect(CronTab.parse(await read('sample.yaml')).spec.replicas).toBe(1)
  expect(() => CronTab.parse({ spec: { cronSpec: 'hourly', image: 'a' } })).toThrow('spec.cronSpec')
})
