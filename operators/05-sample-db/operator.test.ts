import { readFile } from 'node:fs/promises'
import { createCluster, type Cluster } from '@setpoint/cluster'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import {
  type InferManifest,
  type InferResource,
  rbacFor,
  type RunningOperators,
  start,
} from 'setpoint'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { type VirtualHost, virtualHost } from 'setpoint/host'
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  CronJob,
  CustomResourceDefinition,
  Event,
  Job,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from 'setpoint/kinds'
import databases from './operator.ts'
import { databaseLabel, roleLabel } from './names.ts'
import { SampleDB } from './sample-db.ts'

type Manifest = InferManifest<typeof SampleDB>
type Spec = Manifest['spec']

const name = 'example-database'
const key = { namespace: 'default', name }

/** Gives the operator its resource and its role, and nothing else. */
async function permit(client: Client): Promise<void> {
  const metadata = { name: 'operator' }
  await client.create(CustomResourceDefinition, SampleDB.crd())
  await client.create(ClusterRole, { metadata, rules: rbacFor([databases]) })
  const apiGroup = 'rbac.authorization.k8s.io'
  await client.create(ClusterRoleBinding, {
    metadata,
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'operator' },
    subjects: [{ kind: 'User', name: 'operator', apiGroup }],
  })
}

/** A cluster in virtual time with the operator at work. */
class World {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
  readonly #start: () => Promise<RunningOperators>
  #running: RunningOperators

  private constructor(parts: {
    host: VirtualHost
    cluster: Cluster
    client: Client
    running: RunningOperators
    start: () => Promise<RunningOperators>
  }) {
    this.host = parts.host
    this.cluster = parts.cluster
    this.client = parts.client
    this.#running = parts.running
    this.#start = parts.start
  }

  /** With a latency, things are done on the server before the operator knows of it. */
  static async open({ latencyMs = 0 } = {}): Promise<World> {
    const host = virtualHost({
      seed: 5,
      intercept: ({ kind }) =>
        kind === 'response' && latencyMs > 0 ? { delay: latencyMs } : undefined,
    })
    const cluster = await createCluster({ host, users: [{ name: 'operator' }] })
    const kubeconfig = cluster.kubeconfig()
    const client = new Client(host, await connectionFromKubeconfig(host, kubeconfig))
    await permit(client)
    const context = { context: 'operator' }
    const connection = await connectionFromKubeconfig(host, kubeconfig, context)
    // Stopped at once, in the middle of whatever it does, as a process that is killed.
    const startOne = (): Promise<RunningOperators> =>
      start([databases], { host, connection, gracePeriod: 0 })
    const running = await startOne()
    const it = new World({ host, cluster, client, running, start: startOne })
    onTestFinished(async () => {
      await it.#running.stop()
      await cluster.dispose()
      host[Symbol.dispose]()
    })
    // The server takes a moment to start and to stop, and Jobs have something to do.
    cluster.pods.behave(
      { labels: { [roleLabel]: 'server' } },
      { readyAfter: 3_000, terminationTime: 2_000 },
    )
    for (const role of ['initialize', 'backup', 'upgrade', 'snapshot']) {
      cluster.pods.behave({ labels: { [roleLabel]: role } }, { exits: { code: 0, after: 5_000 } })
    }
    return it
  }

  /** Ends the operator without waiting for anything, and starts another one. */
  async restart(): Promise<void> {
    await this.#running.stop()
    this.#running = await this.#start()
  }

  /** Restarts the operator after everything that it writes, for so many seconds. Returns how often that was. */
  async restartAfterWrites(seconds: number): Promise<number> {
    const lastWrite = (): unknown =>
      this.cluster.trace.findLast(
        ({ user, verb }) => user === 'operator' && !['get', 'list', 'watch'].includes(verb),
      )
    let count = 0
    let seen = lastWrite()
    for (let passedMs = 0; passedMs < seconds * 1_000; passedMs += 10) {
      await this.host.sleep(10)
      if (lastWrite() === seen) continue
      seen = lastWrite()
      count += 1
      await this.restart()
    }
    return count
  }

  async create(spec: Partial<Spec> = {}, as = name): Promise<void> {
    const sample = parse(
      await readFile(new URL('sample.yaml', import.meta.url), 'utf8'),
    ) as Manifest
    await this.client.create(SampleDB, {
      ...sample,
      metadata: { name: as },
      spec: { ...sample.spec, ...spec },
    })
  }

  /** The sample, created and running. */
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

  /** The Jobs that took snapshots. They are gone, but not what was said about them. */
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

  /** The servers that run, by image. */
  async servers(): Promise<(string | undefined)[]> {
    const pods = await this.client.listAll(Pod, {
      namespace: 'default',
      labelSelector: `${databaseLabel}=${name},${roleLabel}=server`,
    })
    return pods.map(({ spec }) => spec.containers[0]?.image)
  }

  async isGone(): Promise<boolean> {
    return (await this.client.find(SampleDB, key)) === undefined
  }

  /** What the phase is over time, without repetitions. */
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

test('a new database gets credentials, storage, a server and its first configuration, in this order', async () => {
  const it = await World.open()
  await it.create()
  expect(await it.phasesWhile(30)).toEqual(['none', 'Starting', 'Initializing', 'Running'])
  const { client } = it
  const { data: secret = {} } = await client.get(Secret, `${name}-credentials`)
  expect(atob(secret['username'] ?? '')).toBe('sampledb')
  expect(atob(secret['password'] ?? '')).toMatch(/^[\w-]{32}$/)
  const { spec } = await client.get(Service, name)
  expect((await client.get(ConfigMap, `${name}-connection`)).data).toMatchObject({
    ...{ host: `${name}.default.svc`, address: spec.clusterIP, port: '5432', database: 'app' },
    'init.sql': expect.stringContaining('CREATE TABLE visits') as string,
  })
  for (const claim of [`${name}-data`, `${name}-backups`]) {
    expect(PersistentVolumeClaim.isBound(await client.get(PersistentVolumeClaim, claim))).toBe(true)
  }
  expect((await client.get(Service, `${name}-pods`)).spec.clusterIP).toBe('None')
  expect(await it.servers()).toEqual(['postgres:15.4'])
  expect(await it.jobs('initialize')).toEqual([`${name}-initialize`])
  expect(await it.status()).toMatchObject({ version: '15.4', phase: 'Running' })
  expect(await it.condition('Ready')).toBe('True Running: 1 of 1 pod ready')
  expect(await it.condition('Initialized')).toBe('True Initialized: the database is made')
  expect(await it.condition('BackedUp')).toMatch(
    /^False NoBackupYet: none yet; the schedule is 0 3/,
  )
})

test('the credentials are never overwritten, and are others for another database', async () => {
  const it = await World.open()
  await it.running()
  const password = async (of: string): Promise<string | undefined> =>
    (await it.client.get(Secret, `${of}-credentials`)).data?.['password']
  const first = await password(name)
  await it.restart()
  await it.edit({ backup: { keep: 5 } })
  await it.create({}, 'other')
  await it.host.sleep(60_000)
  expect(await password(name)).toBe(first)
  expect(await password('other')).not.toBe(first)
})

test('an initial configuration that fails is told with the way out, and tried again when its Job is deleted', async () => {
  const it = await World.open()
  const rule = it.cluster.pods.behave(
    { labels: { [roleLabel]: 'initialize' } },
    { exits: { code: 3 } },
  )
  await it.create()
  await it.host.sleep(300_000)
  expect(await it.phase()).toBe('InitializationFailed')
  expect(await it.condition('Ready')).toMatch(/^False InitializationFailed/)
  expect(await it.condition('Initialized')).toMatch(/BackoffLimitExceeded.*delete it to try again$/)
  rule[Symbol.dispose]()
  await it.client.delete(Job, `${name}-initialize`, { propagation: 'Background' })
  await it.host.sleep(60_000)
  expect(await it.phase()).toBe('Running')
})

test('the configuration is made once: a Job that somebody deletes later does not come back', async () => {
  const it = await World.open()
  await it.running()
  await it.client.delete(Job, `${name}-initialize`, { propagation: 'Background' })
  await it.host.sleep(60_000)
  expect(await it.jobs('initialize')).toEqual([])
  expect(await it.phase()).toBe('Running')
})

test('backups are made by Jobs with the connection details, and the newest is in the status', async () => {
  const it = await World.open()
  await it.running({ backup: { schedule: '*/10 * * * *', keep: 2 } })
  await it.host.sleep(11 * 60_000)
  const [backup = ''] = await it.jobs('backup')
  const job = await it.client.get(Job, backup)
  const env = job.spec.template.spec?.containers[0]?.env ?? []
  const sources = env.map(
    ({ valueFrom }) => valueFrom?.configMapKeyRef?.name ?? valueFrom?.secretKeyRef?.name,
  )
  expect(sources).toEqual(expect.arrayContaining([`${name}-connection`, `${name}-credentials`]))
  expect(env).toContainEqual({ name: 'DROP_FROM', value: '3' })
  expect((await it.status()).lastBackup).toMatchObject({ name: backup })
  expect(await it.condition('BackedUp')).toMatch(
    /^True BackedUp: example-database-backup-\d+ was made/,
  )
  // One of today by hand is a backup like the others.
  await it.client.create(Job, {
    metadata: { name: 'by-hand', labels: job.metadata.labels ?? {} },
    spec: (await it.client.get(CronJob, `${name}-backup`)).spec.jobTemplate.spec as never,
  })
  await it.host.sleep(30_000)
  expect((await it.status()).lastBackup).toMatchObject({ name: 'by-hand' })
})

test('a backup that fails is told, with the newest one that there is', async () => {
  const it = await World.open()
  await it.running({ backup: { schedule: '*/10 * * * *' } })
  await it.host.sleep(11 * 60_000)
  const { lastBackup } = await it.status()
  it.cluster.pods.behave({ labels: { [roleLabel]: 'backup' } }, { exits: { code: 1 } })
  await it.host.sleep(15 * 60_000)
  expect(await it.condition('BackedUp')).toMatch(
    new RegExp(`^False BackupFailed: .* the newest backup is ${lastBackup?.name}$`),
  )
  expect((await it.status()).lastBackup).toEqual(lastBackup)
  expect(await it.phase()).toBe('Running')
})

test('an edit takes effect: storage, schedule, resources', async () => {
  const it = await World.open()
  await it.running()
  await it.edit({
    storage: { size: '3Gi' },
    backup: { schedule: '0 4 * * *', size: '2Gi' },
    resources: { requests: { cpu: '100m' }, limits: { memory: '1Gi' } },
  })
  await it.host.sleep(60_000)
  const sizeOf = async (claim: string): Promise<string | undefined> =>
    (await it.client.get(PersistentVolumeClaim, claim)).status?.capacity?.['storage']
  expect(await sizeOf(`${name}-data`)).toBe('3Gi')
  expect(await sizeOf(`${name}-backups`)).toBe('2Gi')
  expect((await it.client.get(CronJob, `${name}-backup`)).spec.schedule).toBe('0 4 * * *')
  const pod = await it.client.get(Pod, `${name}-0`)
  expect(pod.spec.containers[0]?.resources).toMatchObject({
    requests: { cpu: '100m' },
    limits: { memory: '1Gi' },
  })
  expect(await it.phase()).toBe('Running')
  // A volume cannot shrink: the server says so, and everything goes on as it was.
  await it.edit({ storage: { size: '1Gi' } })
  await it.host.sleep(60_000)
  expect(await it.condition('Ready')).toMatch(
    /^False ReconcileFailed: .*field can not be less than/,
  )
  expect(await it.servers()).toHaveLength(1)
})

test('an upgrade stops the server, runs its Job alone, and starts the new version', async () => {
  const it = await World.open()
  await it.running()
  await it.edit({ version: '16.1' })
  expect(await it.phasesWhile(30)).toEqual([
    'Running',
    'Stopping',
    'Upgrading',
    'Starting',
    'Running',
  ])
  expect(await it.jobs('upgrade')).toEqual([`${name}-upgrade-16-1`])
  const { spec, status } = await it.client.get(Job, `${name}-upgrade-16-1`)
  expect(spec.template.spec?.initContainers?.[0]?.image).toBe('postgres:15.4')
  expect(spec.template.spec?.containers[0]?.image).toBe('postgres:16.1')
  expect(status?.succeeded).toBe(1)
  expect(await it.servers()).toEqual(['postgres:16.1'])
  expect((await it.status()).version).toBe('16.1')
  expect(await it.condition('UpToDate')).toBe('True UpToDate: the data is at version 16.1')
})

test('never do two of server and upgrade have the data at once', async () => {
  const it = await World.open()
  await it.running()
  await it.edit({ version: '16.1' })
  const users = async (): Promise<string[]> => {
    const pods = await it.client.listAll(Pod, { labelSelector: databaseLabel })
    return pods
      .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
      .map(({ metadata }) => metadata.labels?.[roleLabel] ?? '')
      .filter((role) => role !== 'backup')
  }
  for (let tick = 0; tick < 300; tick += 1) {
    expect((await users()).length).toBeLessThan(2)
    await it.host.sleep(100)
  }
  expect(await it.phase()).toBe('Running')
})

test('an upgrade that fails leaves the data as it was: the old version runs again when it is wanted again', async () => {
  const it = await World.open()
  await it.running()
  const rule = it.cluster.pods.behave(
    { labels: { [roleLabel]: 'upgrade' } },
    { exits: { code: 1 } },
  )
  await it.edit({ version: '16.1' })
  await it.host.sleep(300_000)
  expect(await it.phase()).toBe('UpgradeFailed')
  expect(await it.condition('UpToDate')).toMatch(/^False UpgradeFailed: .*set spec.version to 15.4/)
  await it.edit({ version: '15.4' })
  await it.host.sleep(60_000)
  expect(await it.phase()).toBe('Running')
  expect(await it.servers()).toEqual(['postgres:15.4'])
  expect(await it.jobs('upgrade')).toEqual([])
  // The next try begins anew.
  rule[Symbol.dispose]()
  await it.edit({ version: '16.1' })
  await it.host.sleep(60_000)
  expect(await it.status()).toMatchObject({ phase: 'Running', version: '16.1' })
})

test('another version during an upgrade ends it before the next one begins', async () => {
  const it = await World.open()
  await it.running()
  await it.edit({ version: '16.1' })
  await it.host.sleep(6_000)
  expect(await it.phase()).toBe('Upgrading')
  await it.edit({ version: '17.0' })
  await it.host.sleep(60_000)
  expect(await it.status()).toMatchObject({ phase: 'Running', version: '17.0' })
  expect(await it.jobs('upgrade')).toEqual([`${name}-upgrade-17-0`])
  const { spec } = await it.client.get(Job, `${name}-upgrade-17-0`)
  expect(spec.template.spec?.initContainers?.[0]?.image).toBe('postgres:15.4')
})

test('an older version is refused, and the database goes on', async () => {
  const it = await World.open()
  await it.running()
  await it.edit({ version: '14.9' })
  await it.host.sleep(60_000)
  expect(await it.condition('UpToDate')).toMatch(
    /^False DowngradeRefused: the data is at version 15.4/,
  )
  expect(await it.condition('Ready')).toMatch(/^True/)
  expect(await it.servers()).toEqual(['postgres:15.4'])
})

test('a pod that is deleted comes back with the same volume', async () => {
  const it = await World.open()
  await it.running()
  await it.client.delete(Pod, `${name}-0`)
  await it.host.sleep(30_000)
  expect(await it.phase()).toBe('Running')
  const { spec } = await it.client.get(Pod, `${name}-0`)
  expect(spec.volumes?.[0]?.persistentVolumeClaim?.claimName).toBe(`${name}-data`)
})

test('a new database begins with the backups of another one, also of one that is gone', async () => {
  const it = await World.open()
  await it.running()
  await it.client.delete(SampleDB, name)
  await it.host.sleep(60_000)
  const restoreFrom = { database: name, backup: 'some-backup' }
  await it.create({ restoreFrom }, 'second')
  await it.host.sleep(60_000)
  const { spec } = await it.client.get(Job, 'second-initialize')
  const pod = spec.template.spec
  expect(pod?.volumes).toMatchObject([{ persistentVolumeClaim: { claimName: `${name}-backups` } }])
  expect(pod?.containers[0]?.env).toContainEqual({ name: 'BACKUP', value: 'some-backup' })
  expect(await it.condition('Initialized', 'second')).toMatch(
    /restored from a backup of example-data/,
  )
})

test('a deletion stops the server, takes a snapshot, removes everything but the backups', async () => {
  const it = await World.open()
  await it.running()
  await it.client.delete(SampleDB, name)
  expect(await it.phasesWhile(40)).toEqual(['Running', 'Stopping', 'TakingSnapshot', 'none'])
  const { client } = it
  expect(await it.snapshots()).toHaveLength(1)
  const events = await client.listAll(Event, { namespace: 'default' })
  expect(events.map(({ message }) => message)).toContain(
    `the data is removed; backups and snapshots are on the claim ${name}-backups, which stays`,
  )
  const left = await client.listAll(PersistentVolumeClaim, { namespace: 'default' })
  expect(left.map(({ metadata }) => metadata.name)).toEqual([`${name}-backups`])
  for (const kind of [StatefulSet, CronJob, Secret]) {
    expect(await client.listAll(kind, { namespace: 'default' })).toEqual([])
  }
  expect(await it.servers()).toEqual([])
  // Another one of this name takes the backups over.
  await it.running()
})

test('a snapshot that fails keeps the data and says why and what to do; a mended one lets it go', async () => {
  const it = await World.open()
  await it.running()
  const rule = it.cluster.pods.behave(
    { labels: { [roleLabel]: 'snapshot' } },
    { exits: { code: 1 } },
  )
  await it.client.delete(SampleDB, name)
  await it.host.sleep(300_000)
  expect(await it.phase()).toBe('SnapshotFailed')
  expect(await it.condition('Ready')).toMatch(
    /^False SnapshotFailed: the data is kept because the snapshot .* failed.*delete the Job to try again, or set spec.snapshotOnDelete to false/,
  )
  const events = await it.client.listAll(Event, { namespace: 'default' })
  expect(events.map(({ message = '' }) => message).join()).toContain('the data is kept because')
  expect(await it.client.find(PersistentVolumeClaim, `${name}-data`)).toBeDefined()
  rule[Symbol.dispose]()
  const [job = ''] = await it.jobs('snapshot')
  await it.client.delete(Job, job, { propagation: 'Background' })
  await it.host.sleep(60_000)
  expect(await it.isGone()).toBe(true)
})

test('the data can be let go without a snapshot', async () => {
  const it = await World.open()
  await it.running()
  it.cluster.pods.behave({ labels: { [roleLabel]: 'snapshot' } }, { exits: { code: 1 } })
  await it.client.delete(SampleDB, name)
  await it.host.sleep(300_000)
  await it.edit({ snapshotOnDelete: false })
  await it.host.sleep(60_000)
  expect(await it.isGone()).toBe(true)
  expect(await it.client.find(PersistentVolumeClaim, `${name}-data`)).toBeUndefined()
  expect(await it.client.find(PersistentVolumeClaim, `${name}-backups`)).toBeDefined()
})

test('a snapshot that does not come off is told with the reason', async () => {
  const it = await World.open()
  await it.running()
  it.cluster.pods.behave({ labels: { [roleLabel]: 'snapshot' } }, { pullError: 'not found' })
  await it.client.delete(SampleDB, name)
  await it.host.sleep(120_000)
  expect(await it.phase()).toBe('TakingSnapshot')
  expect(await it.condition('Ready')).toMatch(
    /^False TakingSnapshot: .*container snapshot is waiting: (ErrImagePull|ImagePullBackOff)$/,
  )
})

test('a deletion of all that it owns first, in the foreground, takes its snapshot too', async () => {
  const it = await World.open()
  await it.running()
  await it.client.delete(SampleDB, name, { propagation: 'Foreground' })
  await it.host.sleep(120_000)
  expect(await it.isGone()).toBe(true)
  expect(await it.snapshots()).toHaveLength(1)
})

test('a database that never was complete goes without a snapshot', async () => {
  const it = await World.open()
  it.cluster.pods.behave('postgres*', { pullError: 'not found' })
  await it.create({ version: '99' })
  await it.host.sleep(60_000)
  expect(await it.phase()).toBe('Starting')
  await it.client.delete(SampleDB, name)
  await it.host.sleep(60_000)
  expect(await it.isGone()).toBe(true)
})

test('ended after every single thing it writes, the operator always goes on where it was', async () => {
  // What it writes arrives, and the answer does not find it any more.
  const it = await World.open({ latencyMs: 20 })
  await it.create()
  expect(await it.restartAfterWrites(14)).toBeGreaterThan(10)
  expect(await it.phase()).toBe('Running')
  await it.edit({ version: '16.1' })
  expect(await it.restartAfterWrites(16)).toBeGreaterThan(4)
  expect(await it.status()).toMatchObject({ phase: 'Running', version: '16.1' })
  expect(await it.jobs('initialize')).toHaveLength(1)
  expect(await it.jobs('upgrade')).toHaveLength(1)
  await it.client.delete(SampleDB, name)
  expect(await it.restartAfterWrites(16)).toBeGreaterThan(4)
  expect(await it.isGone()).toBe(true)
  expect(await it.snapshots()).toHaveLength(1)
})

test('the role that all of this runs with has what it takes and nothing else', () => {
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
