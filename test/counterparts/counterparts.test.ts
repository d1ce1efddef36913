/** Each counterpart refuses, warns, changes and converts as the example of the other framework. */
import { readFile } from 'node:fs/promises'
import { testWorld, type TestWorld } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import type { AnyOperator } from 'setpoint'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { defineKind, Namespace, type StoredMetadata } from 'setpoint/kinds'
import { Example, examples } from './kopf-admission.ts'
import { CronJob, cronJobs } from './kubebuilder-cronjob.ts'
import { VersionedCronJob, versionedCronJobs } from './kubebuilder-multiversion.ts'
import { VersionedCronTab, versionedCronTabs } from './shell-operator-conversion.ts'
import { manyReplicas, ScaledCronTab } from './shell-operator-mutating.ts'
import { CronTab, privateImages } from './shell-operator-validating.ts'

const worldOf = (one: AnyOperator): Promise<TestWorld> =>
  testWorld({ operators: [one], workloads: 'off' })

/** A refusal with a problem of this field. */
const refusal = (field: string): object => ({
  status: { code: 422, reason: 'Invalid', details: { causes: [{ field }] } },
})

interface Untyped {
  apiVersion: string
  kind: string
  metadata: StoredMetadata<'Namespaced'>
  spec: Record<string, unknown>
}

/** Another version of a kind, for clients that use it. */
const otherVersion = (apiVersion: string, kind: string, plural: string) =>
  defineKind<Untyped>({ apiVersion, kind, plural, scope: 'Namespaced' })

test('Kopf 17: a value is refused, another one unless dry, and the status follows', async () => {
  await using world = await worldOf(examples)
  const warnings: string[] = []
  const connection = await connectionFromKubeconfig(world.host, world.cluster.kubeconfig())
  const client = new Client(world.host, connection, { onWarning: (text) => warnings.push(text) })
  const withField = (name: string, field: string) => ({ metadata: { name }, spec: { field } })
  await expect(client.create(Example, withField('a', 'not-allowed'))).rejects.toMatchObject(
    refusal('spec.field'),
  )
  await expect(client.create(Example, withField('a', 'wrong'))).rejects.toMatchObject(
    refusal('spec.field'),
  )
  await client.create(Example, withField('a', 'wrong'), { dryRun: true })
  const created = await client.create(Example, withField('a', 'good'))
  expect(created.spec).toEqual({ field: 'good' })
  expect(warnings.toSorted()).toEqual([
    'it has no certificate',
    'status.field differs from spec.field',
    expect.stringMatching(/^the review comes from kube-apiserver-admission/),
  ])
  const wrongStatus = client.patch(Example, 'a', {
    merge: { status: { field: 'x' } },
    subresource: 'status',
  })
  await expect(wrongStatus).rejects.toMatchObject(refusal('status.field'))
  const metadata = { name: 'b', labels: { somelabel: 'somevalue' } }
  const changed = await client.create(Example, { metadata, spec: {} })
  expect(changed.spec).toEqual({ injected: 123 })
})

test('kubebuilder CronJob: fields have defaults, bad names and schedules are refused', async () => {
  await using world = await worldOf(cronJobs)
  const { client } = world
  const spec = { schedule: '*/5 * * * *', jobTemplate: { spec: {} } }
  const created = await client.create(CronJob, { metadata: { name: 'a' }, spec })
  expect(created.spec).toEqual({
    ...spec,
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  })
  const longest = 'a'.repeat(52)
  await client.create(CronJob, { metadata: { name: longest }, spec })
  await expect(
    client.create(CronJob, { metadata: { name: `${longest}a` }, spec }),
  ).rejects.toMatchObject(refusal('metadata.name'))
  await expect(
    client.patch(CronJob, 'a', { merge: { spec: { schedule: 'often' } } }),
  ).rejects.toMatchObject(refusal('spec.schedule'))
})

test('kubebuilder multiversion: a schedule is a text in v1 and has fields in v2', async () => {
  await using world = await worldOf(versionedCronJobs)
  const { client } = world
  const V2 = otherVersion('batch.example.com/v2', 'CronJob', 'cronjobs')
  const jobTemplate = {}
  const schedule = { minute: '*/5', dayOfWeek: '1-5' }
  await client.create(V2, { metadata: { name: 'new' }, spec: { schedule, jobTemplate } })
  const stored = await client.get(VersionedCronJob, 'new')
  expect(stored.spec).toMatchObject({ schedule: '*/5 * * * 1-5', concurrencyPolicy: 'Allow' })
  await client.create(VersionedCronJob, {
    metadata: { name: 'old' },
    spec: { schedule: '0 3 * * *', jobTemplate },
  })
  expect((await client.get(V2, 'old')).spec).toMatchObject({ schedule: { minute: '0', hour: '3' } })
  await client.create(VersionedCronJob, {
    metadata: { name: 'short' },
    spec: { schedule: '@daily', jobTemplate },
  })
  await expect(client.get(V2, 'short')).rejects.toThrow('does not have five fields')
})

test('shell-operator 204: only one registry is allowed, in labelled namespaces', async () => {
  await using world = await worldOf(privateImages)
  const { client } = world
  await client.create(Namespace, { metadata: { name: 'shop', labels: { name: 'example-204' } } })
  const tab = (namespace: string, image: string) => ({
    metadata: { name: 'tab', namespace },
    spec: { image },
  })
  await expect(client.create(CronTab, tab('shop', 'my-image'))).rejects.toMatchObject(
    refusal('spec.image'),
  )
  await client.create(CronTab, tab('shop', 'repo.example.com/my-image:v1'))
  await client.create(CronTab, tab('default', 'my-image'))
})

test('shell-operator 206: replicas are set in labelled namespaces', async () => {
  await using world = await worldOf(manyReplicas)
  const { client } = world
  await client.create(Namespace, { metadata: { name: 'shop', labels: { name: 'example-206' } } })
  const create = (namespace: string) =>
    client.create(ScaledCronTab, { metadata: { name: 'tab', namespace }, spec: { image: 'web' } })
  expect((await create('shop')).spec).toEqual({ image: 'web', replicas: 333 })
  expect((await create('default')).spec).toEqual({ image: 'web' })
})

test('shell-operator 210: a list of fields becomes one text, and is stored as a list', async () => {
  await using world = await worldOf(versionedCronTabs)
  const { client } = world
  const Old = otherVersion('stable.example.com/v1alpha1', 'CronTab', 'crontabs')
  const cron = ['*', '*', '*', '*', '*/5']
  await client.create(Old, { metadata: { name: 'tab' }, spec: { cron, imageName: 'web' } })
  const tab = await client.get(VersionedCronTab, 'tab')
  expect(tab.spec).toEqual({ cron: '* * * * */5', imageName: 'web' })
  expect((await client.get(Old, 'tab')).spec).toEqual({ cron, imageName: 'web' })
})

test('the guide states the lines of code of each counterpart', async () => {
  const guide = await readFile(new URL('../../docs/guide/webhooks.md', import.meta.url), 'utf8')
  const rows = [...guide.matchAll(/(\d+) \(`([\w-]+\.ts)`\) \|$/gm)]
  expect(rows).toHaveLength(6)
  for (const [, stated, file = ''] of rows) {
    const source = await readFile(new URL(file, import.meta.url), 'utf8')
    const code = source.split('\n').filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line))
    expect([file, code.length]).toEqual([file, Number(stated)])
  }
})
