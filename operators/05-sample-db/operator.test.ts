import { readFile } from 'node:fs/promises'
import { type Cluster, testWorld, type TestWorld } from '@setpoint/cluster'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type InferManifest, type InferResource, rbacFor } from 'setpoint'
import type { Client } from 'setpoint/client'
import type { VirtualHost } from 'setpoint/host'
import {
  ConfigMap,
  CronJob,
  Event,
  Job,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
  ValidatingWebhookConfiguration,
} from 'setpoint/kinds'
import databases from './operator.ts'
import { databaseLabel, roleLabel } from './names.ts'
import { SampleDB } from './sample-db.ts'

type Manifest = InferManifest<typeof SampleDB>
type Spec = Manifest['spec']

const name = 'example-database'
const key = { namespace: 'default', name }

// Before any test: virtual time continues while a test waits for a real file.
const sample = parse(await readFile(new URL('sample.yaml', import.meta.url), 'utf8')) as Manifest

/** A cluster in virtual time with the running operator, which has the permissions of its role. */
class World {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
  readonly #world: TestWorld

  private constructor(world: TestWorld) {
    this.#world = world
    this.host = world.host
    this.cluster = world.cluster
    this.client = world.client
  }

  /** With a latency, the server has completed a write before the operator gets the response. */
  static async open({ latencyMs = 0 } = {}): Promise<World> {
    const world = await testWorld({
      operators: [databases],
      rules: rbacFor([databases]),
      seed: 5,
      intercept: ({ kind }) =>
        kind === 'response' && latencyMs > 0 ? { delay: latencyMs } : undefined,
      // Stopped immediately, like a killed process.
      start: { gracePeriod: 0 },
    })
    onTestFinished(() => world[Symbol.asyncDispose]())
    // The server needs time to start and to stop, and Jobs need time to run.
    world.cluster.pods.behave(
      { labels: { [roleLabel]: 'server' } },
      { readyAfter: 3_000, terminationTime: 2_000 },
    )
    for (const role of ['initialize', 'backup', 'upgrade', 'snapshot']) {
      world.cluster.pods.behave(
        { labels: { [roleLabel]: role } },
        { exits: { code: 0, after: 5_000 } },
      )
    }
    return new World(world)
  }

  /** Kills the operator and starts another one. */
  async restart(): Promise<void> {
    await this.#world.restart()
  }

  /**
   * Restarts the operator after each of its writes, for this many seconds. Returns the number of
   * restarts.
   */
  async restartAfterWrites(seconds: number): Promise<number> {
    let count = 0
    this.#world.writes()
    for (let passedMs = 0; passedMs < seconds * 1_000; passedMs += 10) {
      await this.host.sleep(10)
      if (this.#world.writes().length === 0) continue
      count += 1
      await this.restart()
    }
    return count
  }

  async create(spec: Partial<Spec> = {}, as = name): Promise<void> {
    await this.client.create(SampleDB, {
      ...sample,
      metadata: { name: as },
      spec: { ...sample.spec, ...spec },
    })
  }

  /** Creates the sample and waits until it runs. */
  async running(spec: Partial<Spec> = {}): Promise<void> {
    await this.create(spec)
    await this.host.sleep(60_000)
    expect(await this.phase()).toBe('Running')
  }

  async edit(spec: object): Promise<void> {
    await this.client.patch(SampleDB, name, { merge: { spec } })
  }

  async status(of = name): Promise<NonNullable<InferResource<typeof SampleDB>['status']>> {
    return (await this.client.get(SampleDB, of)).status ?? {}
  }

  async phase(): Promise<string | undefined> {
    return (await this.status()).phase
  }

  async condition(type: string, of = name): Promise<string> {
    const { conditions = [] } = await this.status(of)
    const found = conditions.find((one) => one.type === type)
    return `${found?.status} ${found?.reason}: ${found?.message}`
  }

  /** The snapshot Jobs, from their Events: the Jobs themselves are deleted. */
  async snapshots(): Promise<string[]> {
    const events = await this.client.listAll(Event, { namespace: 'default' })
    return events
      .filter(({ reason, involvedObject }) => {
        return reason === 'Completed' && involvedObject.name?.includes('-snapshot-')
      })
      .map(({ involvedObject }) => involvedObject.name ?? '')
  }

  /** The Jobs of a role, oldest first. */
  async jobs(role: string): Promise<string[]> {
    const jobs = await this.client.listAll(Job, {
      namespace: 'default',
      labelSelector: `${databaseLabel}=${name},${roleLabel}=${role}`,
    })
    return jobs.map(({ metadata }) => metadata.name)
  }

  /** The images of the running servers. */
  async servers(): Promise<(string | undefined)[]> {
    const pods = await this.client.listAll(Pod, {
      namespace: 'default',
      labelSelector: `${databaseLabel}=${name},${roleLabel}=server`,
    })
    return pods.map(({ spec }) => spec.containers[0]?.image)
  }

  async isDeleted(): Promise<boolean> {
    return (await this.client.find(SampleDB, key)) === undefined
  }

  /** The phases over time, without repetitions. */
  async phasesWhile(seconds: number): Promise<string[]> {
    const seen: string[] = []
    for (let tick = 0; tick < seconds * 2; tick += 1) {
      const phase = (await this.client.find(SampleDB, key))?.status?.phase ?? 'none'
      if (seen.at(-1) !== phase) seen.push(phase)
      await this.host.sleep(500)
    }
    return seen
  }
}

test('creates credentials, storage, a server and the initial configuration, in this order', async () => {
  const world = await World.open()
  await world.create()
  expect(await world.phasesWhile(30)).toEqual(['none', 'Starting', 'Initializing', 'Running'])
  const { client } = world
  const { data: secret = {} } = await client.get(Secret, `${name}-credentials`)
  expect(atob(secret['username'] ?? '')).toBe('sampledb')
  expect(atob(secret['password'] ?? '')).toMatch(/^[\w-]{32}$/)
  const { spec } = await client.get(Service, name)
  expect((await client.get(ConfigMap, `${name}-connection`)).data).toMatchObject({
    host: `${name}.default.svc`,
    address: spec.clusterIP,
    port: '5432',
    database: 'app',
    'init.sql': expect.stringContaining('CREATE TABLE visits') as string,
  })
  for (const claim of [`${name}-data`, `${name}-backups`]) {
    expect(PersistentVolumeClaim.isBound(await client.get(PersistentVolumeClaim, claim))).toBe(true)
  }
  expect((await client.get(Service, `${name}-pods`)).spec.clusterIP).toBe('None')
  expect(await world.servers()).toEqual(['postgres:15.4'])
  expect(await world.jobs('initialize')).toEqual([`${name}-initialize`])
  expect(await world.status()).toMatchObject({ version: '15.4', phase: 'Running' })
  expect(await world.condition('Ready')).toBe('True Running: 1 of 1 pod ready')
  expect(await world.condition('Initialized')).toBe('True Initialized: the database is initialized')
  expect(await world.condition('BackedUp')).toMatch(
    /^False NoBackupYet: none yet; the schedule is 0 3/,
  )
})

test('never changes credentials, and creates others for another database', async () => {
  const world = await World.open()
  await world.running()
  const password = async (of: string): Promise<string | undefined> =>
    (await world.client.get(Secret, `${of}-credentials`)).data?.['password']
  const first = await password(name)
  await world.restart()
  await world.edit({ backup: { keep: 5 } })
  await world.create({}, 'other')
  await world.host.sleep(60_000)
  expect(await password(name)).toBe(first)
  expect(await password('other')).not.toBe(first)
})

test('reports a failed initial configuration with a fix, and retries it when its Job is deleted', async () => {
  const world = await World.open()
  const rule = world.cluster.pods.behave(
    { labels: { [roleLabel]: 'initialize' } },
    { exits: { code: 3 } },
  )
  await world.create()
  await world.host.sleep(300_000)
  expect(await world.phase()).toBe('InitializationFailed')
  expect(await world.condition('Ready')).toMatch(/^False InitializationFailed/)
  expect(await world.condition('Initialized')).toMatch(
    /BackoffLimitExceeded.*delete it to try again$/,
  )
  rule[Symbol.dispose]()
  await world.client.delete(Job, `${name}-initialize`, { propagation: 'Background' })
  await world.host.sleep(60_000)
  expect(await world.phase()).toBe('Running')
})

test('does not repeat the initial configuration when its Job is deleted later', async () => {
  const world = await World.open()
  await world.running()
  await world.client.delete(Job, `${name}-initialize`, { propagation: 'Background' })
  await world.host.sleep(60_000)
  expect(await world.jobs('initialize')).toEqual([])
  expect(await world.phase()).toBe('Running')
})

test('creates backups with Jobs, and puts the newest into the status', async () => {
  const world = await World.open()
  await world.running({ backup: { schedule: '*/10 * * * *', keep: 2 } })
  await world.host.sleep(11 * 60_000)
  const backup = (await world.jobs('backup')).at(-1) ?? ''
  const job = await world.client.get(Job, backup)
  const env = job.spec.template.spec?.containers[0]?.env ?? []
  const sources = env.map(
    ({ valueFrom }) => valueFrom?.configMapKeyRef?.name ?? valueFrom?.secretKeyRef?.name,
  )
  expect(sources).toEqual(expect.arrayContaining([`${name}-connection`, `${name}-credentials`]))
  expect(env).toContainEqual({ name: 'DROP_FROM', value: '3' })
  expect((await world.status()).lastBackup).toMatchObject({ name: backup })
  expect(await world.condition('BackedUp')).toMatch(
    /^True BackedUp: example-database-backup-\d+ was made/,
  )
  // A Job that the user creates is a backup too.
  await world.client.create(Job, {
    metadata: { name: 'by-hand', labels: job.metadata.labels ?? {} },
    spec: (await world.client.get(CronJob, `${name}-backup`)).spec.jobTemplate.spec as never,
  })
  await world.host.sleep(30_000)
  expect((await world.status()).lastBackup).toMatchObject({ name: 'by-hand' })
})

test('reports a failed backup with the newest successful one', async () => {
  const world = await World.open()
  await world.running({ backup: { schedule: '*/10 * * * *' } })
  await world.host.sleep(11 * 60_000)
  const { lastBackup } = await world.status()
  world.cluster.pods.behave({ labels: { [roleLabel]: 'backup' } }, { exits: { code: 1 } })
  await world.host.sleep(15 * 60_000)
  expect(await world.condition('BackedUp')).toMatch(
    new RegExp(`^False BackupFailed: .* the newest backup is ${lastBackup?.name}$`),
  )
  expect((await world.status()).lastBackup).toEqual(lastBackup)
  expect(await world.phase()).toBe('Running')
})

test('applies changes of storage, schedule and resources', async () => {
  const world = await World.open()
  await world.running()
  await world.edit({
    storage: { size: '3Gi' },
    backup: { schedule: '0 4 * * *', size: '2Gi' },
    resources: { requests: { cpu: '100m' }, limits: { memory: '1Gi' } },
  })
  await world.host.sleep(60_000)
  const sizeOf = async (claim: string): Promise<string | undefined> =>
    (await world.client.get(PersistentVolumeClaim, claim)).status?.capacity?.['storage']
  expect(await sizeOf(`${name}-data`)).toBe('3Gi')
  expect(await sizeOf(`${name}-backups`)).toBe('2Gi')
  expect((await world.client.get(CronJob, `${name}-backup`)).spec.schedule).toBe('0 4 * * *')
  const pod = await world.client.get(Pod, `${name}-0`)
  expect(pod.spec.containers[0]?.resources).toMatchObject({
    requests: { cpu: '100m' },
    limits: { memory: '1Gi' },
  })
  expect(await world.phase()).toBe('Running')
  await expect(world.edit({ storage: { size: '1Gi' } })).rejects.toThrow(
    'spec.storage.size: Invalid value: "1Gi": a volume can only grow',
  )
})

test('suspends scheduled backups', async () => {
  const world = await World.open()
  await world.running()
  expect((await world.client.get(CronJob, `${name}-backup`)).spec.suspend).toBe(false)
  await world.edit({ backup: { suspend: true } })
  await world.host.sleep(1_000)
  expect((await world.client.get(CronJob, `${name}-backup`)).spec.suspend).toBe(true)
})

test('stops the server for an upgrade, runs its Job, and starts the new version', async () => {
  const world = await World.open()
  await world.running()
  await world.edit({ version: '16.1' })
  expect(await world.phasesWhile(30)).toEqual([
    'Running',
    'Stopping',
    'Upgrading',
    'Starting',
    'Running',
  ])
  expect(await world.jobs('upgrade')).toEqual([`${name}-upgrade-16-1`])
  const { spec, status } = await world.client.get(Job, `${name}-upgrade-16-1`)
  expect(spec.template.spec?.initContainers?.[0]?.image).toBe('postgres:15.4')
  expect(spec.template.spec?.containers[0]?.image).toBe('postgres:16.1')
  expect(status?.succeeded).toBe(1)
  expect(await world.servers()).toEqual(['postgres:16.1'])
  expect((await world.status()).version).toBe('16.1')
  expect(await world.condition('UpToDate')).toBe('True UpToDate: the data is at version 16.1')
})

test('never runs the server and an upgrade at the same time', async () => {
  const world = await World.open()
  await world.running()
  await world.edit({ version: '16.1' })
  const users = async (): Promise<string[]> => {
    const pods = await world.client.listAll(Pod, { labelSelector: databaseLabel })
    return pods
      .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
      .map(({ metadata }) => metadata.labels?.[roleLabel] ?? '')
      .filter((role) => role !== 'backup')
  }
  for (let tick = 0; tick < 300; tick += 1) {
    expect((await users()).length).toBeLessThan(2)
    await world.host.sleep(100)
  }
  expect(await world.phase()).toBe('Running')
})

test('keeps the data after a failed upgrade, and runs the old version again on request', async () => {
  const world = await World.open()
  await world.running()
  const rule = world.cluster.pods.behave(
    { labels: { [roleLabel]: 'upgrade' } },
    { exits: { code: 1 } },
  )
  await world.edit({ version: '16.1' })
  await world.host.sleep(300_000)
  expect(await world.phase()).toBe('UpgradeFailed')
  expect(await world.condition('UpToDate')).toMatch(
    /^False UpgradeFailed: .*set spec.version to 15.4/,
  )
  await world.edit({ version: '15.4' })
  await world.host.sleep(60_000)
  expect(await world.phase()).toBe('Running')
  expect(await world.servers()).toEqual(['postgres:15.4'])
  expect(await world.jobs('upgrade')).toEqual([])
  // The next upgrade starts with a new Job.
  rule[Symbol.dispose]()
  await world.edit({ version: '16.1' })
  await world.host.sleep(60_000)
  expect(await world.status()).toMatchObject({ phase: 'Running', version: '16.1' })
})

test('stops an upgrade when another version is desired, before the next upgrade starts', async () => {
  const world = await World.open()
  await world.running()
  await world.edit({ version: '16.1' })
  await world.host.sleep(6_000)
  expect(await world.phase()).toBe('Upgrading')
  await world.edit({ version: '17.0' })
  await world.host.sleep(60_000)
  expect(await world.status()).toMatchObject({ phase: 'Running', version: '17.0' })
  expect(await world.jobs('upgrade')).toEqual([`${name}-upgrade-17-0`])
  const { spec } = await world.client.get(Job, `${name}-upgrade-17-0`)
  expect(spec.template.spec?.initContainers?.[0]?.image).toBe('postgres:15.4')
})

test('refuses a downgrade, and keeps the database running', async () => {
  const world = await World.open()
  await world.running()
  await expect(world.edit({ version: '14.9' })).rejects.toThrow(
    'spec.version: Invalid value: "14.9": the data is at version 15.4, and cannot go back',
  )
  // Without the webhook, the status says it.
  for (const { metadata } of await world.client.listAll(ValidatingWebhookConfiguration)) {
    await world.client.delete(ValidatingWebhookConfiguration, metadata.name)
  }
  await world.edit({ version: '14.9' })
  await world.host.sleep(60_000)
  expect(await world.condition('UpToDate')).toMatch(
    /^False DowngradeRefused: the data is at version 15.4/,
  )
  expect(await world.condition('Ready')).toMatch(/^True/)
  expect(await world.servers()).toEqual(['postgres:15.4'])
})

test('recreates a deleted pod with the same volume', async () => {
  const world = await World.open()
  await world.running()
  await world.client.delete(Pod, `${name}-0`)
  await world.host.sleep(30_000)
  expect(await world.phase()).toBe('Running')
  const { spec } = await world.client.get(Pod, `${name}-0`)
  expect(spec.volumes?.[0]?.persistentVolumeClaim?.claimName).toBe(`${name}-data`)
})

test('restores a backup of another database, even of a deleted one', async () => {
  const world = await World.open()
  await world.running()
  await world.client.delete(SampleDB, name)
  await world.host.sleep(60_000)
  const restoreFrom = { database: name, backup: 'some-backup' }
  await world.create({ restoreFrom }, 'second')
  await world.host.sleep(60_000)
  const { spec } = await world.client.get(Job, 'second-initialize')
  const pod = spec.template.spec
  expect(pod?.volumes).toMatchObject([{ persistentVolumeClaim: { claimName: `${name}-backups` } }])
  expect(pod?.containers[0]?.env).toContainEqual({ name: 'BACKUP', value: 'some-backup' })
  expect(await world.condition('Initialized', 'second')).toMatch(
    /restored from a backup of example-data/,
  )
})

test('stops the server on deletion, takes a snapshot, and deletes everything except the backups', async () => {
  const world = await World.open()
  await world.running()
  await world.client.delete(SampleDB, name)
  expect(await world.phasesWhile(40)).toEqual(['Running', 'Stopping', 'TakingSnapshot', 'none'])
  const { client } = world
  expect(await world.snapshots()).toHaveLength(1)
  const events = await client.listAll(Event, { namespace: 'default' })
  expect(events.map(({ message }) => message)).toContain(
    `the data is removed; backups and snapshots are on the claim ${name}-backups, which stays`,
  )
  const left = await client.listAll(PersistentVolumeClaim, { namespace: 'default' })
  expect(left.map(({ metadata }) => metadata.name)).toEqual([`${name}-backups`])
  for (const kind of [StatefulSet, CronJob, Secret]) {
    expect(await client.listAll(kind, { namespace: 'default' })).toEqual([])
  }
  expect(await world.servers()).toEqual([])
  // A new database of this name uses the same backups.
  await world.running()
})

test('keeps the data after a failed snapshot with a reason and a fix, and deletes it after a successful one', async () => {
  const world = await World.open()
  await world.running()
  const rule = world.cluster.pods.behave(
    { labels: { [roleLabel]: 'snapshot' } },
    { exits: { code: 1 } },
  )
  await world.client.delete(SampleDB, name)
  await world.host.sleep(300_000)
  expect(await world.phase()).toBe('SnapshotFailed')
  expect(await world.condition('Ready')).toMatch(
    /^False SnapshotFailed: the data is kept because the snapshot .* failed.*delete the Job to try again, or set spec.snapshotOnDelete to false/,
  )
  const events = await world.client.listAll(Event, { namespace: 'default' })
  expect(events.map(({ message = '' }) => message).join()).toContain('the data is kept because')
  expect(await world.client.find(PersistentVolumeClaim, `${name}-data`)).toBeDefined()
  rule[Symbol.dispose]()
  const [job = ''] = await world.jobs('snapshot')
  await world.client.delete(Job, job, { propagation: 'Background' })
  await world.host.sleep(60_000)
  expect(await world.isDeleted()).toBe(true)
})

test('deletes the data without a snapshot on request', async () => {
  const world = await World.open()
  await world.running()
  world.cluster.pods.behave({ labels: { [roleLabel]: 'snapshot' } }, { exits: { code: 1 } })
  await world.client.delete(SampleDB, name)
  await world.host.sleep(300_000)
  await world.edit({ snapshotOnDelete: false })
  await world.host.sleep(60_000)
  expect(await world.isDeleted()).toBe(true)
  expect(await world.client.find(PersistentVolumeClaim, `${name}-data`)).toBeUndefined()
  expect(await world.client.find(PersistentVolumeClaim, `${name}-backups`)).toBeDefined()
})

test('reports why a snapshot does not start', async () => {
  const world = await World.open()
  await world.running()
  world.cluster.pods.behave({ labels: { [roleLabel]: 'snapshot' } }, { pullError: 'not found' })
  await world.client.delete(SampleDB, name)
  await world.host.sleep(120_000)
  expect(await world.phase()).toBe('TakingSnapshot')
  expect(await world.condition('Ready')).toMatch(
    /^False TakingSnapshot: .*container snapshot is waiting: (ErrImagePull|ImagePullBackOff)$/,
  )
})

test('takes a snapshot also on a foreground deletion', async () => {
  const world = await World.open()
  await world.running()
  await world.client.delete(SampleDB, name, { propagation: 'Foreground' })
  await world.host.sleep(120_000)
  expect(await world.isDeleted()).toBe(true)
  expect(await world.snapshots()).toHaveLength(1)
})

test('takes no snapshot of a database that was never initialized', async () => {
  const world = await World.open()
  world.cluster.pods.behave('postgres*', { pullError: 'not found' })
  await world.create({ version: '99' })
  await world.host.sleep(60_000)
  expect(await world.phase()).toBe('Starting')
  await world.client.delete(SampleDB, name)
  await world.host.sleep(60_000)
  expect(await world.isDeleted()).toBe(true)
})

test('continues after a crash after each of its writes', async () => {
  // The writes succeed, but the operator is killed before it gets the responses.
  const world = await World.open({ latencyMs: 20 })
  await world.create()
  expect(await world.restartAfterWrites(14)).toBeGreaterThan(10)
  expect(await world.phase()).toBe('Running')
  await world.edit({ version: '16.1' })
  expect(await world.restartAfterWrites(16)).toBeGreaterThan(4)
  expect(await world.status()).toMatchObject({ phase: 'Running', version: '16.1' })
  expect(await world.jobs('initialize')).toHaveLength(1)
  expect(await world.jobs('upgrade')).toHaveLength(1)
  await world.client.delete(SampleDB, name)
  expect(await world.restartAfterWrites(16)).toBeGreaterThan(4)
  expect(await world.isDeleted()).toBe(true)
  expect(await world.snapshots()).toHaveLength(1)
})

test('runs with exactly the permissions of its role', () => {
  const all = 'create delete get list patch update watch'
  expect(
    rbacFor([databases]).map(({ resources, verbs }) => `${resources.join()}: ${verbs.join(' ')}`),
  ).toEqual([
    `configmaps: ${all}`,
    'events: create patch',
    `persistentvolumeclaims: ${all}`,
    'pods: get list watch',
    `secrets: ${all}`,
    `services: ${all}`,
    `statefulsets: ${all}`,
    `cronjobs: ${all}`,
    `jobs: ${all}`,
    'sampledbs: get list patch watch',
    'sampledbs/finalizers: update',
    'sampledbs/status: patch update',
  ])
})
