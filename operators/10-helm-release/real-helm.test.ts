import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { type Cluster, createCluster } from '@setpoint/cluster'
import { expect, onTestFinished, test } from 'vitest'
import { type RunningOperators, start } from 'setpoint'
import { type Client, type Connection, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost, openWorkspace } from 'setpoint/host'
import { conditionOf, ConfigMap, Deployment, Event, Namespace, Secret } from 'setpoint/kinds'
import { HelmRelease } from './helm-release.ts'
import releases from './operator.ts'

const host = nodeHost({ log: () => undefined })
const charts = join(import.meta.dirname, 'charts')
process.env['CHARTS_DIR'] = charts

const program = process.env['HELM_BIN'] ?? 'helm'
const isInstalled =
  existsSync(program) ||
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

/** The names of skipped tests say what is missing: helm. */
const needsHelm = { skip: !isInstalled }

/** A running operator on a cluster in real time. */
interface World {
  readonly cluster: Cluster
  readonly client: Client
  readonly connection: Connection
  running: RunningOperators
}

async function startWorld(): Promise<World> {
  const cluster = await createCluster({ host })
  onTestFinished(() => cluster.dispose())
  cluster.pods.behave('curlimages/curl', { exits: { code: 0 } })
  cluster.pods.behave('broken', { exits: { code: 1 } })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const running = await start([releases], { host, connection, install: true })
  const world: World = { cluster, client: cluster.client, connection, running }
  onTestFinished(async () => world.running.stop())
  return world
}

/** Retries until `check` does not throw; after a minute it throws the last error. */
async function eventually<T>(check: () => Promise<T>): Promise<T> {
  const untilMs = host.monotonicMs() + 60_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (host.monotonicMs() > untilMs) throw error
      await host.sleep(100)
    }
  }
}

const readyOf = async (client: Client, name: string) =>
  conditionOf(await client.get(HelmRelease, name), 'Ready')

/** Runs helm as a person would. */
async function helm({ cluster }: World, ...args: string[]): Promise<string> {
  await using workspace = await openWorkspace(host)
  await workspace.write('kubeconfig', cluster.kubeconfig())
  const env = { KUBECONFIG: `${workspace.path}/kubeconfig` }
  const { exitCode, stdout, stderr } = await workspace.run(program, { args, env })
  expect(stderr.replaceAll(/^WARNING.*$/gm, '').trim()).toBe('')
  expect(exitCode).toBe(0)
  return stdout
}

/** The process ids of helm while it works on a release. */
async function helmsOf(release: string): Promise<string> {
  const found = promisify(execFile)('pgrep', ['-f', `upgrade --install ${release} `])
  return (await found.catch(() => ({ stdout: '' }))).stdout.trim()
}

const isReady = async (client: Client, name: string, generation = 1) =>
  eventually(async () => {
    const ready = await readyOf(client, name)
    expect(ready).toMatchObject({ status: 'True', observedGeneration: generation })
    return ready
  })

const chart = { path: 'web' }

test(
  'a release is installed, tested, upgraded, rolled back and uninstalled',
  { ...needsHelm, timeout: 180_000 },
  async () => {
    const world = await startWorld()
    const { client } = world
    await client.create(Secret, {
      metadata: { name: 'message' },
      stringData: { text: 'very-secret' },
    })
    await client.create(HelmRelease, {
      metadata: { name: 'hello' },
      spec: {
        chart,
        timeout: '5s',
        values: { replicas: 2 },
        valuesFrom: [{ kind: 'Secret', name: 'message', valuesKey: 'text', targetPath: 'message' }],
        test: { enable: true },
        upgrade: { remediation: { retries: 1 } },
      },
    })
    expect(await isReady(client, 'hello')).toMatchObject({ reason: 'TestSucceeded' })
    expect((await client.get(Deployment, 'hello')).status?.readyReplicas).toBe(2)
    expect((await client.get(ConfigMap, 'hello')).data).toEqual({ message: 'very-secret' })
    const installed = await client.get(HelmRelease, 'hello')
    expect(conditionOf(installed, 'Released')).toMatchObject({
      reason: 'InstallSucceeded',
      message: 'Helm install succeeded for release default/hello with chart web@1.0.0',
    })
    expect(installed.status?.history).toMatchObject([
      {
        version: 1,
        chartName: 'web',
        chartVersion: '1.0.0',
        status: 'deployed',
        testHooks: { 'hello-test': { phase: 'Succeeded' } },
      },
    ])
    expect(JSON.stringify(installed)).not.toContain('very-secret')
    expect(await helm(world, 'list')).toMatch(/^hello\s+default\s+1\s.*deployed\s+web-1.0.0/m)

    await client.patch(HelmRelease, 'hello', { merge: { spec: { values: { replicas: 3 } } } })
    await isReady(client, 'hello', 2)
    expect((await client.get(Deployment, 'hello')).spec.replicas).toBe(3)

    // A new value of the Secret, and an upgrade by a person.
    await client.patch(Secret, 'message', { merge: { stringData: { text: 'changed-secret' } } })
    await eventually(async () =>
      expect((await client.get(ConfigMap, 'hello')).data).toEqual({ message: 'changed-secret' }),
    )
    await isReady(client, 'hello', 2)
    await helm(world, 'upgrade', 'hello', join(charts, 'web'), '--set', 'replicas=1')
    const annotations = { 'helm.example.com/requestedAt': 'now' }
    await client.patch(HelmRelease, 'hello', { merge: { metadata: { annotations } } })
    await eventually(async () =>
      expect((await client.get(Deployment, 'hello')).spec.replicas).toBe(3),
    )

    await client.patch(HelmRelease, 'hello', { merge: { spec: { values: { image: 'broken' } } } })
    await eventually(async () => {
      const failed = await client.get(HelmRelease, 'hello')
      expect(conditionOf(failed, 'Ready')).toMatchObject({
        status: 'False',
        reason: 'RollbackSucceeded',
      })
      expect(conditionOf(failed, 'Released')).toMatchObject({ reason: 'UpgradeFailed' })
      expect(failed.status).toMatchObject({ installFailures: 0, upgradeFailures: 2 })
    })
    const [container] = (await client.get(Deployment, 'hello')).spec.template.spec?.containers ?? []
    expect(container?.image).toBe('nginx:1.27')

    // Without values, those of the chart count again.
    const spec = { values: null, valuesFrom: null }
    await client.patch(HelmRelease, 'hello', { merge: { spec } })
    await isReady(client, 'hello', 4)
    expect((await client.get(Deployment, 'hello')).spec.replicas).toBe(1)

    await client.delete(HelmRelease, 'hello')
    await eventually(async () => expect(await client.find(HelmRelease, 'hello')).toBeUndefined())
    expect(await client.find(Deployment, 'hello')).toBeUndefined()
    expect(await client.listAll(Secret, { labelSelector: { owner: 'helm' } })).toEqual([])
  },
)

test('drift is corrected, or only reported', { ...needsHelm, timeout: 120_000 }, async () => {
  const { client } = await startWorld()
  const ignore = [{ paths: ['/data/message'], target: { kind: 'ConfigMap' } }]
  await client.create(HelmRelease, {
    metadata: { name: 'hello' },
    spec: { chart, interval: '1s', driftDetection: { mode: 'enabled' } },
  })
  const drifted = async () => conditionOf(await client.get(HelmRelease, 'hello'), 'Drifted')
  await isReady(client, 'hello')
  expect(await drifted()).toMatchObject({ status: 'False', reason: 'NoDriftDetected' })
  await client.patch(Deployment, 'hello', { merge: { spec: { replicas: 7 } } })
  await client.delete(ConfigMap, 'hello')
  await eventually(async () => {
    expect((await client.get(Deployment, 'hello')).spec.replicas).toBe(1)
    expect((await client.get(ConfigMap, 'hello')).data).toEqual({ message: 'hello' })
  })
  const events = await client.listAll(Event)
  expect(events.map(({ reason, message }) => `${reason ?? ''}: ${message ?? ''}`).join()).toMatch(
    /DriftCorrected: .*(ConfigMap hello is missing|Deployment hello was changed)/,
  )

  await client.patch(HelmRelease, 'hello', {
    merge: { spec: { driftDetection: { mode: 'warn', ignore } } },
  })
  await isReady(client, 'hello', 2)
  await client.patch(ConfigMap, 'hello', { merge: { data: { message: 'ignored' } } })
  await client.patch(Deployment, 'hello', { merge: { spec: { replicas: 7 } } })
  await eventually(async () =>
    expect(await drifted()).toMatchObject({
      status: 'True',
      reason: 'DriftDetected',
      message: 'Deployment hello was changed',
    }),
  )
  expect((await client.get(Deployment, 'hello')).spec.replicas).toBe(7)
})

test(
  'a failed install is uninstalled before a retry, and its last failure too if the spec says so',
  { ...needsHelm, timeout: 120_000 },
  async () => {
    const { client } = await startWorld()
    const remediation = { retries: 1, remediateLastFailure: true }
    await client.create(HelmRelease, {
      metadata: { name: 'hello' },
      spec: {
        chart,
        timeout: '2s',
        targetNamespace: 'shop',
        values: { image: 'broken' },
        install: { createNamespace: true, remediation },
      },
    })
    await eventually(async () => {
      const { status } = await client.get(HelmRelease, 'hello')
      expect(status).toMatchObject({ installFailures: 2, history: [] })
    })
    const failed = await client.get(HelmRelease, 'hello')
    expect(conditionOf(failed, 'Remediated')).toMatchObject({ reason: 'UninstallSucceeded' })
    expect(conditionOf(failed, 'Released')?.message).toMatch(
      /^Helm install failed for release shop\/shop-hello with chart web@1.0.0: .*context deadline/,
    )
    expect(await client.listAll(Deployment, { namespace: 'shop' })).toEqual([])
    expect(await client.find(Namespace, 'shop')).toBeDefined()

    // The annotation begins from zero, without a change of the spec.
    const annotations = { 'helm.example.com/resetAt': 'now' }
    await client.patch(HelmRelease, 'hello', { merge: { metadata: { annotations } } })
    await eventually(async () =>
      expect((await client.get(HelmRelease, 'hello')).status).toMatchObject({ installFailures: 1 }),
    )
  },
)

test(
  'an upgrade whose tests fail is remediated by its strategy',
  { ...needsHelm, timeout: 120_000 },
  async () => {
    const { client, cluster } = await startWorld()
    const remediation = { remediateLastFailure: true, strategy: 'uninstall' } as const
    const spec = { chart, timeout: '5s', test: { enable: true }, upgrade: { remediation } }
    await client.create(HelmRelease, { metadata: { name: 'hello' }, spec })
    await isReady(client, 'hello')
    const failing = cluster.pods.behave('curlimages/curl', { exits: { code: 1 } })
    await client.patch(HelmRelease, 'hello', { merge: { spec: { values: { replicas: 2 } } } })
    await eventually(async () => {
      const failed = await client.get(HelmRelease, 'hello')
      expect(conditionOf(failed, 'TestSuccess')).toMatchObject({ reason: 'TestFailed' })
      // After the uninstall, the release is installed again; its tests fail, too.
      expect(failed.status).toMatchObject({ installFailures: 1, upgradeFailures: 1 })
      expect(conditionOf(failed, 'Ready')).toMatchObject({ status: 'False' })
    })
    failing[Symbol.dispose]()
    await client.patch(HelmRelease, 'hello', {
      merge: { spec: { test: { ignoreFailures: true } } },
    })
    await isReady(client, 'hello', 3)
  },
)

test(
  'an install that a killed helm left is finished once, and a deletion cancels an install',
  { ...needsHelm, timeout: 120_000 },
  async () => {
    const world = await startWorld()
    const { client, cluster, connection } = world
    // The pods of the chart need long: helm waits for them.
    const slow = cluster.pods.behave('slow', { readyAfter: '8s' })
    const spec = { chart, values: { image: 'slow' }, timeout: '1m' }
    await client.create(HelmRelease, { metadata: { name: 'slow' }, spec })
    const record = { name: 'sh.helm.release.v1.slow.v1', namespace: 'default' }
    const pending = await eventually(async () => client.get(Secret, record))
    expect(pending.metadata.labels?.['status']).toBe('pending-install')
    expect(await helmsOf('slow')).not.toBe('')
    await world.running.stop()
    expect(await helmsOf('slow')).toBe('')
    // As after a crash, which gives helm no time to mark its release as failed.
    const { name, labels = {} } = pending.metadata
    const { type = '', data = {} } = pending
    await client.delete(Secret, record)
    await client.create(Secret, { metadata: { name, labels }, type, data })
    world.running = await start([releases], { host, connection })
    await isReady(client, 'slow')
    const { status } = await client.get(HelmRelease, 'slow')
    expect(status?.history?.map((one) => one.status)).toEqual(['deployed', 'superseded'])
    expect(status?.installFailures).toBe(0)
    await world.running.stop()
    world.running = await start([releases], { host, connection })
    const annotations = { 'helm.example.com/requestedAt': 'now' }
    await client.patch(HelmRelease, 'slow', { merge: { metadata: { annotations } } })
    await isReady(client, 'slow')
    expect((await client.get(HelmRelease, 'slow')).status?.history).toHaveLength(2)

    slow[Symbol.dispose]()
    const never = { ...spec, values: { image: 'broken' } }
    await client.create(HelmRelease, { metadata: { name: 'never' }, spec: never })
    await eventually(async () => client.get(Deployment, 'never'))
    const startMs = host.monotonicMs()
    await client.delete(HelmRelease, 'never')
    await eventually(async () => expect(await client.find(HelmRelease, 'never')).toBeUndefined())
    expect(host.monotonicMs() - startMs).toBeLessThan(30_000)
    expect(await client.find(Deployment, 'never')).toBeUndefined()
  },
)
