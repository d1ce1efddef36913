import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { CrdManifest } from 'setpoint'
import { checkCrd } from 'setpoint/schema'
import { CronTab } from './crontab.ts'

const read = async (name: string): Promise<unknown> =>
  parse(await readFile(new URL(name, import.meta.url), 'utf8'))

test('is the v1 form of the outdated manifest of the tutorial', async () => {
  const { metadata, spec } = (await read('article-crd.yaml')) as {
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

test('a v1 server refuses the manifest of the tutorial, and accepts the generated CRD', async () => {
  const { errors } = checkCrd((await read('article-crd.yaml')) as CrdManifest)
  expect(errors.map(({ field }) => field)).toContain('spec.versions')
  expect(checkCrd(CronTab.crd()).errors).toEqual([])
})

test('applies the defaults to the sample, and refuses an invalid schedule', async () => {
  expect(CronTab.parse(await read('sample.yaml')).spec.replicas).toBe(1)
  expect(() => CronTab.parse({ spec: { cronSpec: 'hourly', image: 'a' } })).toThrow('spec.cronSpec')
})
