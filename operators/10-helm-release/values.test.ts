import { createCluster } from '@setpoint/cluster'
import type { Client } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import { ConfigMap, Secret } from 'setpoint/kinds'
import { expect, onTestFinished, test } from 'vitest'
import { HelmRelease } from './helm-release.ts'
import { redacted, valuesOf } from './values.ts'

const where = { namespace: 'default', signal: new AbortController().signal }

async function clientWithSources(): Promise<Client> {
  const host = virtualHost({ seed: 1 })
  const { client, dispose } = await createCluster({ host })
  onTestFinished(dispose)
  const base = 'replicas: 1\nimage: { repository: web, tag: a }\nlist: [1, 2]\nmode: 0644\n'
  await client.create(ConfigMap, { metadata: { name: 'base' }, data: { 'values.yaml': base } })
  await client.create(Secret, {
    metadata: { name: 'secret' },
    stringData: { 'values.yaml': 'image: { tag: b }\nlist: [3]\n', token: '1234', broken: '[' },
  })
  return client
}

async function valuesFrom(sources: readonly object[], values: object = {}): Promise<object> {
  const client = await clientWithSources()
  const spec = { chart: { path: 'web' }, values, valuesFrom: sources }
  const manifest = { metadata: { name: 'a', namespace: 'default' }, spec }
  return (await valuesOf(HelmRelease.parse(manifest).spec, client, where)).values
}

const base = { kind: 'ConfigMap', name: 'base' }
const secret = { kind: 'Secret', name: 'secret' }

test('sources are merged in their order, then the values of the spec, then target paths', async () => {
  const token = { ...secret, valuesKey: 'token', targetPath: 'replicas' }
  expect(await valuesFrom([base, token, secret], { image: { tag: 'c' }, replicas: 5 })).toEqual({
    image: { repository: 'web', tag: 'c' },
    list: [3],
    mode: 0o644,
    replicas: 1234,
  })
  expect(await valuesFrom([secret, base])).toMatchObject({ image: { tag: 'a' }, list: [1, 2] })
})

test('a literal value is a text', async () => {
  const token = { ...secret, valuesKey: 'token', targetPath: 'a.b', literal: true }
  expect(await valuesFrom([token])).toEqual({ a: { b: '1234' } })
})

test('an optional source may be missing, but not its key', async () => {
  const missing = { kind: 'Secret', name: 'missing' }
  expect(await valuesFrom([{ ...missing, optional: true }])).toEqual({})
  await expect(valuesFrom([missing])).rejects.toThrow('Secret default/missing does not exist')
  const key = { ...base, valuesKey: 'other', optional: true }
  await expect(valuesFrom([key])).rejects.toThrow('ConfigMap default/base has no key other')
})

test('an error about values does not show them', async () => {
  const broken = valuesFrom([{ ...secret, valuesKey: 'broken' }])
  await expect(broken).rejects.toThrow('the values of Secret secret are not YAML')
  const text = valuesFrom([{ ...secret, valuesKey: 'token' }])
  await expect(text).rejects.toThrow('the values of Secret secret are not a map')
  expect(redacted('very-secret is very', ['very-secret', 'is'])).toBe('*** is very')
})
