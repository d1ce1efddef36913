import { defineResource, operator, when } from 'setpoint'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost, virtualHost, type Host } from 'setpoint/host'
import {
  conditionOf,
  CronJob,
  Deployment,
  Job,
  Namespace,
  PersistentVolumeClaim,
  Pod,
  type PodSpec,
} from 'setpoint/kinds'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createCluster, type Cluster, type ClusterOptions } from './index.ts'

const pods = (app: string, spec: Partial<PodSpec> = {}, image = 'web') => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image }], ...spec },
})

const deployment = (name: string, replicas: number, image?: string) => ({
  metadata: { name },
  spec: { replicas, selector: { matchLabels: { app: name } }, template: pods(name, {}, image) },
})

async function clientOf(host: Host, cluster: Cluster): Promise<Client> {
  return new Client(host, await connectionFromKubeconfig(host, cluster.kubeconfig()))
}

async function virtualCluster(options: ClusterOptions = {}) {
  const host = virtualHost({ seed: 1 })
  const cluster = await createCluster({ host, ...options })
  await cluster.settle()
  const client = await clientOf(host, cluster)
  const [settle, dispose] = [cluster.settle, async () => cluster.dispose().then(() => host.stop())]
  return { host, cluster, client, settle, [Symbol.asyncDispose]: dispose }
}

const writes = ({ trace }: Cluster): number =>
  trace.filter(
    ({ verb, path }) => !['get', 'list', 'watch'].includes(verb) && !path.includes('/leases'),
  ).length

describe('a running cluster', () => {
  test('makes a Deployment ready, and writes nothing in the steady state', async () => {
    await using world = await virtualCluster()
    await world.client.create(Deployment, deployment('web', 3))
    await world.settle()
    const { status } = await world.client.get(Deployment, 'web')
    expect([status?.readyReplicas, status?.availableReplicas]).toEqual([3, 3])
    const before = writes(world.cluster)
    await world.host.sleep(3_600_000)
    expect(writes(world.cluster)).toBe(before)
  })

  test("ignores the paused annotation, which is for users' operators", async () => {
    await using world = await virtualCluster()
    const { metadata, spec } = deployment('web', 1)
    const annotations = { 'setpoint.dev/paused': 'true' }
    await world.client.create(Deployment, { metadata: { ...metadata, annotations }, spec })
    await world.settle()
    expect((await world.client.get(Deployment, 'web')).status?.readyReplicas).toBe(1)
    await world.client.delete(Deployment, 'web', { propagation: 'Foreground' })
    await world.settle()
    expect(await world.client.find(Deployment, 'web')).toBeUndefined()
  })

  test('makes a Deployment ready in real time', async () => {
    const host = nodeHost()
    await using cluster = await createCluster({ host })
    const client = await clientOf(host, cluster)
    await client.create(Deployment, deployment('web', 2))
    await cluster.settle()
    expect((await client.get(Deployment, 'web')).status?.readyReplicas).toBe(2)
  })

  test('deletes a namespace with its content', async () => {
    await using world = await virtualCluster()
    await world.client.create(Namespace, { metadata: { name: 'team' } })
    await world.settle()
    const { metadata, spec } = deployment('web', 2)
    await world.client.create(Deployment, { metadata: { ...metadata, namespace: 'team' }, spec })
    await world.settle()
    expect(await world.client.listAll(Pod, { namespace: 'team' })).toHaveLength(2)
    await world.client.delete(Namespace, 'team')
    await world.settle()
    expect(await world.client.find(Namespace, 'team')).toBeUndefined()
    expect(await world.client.listAll(Pod)).toEqual([])
  })

  test('simulates pods by their behaviour: failing twice, then ready', async () => {
    await using world = await virtualCluster()
    world.cluster.pods.behave('flaky*', { exits: [{ code: 1 }, { code: 1 }], readyAfter: 2_000 })
    await world.client.create(Deployment, deployment('web', 1, 'flaky:1'))
    await world.settle()
    const statusOf = async () =>
      (await world.client.listAll(Pod))[0]?.status?.containerStatuses?.[0]
    expect(await statusOf()).toMatchObject({
      restartCount: 1,
      ready: false,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
    })
    await world.host.sleep(60_000)
    expect(await statusOf()).toMatchObject({ restartCount: 2, ready: true })
  })

  test('runs a day of a CronJob in virtual time', async () => {
    await using world = await virtualCluster()
    await world.client.create(CronJob, {
      metadata: { name: 'tick' },
      spec: {
        schedule: '0 * * * *',
        jobTemplate: { spec: { template: pods('tick', { restartPolicy: 'Never' }) } },
      },
    })
    await world.host.sleep(24 * 3_600_000)
    const jobs = await world.client.listAll(Job)
    expect(jobs).toHaveLength(3)
    expect(jobs.every((job) => conditionOf(job, 'Complete')?.status === 'True')).toBe(true)
  })

  test('provisions, expands and deletes volumes of its default class', async () => {
    await using world = await virtualCluster()
    const requesting = (storage: string) => ({ resources: { requests: { storage } } })
    await world.client.create(PersistentVolumeClaim, {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], ...requesting('1Gi') },
    })
    await world.settle()
    const status = async () => (await world.client.get(PersistentVolumeClaim, 'data')).status
    expect(await status()).toMatchObject({ phase: 'Bound', capacity: { storage: '1Gi' } })
    await world.client.patch(PersistentVolumeClaim, 'data', { merge: { spec: requesting('2Gi') } })
    await world.settle()
    expect(await status()).toMatchObject({ capacity: { storage: '2Gi' } })
    await world.client.delete(PersistentVolumeClaim, 'data')
    await world.settle()
    const volumes = await world.client.transport.text({
      method: 'GET',
      path: '/api/v1/persistentvolumes',
      what: 'list of volumes',
    })
    expect(JSON.parse(volumes)).toMatchObject({ items: [] })
  })

  test('serves the log of a pod', async () => {
    await using world = await virtualCluster()
    world.cluster.pods.behave('loud', { logs: ['one', { text: 'two', after: 1_000 }] })
    await world.client.create(Pod, { ...pods('p', {}, 'loud'), metadata: { name: 'p' } })
    await world.settle()
    const lines: string[] = []
    for await (const line of world.client.logs('p', { follow: true, tailLines: 5 })) {
      lines.push(line)
      if (lines.length === 2) break
    }
    expect(lines).toEqual(['one', 'two'])
    await expect(world.client.logs('p', { container: 'x' }).next()).rejects.toMatchObject({
      status: { message: 'container x is not valid for pod p' },
    })
  })
})

const spec = z.object({ replicas: z.int32() })
const App = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  spec,
  conditions: ['Ready'],
})

const apps = operator(App)
  .child('web', Deployment, ({ metadata: { name }, spec: { replicas } }) => ({
    spec: { replicas, selector: { matchLabels: { app: name } }, template: pods(name) },
  }))
  .status((_, { web }) => ({
    conditions: { Ready: when(Deployment.isRolledOut(web), 'RolledOut', Deployment.progress(web)) },
  }))

describe('operators of a user', () => {
  test('run in the cluster, and their objects become ready', async () => {
    await using world = await virtualCluster({ operators: [apps] })
    await world.client.create(App, { metadata: { name: 'shop' }, spec: { replicas: 2 } })
    await world.settle()
    const { status } = await world.client.get(App, 'shop')
    expect(status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }])
    await world.client.delete(App, 'shop')
    await world.settle()
    expect(await world.client.listAll(Pod)).toEqual([])
  })

  test('make settle() fail if they overwrite each other, and the error names them', async () => {
    const setting = (name: string, value: string) =>
      operator(Namespace, { name, queue: { gather: 5 } })
        .writes(Namespace)
        .reconcile(async (namespace, ctx) => {
          const { metadata } = namespace
          if (metadata.name !== 'default' || metadata.labels?.['color'] === value) return
          await ctx.patch(Namespace, namespace, {
            merge: { metadata: { labels: { color: value } } },
          })
        })
    using host = virtualHost({ seed: 1 })
    const operators = [setting('red-painter', 'red'), setting('blue-painter', 'blue')]
    await using cluster = await createCluster({ host, operators })
    await expect(cluster.settle({ timeout: 2_000 })).rejects.toThrow(
      /did not settle .*(red|blue)-painter.*patch \/api\/v1\/namespaces\/default/,
    )
  })
})
