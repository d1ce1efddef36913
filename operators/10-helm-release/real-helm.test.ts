import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Cluster, createCluster } from '@setpoint/cluster'
import { expect, onTestFinished, test } from 'vitest'
import { type RunningOperators, start } from 'setpoint'
import { type Client, type Connection, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { conditionOf, ConfigMap, Deployment, Secret } from 'setpoint/kinds'
import { HelmRelease } from './helm-release.ts'
import releases from './operator.ts'

const host = nodeHost({ log: () => undefined })
process.env['CHARTS_DIR'] = join(import.meta.dirname, 'charts')

const program = process.env['HELM_BIN'] ?? 'helm'
const isInstalled =
  existsSync(program) ||
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
const needsHelm = test.skipIf(!isInstalled)

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

const isReady = async (client: Client, name: string, generation = 1) =>
  eventually(async () => {
    const ready = await readyOf(client, name)
    expect(ready).toMatchObject({ status: 'True', observedGeneration: generation })
    return ready
  })

const chart = { path: 'web' }

needsHelm(
  'a release is installed, tested, upgraded, rolled back, corrected and uninstalled',
  { timeout: 180_000 },
  async () => {
    const { client, cluster } = await startWorld()
    await client.create(Secret, {
      metadata: { name: 'message' },
      stringData: { text: 'very-secret' },
    })
    await client.create(HelmRelease, {
      metadata: { name: 'hello' },
      spec: {
        chart,
        timeout: '5s',
        interval: '1s',
        values: { replicas: 2 },
        valuesFrom: [{ kind: 'Secret', name: 'message', valuesKey: 'text', targetPath: 'message' }],
        test: { enable: true },
        upgrade: { remediation: { retries: 1 } },
        driftDetection: { mode: 'enabled' },
      },
    })
    expect(await isReady(client, 'hello')).toMatchObject({ reason: 'InstallSucceeded' })
    expect((await client.get(Deployment, 'hello')).status?.readyReplicas).toBe(2)
    expect((await client.get(ConfigMap, 'hello')).data).toEqual({ message: 'very-secret' })
    const installed = await client.get(HelmRelease, 'hello')
    expect(conditionOf(installed, 'TestSuccess')).toMatchObject({ reason: 'TestSucceeded' })
    expect(installed.status?.history).toMatchObject([
      { version: 1, chartName: 'web', chartVersion: '1.0.0', status: 'deployed' },
    ])
    expect(JSON.stringify(installed)).not.toContain('very-secret')

    await client.patch(HelmRelease, 'hello', { merge: { spec: { values: { replicas: 3 } } } })
    expect(await isReady(client, 'hello', 2)).toMatchObject({ reason: 'UpgradeSucceeded' })
    expect((await client.get(Deployment, 'hello')).spec.replicas).toBe(3)

    // Drift: a changed field, and a missing object.
    await client.patch(Deployment, 'hello', { merge: { spec: { replicas: 7 } } })
    await client.delete(ConfigMap, 'hello')
    await eventually(async () => {
      expect((await client.get(Deployment, 'hello')).spec.replicas).toBe(3)
      expect((await client.get(ConfigMap, 'hello')).data).toEqual({ message: 'very-secret' })
    })

    await client.patch(HelmRelease, 'hello', { merge: { spec: { values: { image: 'broken' } } } })
    await eventually(async () => {
      const failed = await client.get(HelmRelease, 'hello')
      expect(conditionOf(failed, 'Ready')).toMatchObject({
        status: 'False',
        reason: 'UpgradeFailed',
      })
      expect(conditionOf(failed, 'Remediated')).toMatchObject({ reason: 'RollbackSucceeded' })
      expect(failed.status?.failures).toBe(2)
    })
    const [container] = (await client.get(Deployment, 'hello')).spec.template.spec?.containers ?? []
    expect(container?.image).toBe('nginx:1.27')

    await client.delete(HelmRelease, 'hello')
    await eventually(async () => expect(await client.find(HelmRelease, 'hello')).toBeUndefined())
    expect(await client.find(Deployment, 'hello')).toBeUndefined()
    expect(await client.listAll(Secret, { labelSelector: { owner: 'helm' } })).toEqual([])
    expect(cluster.trace.length).toBeGreaterThan(0)
  },
)

needsHelm(
  'an install that a killed helm left is finished once, and a deletion cancels an install',
  { timeout: 120_000 },
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
    const helm = execFileSync('pgrep', ['-f', 'upgrade --install slow']).toString().trim()
    await world.running.stop()
    expect(() => execFileSync('pgrep', ['-f', 'upgrade --install slow'])).toThrow()
    expect(helm).not.toBe('')
    // As after a crash, which gives helm no time to mark its release as failed.
    const { name, labels = {} } = pending.metadata
    const { type = '', data = {} } = pending
    await client.delete(Secret, record)
    await client.create(Secret, { metadata: { name, labels }, type, data })
    world.running = await start([releases], { host, connection })
    await isReady(client, 'slow')
    const { status } = await client.get(HelmRelease, 'slow')
    expect(status?.history?.map((one) => one.status)).toEqual(['deployed', 'superseded'])
    expect(status?.failures).toBe(0)
    const uid = (await client.get(Deployment, 'slow')).metadata.uid
    await world.running.stop()
    world.running = await start([releases], { host, connection })
    await eventually(async () => expect(world.running.activity()).toBeDefined())
    expect((await client.get(Deployment, 'slow')).metadata.uid).toBe(uid)

    slow[Symbol.dispose]()
    cluster.pods.behave('never', { exits: { code: 1 } })
    const never = { ...spec, values: { image: 'never' } }
    await client.create(HelmRelease, { metadata: { name: 'never' }, spec: never })
    await eventually(async () => client.get(Deployment, 'never'))
    const startMs = host.monotonicMs()
    await client.delete(HelmRelease, 'never')
    await eventually(async () => expect(await client.find(HelmRelease, 'never')).toBeUndefined())
    expect(host.monotonicMs() - startMs).toBeLessThan(30_000)
    expect(await client.find(Deployment, 'never')).toBeUndefined()
  },
)
