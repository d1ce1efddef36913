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

describe('a cluster that lives', () => {
  test('makes a deployment ready, and is at rest then', async () => {
    await using it = await virtualCluster()
    await it.client.create(Deployment, deployment('web', 3))
    await it.settle()
    const { status } = await it.client.get(Deployment, 'web')
    expect([status?.readyReplicas, status?.availableReplicas]).toEqual([3, 3])
    const before = writes(it.cluster)
    await it.host.sleep(3_600_000)
    expect(writes(it.cluster)).toBe(before)
  })

  test('goes on for objects that somebody paused: that is for the operators of users', async () => {
    await using it = await virtualCluster()
    const { metadata, spec } = deployment('web', 1)
    const annotations = { 'setpoint.dev/paused': 'true' }
    await it.client.create(Deployment, { metadata: { ...metadata, annotations }, spec })
    await it.settle()
    expect((await it.client.get(Deployment, 'web')).status?.readyReplicas).toBe(1)
    await it.client.delete(Deployment, 'web', { propagation: 'Foreground' })
    await it.settle()
    expect(await it.client.find(Deployment, 'web')).toBeUndefined()
  })

  test('does so in real time, too', async () => {
    const host = nodeHost()
    await using cluster = await createCluster({ host })
    const client = await clientOf(host, cluster)
    await client.create(Deployment, deployment('web', 2))
    await cluster.settle()
    expect((await client.get(Deployment, 'web')).status?.readyReplicas).toBe(2)
  })

  test('takes a namespace with everything in it', async () => {
    await using it = await virtualCluster()
    await it.client.create(Namespace, { metadata: { name: 'team' } })
    await it.settle()
    const { metadata, spec } = deployment('web', 2)
    await it.client.create(Deployment, { metadata: { ...metadata, namespace: 'team' }, spec })
    await it.settle()
    expect(await it.client.listAll(Pod, { namespace: 'team' })).toHaveLength(2)
    await it.client.delete(Namespace, 'team')
    await it.settle()
    expect(await it.client.find(Namespace, 'team')).toBeUndefined()
    expect(await it.client.listAll(Pod)).toEqual([])
  })

  test('plays pods as it is told: failing twice, then at work', async () => {
    await using it = await virtualCluster()
    it.cluster.pods.behave('flaky*', { exits: [{ code: 1 }, { code: 1 }], readyAfter: 2_000 })
    await it.client.create(Deployment, deployment('web', 1, 'flaky:1'))
    await it.settle()
    const statusOf = async () => (await it.client.listAll(Pod))[0]?.status?.containerStatuses?.[0]
    expect(await statusOf()).toMatchObject({
      restartCount: 1,
      ready: false,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
    })
    await it.host.sleep(60_000)
    expect(await statusOf()).toMatchObject({ restartCount: 2, ready: true })
  })

  test('runs a day of a cron job in no time', async () => {
    await using it = await virtualCluster()
    await it.client.create(CronJob, {
      metadata: { name: 'tick' },
      spec: {
        schedule: '0 * * * *',
        jobTemplate: { spec: { template: pods('tick', { restartPolicy: 'Never' }) } },
      },
    })
    await it.host.sleep(24 * 3_600_000)
    const jobs = await it.client.listAll(Job)
    expect(jobs).toHaveLength(3)
    expect(jobs.every((job) => conditionOf(job, 'Complete')?.status === 'True')).toBe(true)
  })

  test('gives claims volumes of its default class, larger ones when they ask, and takes them back', async () => {
    await using it = await virtualCluster()
    const asking = (storage: string) => ({ resources: { requests: { storage } } })
    await it.client.create(PersistentVolumeClaim, {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], ...asking('1Gi') },
    })
    await it.settle()
    const status = async () => (await it.client.get(PersistentVolumeClaim, 'data')).status
    expect(await status()).toMatchObject({ phase: 'Bound', capacity: { storage: '1Gi' } })
    await it.client.patch(PersistentVolumeClaim, 'data', { merge: { spec: asking('2Gi') } })
    await it.settle()
    expect(await status()).toMatchObject({ capacity: { storage: '2Gi' } })
    await it.client.delete(PersistentVolumeClaim, 'data')
    await it.settle()
    const volumes = await it.client.transport.text({
      ...{ method: 'GET', path: '/api/v1/persistentvolumes', what: 'list of volumes' },
    })
    expect(JSON.parse(volumes)).toMatchObject({ items: [] })
  })

  test('has the log of a pod', async () => {
    await using it = await virtualCluster()
    it.cluster.pods.behave('loud', { logs: ['one', { text: 'two', after: 1_000 }] })
    await it.client.create(Pod, { ...pods('p', {}, 'loud'), metadata: { name: 'p' } })
    await it.settle()
    const lines: string[] = []
    for await (const line of it.client.logs('p', { follow: true, tailLines: 5 })) {
      lines.push(line)
      if (lines.length === 2) break
    }
    expect(lines).toEqual(['one', 'two'])
    await expect(it.client.logs('p', { container: 'x' }).next()).rejects.toMatchObject({
      status: { message: 'container x is not valid for pod p' },
    })
  })
})

const spec = z.object({ replicas: z.int32() })
const App = defineResource({
  ...{ group: 'example.com', version: 'v1', kind: 'App', spec, conditions: ['Ready'] },
})

const apps = operator(App)
  .child('web', Deployment, ({ metadata: { name }, spec: { replicas } }) => ({
    spec: { replicas, selector: { matchLabels: { app: name } }, template: pods(name) },
  }))
  .status((_, { web }) => ({
    conditions: { Ready: when(Deployment.isRolledOut(web), 'RolledOut', Deployment.progress(web)) },
  }))

describe('operators of a user', () => {
  test('run beside all this, and their objects become ready', async () => {
    await using it = await virtualCluster({ operators: [apps] })
    await it.client.create(App, { metadata: { name: 'shop' }, spec: { replicas: 2 } })
    await it.settle()
    const { status } = await it.client.get(App, 'shop')
    expect(status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }])
    await it.client.delete(App, 'shop')
    await it.settle()
    expect(await it.client.listAll(Pod)).toEqual([])
  })

  test('that undo each other keep a cluster from rest, which says what moves', async () => {
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
      /did not come to rest .*(red|blue)-painter.*patch \/api\/v1\/namespaces\/default/,
    )
  })
})
