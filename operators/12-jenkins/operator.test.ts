import { readFile } from 'node:fs/promises'
import { testWorld, type TestWorld } from '@setpoint/cluster'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type InferManifest, rbacFor } from 'setpoint'
import {
  ConfigMap,
  Event,
  Job,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from 'setpoint/kinds'
import { Jenkins } from './jenkins.ts'
import { labelsOf } from './names.ts'
import jenkinses from './operator.ts'

type Manifest = InferManifest<typeof Jenkins>
type Spec = Manifest['spec']

// Before any test: virtual time continues while a test waits for a real file.
const sample = parse(await readFile(new URL('sample.yaml', import.meta.url), 'utf8')) as Manifest
const sampleSpec = sample.spec
const hourMs = 3_600_000

async function jenkinsWorld(
  more: Partial<Spec> = {},
  options: Partial<Parameters<typeof testWorld>[0]> = {},
): Promise<TestWorld> {
  const operators = [jenkinses]
  const world = await testWorld({ operators, rules: rbacFor(operators), seed: 5, ...options })
  onTestFinished(() => world[Symbol.asyncDispose]())
  const stringData = { username: 'pusher', password: 'a-secret-of-the-registry' }
  await world.client.create(Secret, { metadata: { name: 'registry' }, stringData })
  await world.client.create(Jenkins, { ...sample, spec: { ...sampleSpec, ...more } })
  await world.settle()
  return world
}

async function edit({ client }: TestWorld, spec: Partial<Spec>): Promise<void> {
  await client.patch(Jenkins, 'shop', { merge: { spec } })
}

async function ready({ client }: TestWorld): Promise<string> {
  const { status } = await client.get(Jenkins, 'shop')
  const [found] = status?.conditions ?? []
  return `${found?.status} ${found?.reason}: ${found?.message}`
}

const isGone = async ({ client }: TestWorld) => (await client.find(Jenkins, 'shop')) === undefined

const claims = async ({ client }: TestWorld) =>
  (await client.listAll(PersistentVolumeClaim, { namespace: 'default' })).map(
    ({ metadata }) => metadata.name,
  )

const backups = async ({ client }: TestWorld) =>
  client.listAll(Job, { labelSelector: labelsOf('shop', 'backup') })

async function eventMessage({ client }: TestWorld, reason: string): Promise<string> {
  const events = await client.listAll(Event, { namespace: 'default' })
  return events.find((event) => event.reason === reason)?.message ?? ''
}

const inFuture = ({ host }: TestWorld, ms: number): string =>
  new Date(host.now() + ms).toISOString().replace(/\.\d+Z$/, 'Z')

test('runs a Jenkins with its configuration, plug-ins and jobs', async () => {
  const world = await jenkinsWorld()
  expect(await ready(world)).toBe('True Reconciled: all children are ready')
  expect((await world.client.get(Jenkins, 'shop')).status).toMatchObject({
    url: 'http://shop.default.svc:8080/',
    adminSecret: 'shop-admin',
    jobs: ['build', 'nightly'],
    backups: 'shop-backups',
  })
  const { data = {} } = await world.client.get(ConfigMap, 'shop-files')
  expect(Object.keys(data).sort()).toEqual([
    'build.job.xml',
    'jenkins.yaml',
    'nightly.job.xml',
    'plugins.txt',
  ])
  const { spec } = await world.client.get(StatefulSet, 'shop')
  expect(spec.template.spec?.initContainers?.map(({ name }) => name)).toEqual(['plugins', 'jobs'])
  expect(await claims(world)).toEqual(['shop-backups', 'shop-home'])
})

test('no password is in a pod, a ConfigMap or the object', async () => {
  const world = await jenkinsWorld()
  const texts = JSON.stringify([
    await world.client.listAll(ConfigMap, { namespace: 'default' }),
    await world.client.listAll(Pod, { namespace: 'default' }),
    await world.client.get(Jenkins, 'shop'),
  ])
  for (const name of ['shop-admin', 'registry']) {
    const { data = {} } = await world.client.get(Secret, name)
    expect(texts).not.toContain(atob(data['password'] ?? ''))
  }
  const volume = (await world.client.get(StatefulSet, 'shop')).spec.template.spec?.volumes?.find(
    ({ name }) => name === 'secrets',
  )
  const paths = volume?.projected?.sources?.flatMap(({ secret }) => secret?.items ?? [])
  expect(paths?.map(({ path }) => path)).toEqual([
    'admin-username',
    'admin-password',
    'registry-username',
    'registry-password',
  ])
})

test('a given Secret of the administrator is used instead of our own', async () => {
  const world = await jenkinsWorld({ adminSecret: 'registry' })
  expect(await world.client.find(Secret, 'shop-admin')).toBeUndefined()
  expect((await world.client.get(Jenkins, 'shop')).status?.adminSecret).toBe('registry')
  expect(await ready(world)).toMatch(/^True/)
})

test('a changed job restarts Jenkins, a change of the backup does not', async () => {
  const world = await jenkinsWorld()
  const uid = async () => (await world.client.get(Pod, 'shop-0')).metadata.uid
  const before = await uid()
  await edit(world, { backup: { size: '3Gi' } })
  await world.settle()
  expect(await uid()).toBe(before)
  await edit(world, { jobs: [{ name: 'build', shell: 'make' }] })
  await world.settle()
  expect(await uid()).not.toBe(before)
  expect((await world.client.get(Jenkins, 'shop')).status?.jobs).toEqual(['build'])
})

test('the seed repository and the restored backup reach the script of the jobs', async () => {
  const world = await jenkinsWorld({
    seed: { url: 'https://git.example.com/shop.git', secretName: 'registry' },
    restoreFrom: 'old-shop',
  })
  const { spec } = await world.client.get(StatefulSet, 'shop')
  const [, jobs] = spec.template.spec?.initContainers ?? []
  expect(jobs?.env).toEqual(
    expect.arrayContaining([
      { name: 'SOURCE', value: '/restored' },
      { name: 'SEED_URL', value: 'https://git.example.com/shop.git' },
      { name: 'SEED_REVISION', value: 'main' },
      { name: 'SEED_PATH', value: 'jobs' },
    ]),
  )
  const claim = spec.template.spec?.volumes?.find(({ name }) => name === 'source')
  expect(claim?.persistentVolumeClaim?.claimName).toBe('old-shop-backups')
})

test.each<{ readonly why: string; readonly spec: Partial<Spec>; readonly message: string }>([
  {
    why: 'has two jobs of one name',
    spec: {
      jobs: [
        { name: 'a', shell: 'x' },
        { name: 'a', shell: 'y' },
      ],
    },
    message: 'Duplicate value',
  },
  {
    why: 'has a job of two types',
    spec: { jobs: [{ name: 'a', shell: 'x', pipeline: 'y' }] },
    message: 'a job has exactly one of shell, pipeline and xml',
  },
  {
    why: 'has a job without content',
    spec: { jobs: [{ name: 'a' }] },
    message: 'a job has exactly one of shell, pipeline and xml',
  },
  {
    why: 'has a schedule that is not a cron expression',
    spec: { jobs: [{ name: 'a', shell: 'x', schedule: 'every night' }] },
    message: 'spec.jobs[0].schedule',
  },
  {
    why: 'has a job whose name is a path',
    spec: { jobs: [{ name: '../a', shell: 'x' }] },
    message: 'spec.jobs[0].name',
  },
  {
    why: 'reads outside of its repository',
    spec: { seed: { url: 'https://git.example.com/a', path: 'jobs/../../etc' } },
    message: 'the path must be inside of the repository',
  },
  {
    why: 'shrinks',
    spec: { storage: { size: '500Mi' } },
    message: 'a volume can only grow',
  },
  {
    why: 'is over already',
    spec: { until: '2020-01-01T00:00:00Z' },
    message: 'spec.until: Invalid value: "2020-01-01T00:00:00Z": it is in the past',
  },
])('refuses a Jenkins that $why', async ({ spec, message }) => {
  const world = await jenkinsWorld()
  await expect(edit(world, spec)).rejects.toThrow(message)
})

test('a project that is over is removed, and its jobs are kept', async () => {
  const world = await jenkinsWorld()
  await edit(world, { until: inFuture(world, 30 * hourMs) })
  await world.host.sleep(29 * hourMs)
  expect(await isGone(world)).toBe(false)
  await world.host.sleep(2 * hourMs)
  expect(await isGone(world)).toBe(true)
  expect(await claims(world)).toEqual(['shop-backups'])
  expect(await world.client.find(StatefulSet, 'shop')).toBeUndefined()
  expect(await world.client.find(Secret, 'shop-admin')).toBeUndefined()
  expect(await eventMessage(world, 'ProjectOver')).toContain('the Jenkins is removed')
  expect(await eventMessage(world, 'Removed')).toMatch(
    /^removed; the jobs are in shop-backup-\w{8}\.tar\.gz on the claim shop-backups, which stays$/,
  )
})

test('a project that is extended stays', async () => {
  const world = await jenkinsWorld({ until: '2100-01-01T00:00:00Z' })
  await edit(world, { until: inFuture(world, hourMs) })
  await world.host.sleep(hourMs / 2)
  await edit(world, { until: inFuture(world, 24 * hourMs) })
  await world.host.sleep(2 * hourMs)
  expect(await isGone(world)).toBe(false)
})

test.each(['Background', 'Foreground'] as const)(
  'a deletion with the propagation %s makes a backup while Jenkins is stopped',
  async (propagation) => {
    const world = await jenkinsWorld()
    const pods: string[][] = []
    world.cluster.pods.behave(
      { labels: labelsOf('shop', 'backup') },
      { exits: { code: 0, after: '30s' } },
    )
    await world.client.delete(Jenkins, 'shop', { propagation })
    for (let seconds = 0; seconds < 300 && !(await isGone(world)); seconds += 1) {
      await world.host.sleep(1000)
      const all = await world.client.listAll(Pod, { namespace: 'default' })
      pods.push(all.map(({ metadata }) => metadata.name))
    }
    expect(await isGone(world)).toBe(true)
    expect(pods.some((names) => names.some((name) => name.startsWith('shop-backup-')))).toBe(true)
    expect(pods.filter((names) => names.length > 1)).toEqual([])
    await world.settle()
    expect(await claims(world)).toEqual(['shop-backups'])
    expect(await backups(world)).toEqual([])
    expect(await world.client.find(Service, 'shop')).toBeUndefined()
  },
)

test('a failed backup keeps everything, until someone decides', async () => {
  const world = await jenkinsWorld()
  const failing = { labels: labelsOf('shop', 'backup') }
  world.cluster.pods.behave(failing, { exits: { code: 1 } })
  await world.client.delete(Jenkins, 'shop')
  await world.host.sleep(hourMs)
  expect(await ready(world)).toMatch(
    /^False BackupFailed: everything is kept because the backup shop-backup-\w+ failed: read the log/,
  )
  expect(await claims(world)).toContain('shop-home')
  await edit(world, { backup: { onRemoval: false } })
  await world.settle()
  expect(await isGone(world)).toBe(true)
  expect(await eventMessage(world, 'Removed')).toBe('removed without a backup')
})

test('a failed backup is made again after its Job is deleted', async () => {
  const world = await jenkinsWorld()
  const failing = world.cluster.pods.behave(
    { labels: labelsOf('shop', 'backup') },
    { exits: { code: 1 } },
  )
  await world.client.delete(Jenkins, 'shop')
  await world.host.sleep(hourMs)
  failing[Symbol.dispose]()
  for (const { metadata } of await backups(world)) await world.client.delete(Job, metadata.name)
  await world.settle()
  expect(await isGone(world)).toBe(true)
})

test('a new Jenkins of the same name keeps the backups of the former one', async () => {
  const world = await jenkinsWorld()
  const uid = async () =>
    (await world.client.get(PersistentVolumeClaim, 'shop-backups')).metadata.uid
  const before = await uid()
  await world.client.delete(Jenkins, 'shop')
  await world.settle()
  await world.client.create(Jenkins, { ...sample, spec: { ...sampleSpec, restoreFrom: 'shop' } })
  await world.settle()
  expect(await ready(world)).toMatch(/^True/)
  expect(await uid()).toBe(before)
})

/** Kills the operator after each of its writes, for a minute. Returns the number of restarts. */
async function restartAfterWrites(world: TestWorld): Promise<number> {
  let count = 0
  world.writes()
  for (let passedMs = 0; passedMs < 60_000; passedMs += 10) {
    await world.host.sleep(10)
    if (world.writes().length === 0) continue
    count += 1
    await world.restart()
  }
  return count
}

test('a removal continues after a crash after each of its writes', async () => {
  // The writes succeed, but the operator is killed before it gets the responses.
  const world = await jenkinsWorld(
    {},
    {
      intercept: ({ kind }) => (kind === 'response' ? { delay: 20 } : undefined),
      start: { gracePeriod: 0 },
    },
  )
  world.cluster.pods.behave(
    { labels: labelsOf('shop', 'backup') },
    { exits: { code: 0, after: '5s' } },
  )
  await edit(world, { until: inFuture(world, 5000) })
  expect(await restartAfterWrites(world)).toBeGreaterThan(5)
  expect(await isGone(world)).toBe(true)
  await world.settle()
  expect(await claims(world)).toEqual(['shop-backups'])
  expect(await backups(world)).toEqual([])
})

test('in a steady state it writes nothing, even after a restart', async () => {
  const world = await jenkinsWorld({ until: '2100-01-01T00:00:00Z' })
  world.writes()
  await world.restart()
  await world.settle()
  expect(world.writes()).toEqual([])
})
