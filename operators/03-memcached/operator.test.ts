import { readFile } from 'node:fs/promises'
import { createCluster, type Cluster } from '@setpoint/cluster'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type AnyOperator, type InferManifest, type InferResource, rbacFor, start } from 'setpoint'
import { type Client, connectionFromKubeconfig } from 'setpoint/client'
import { type VirtualHost, virtualHost } from 'setpoint/host'
import { CustomResourceDefinition, Deployment, Namespace, Pod, ReplicaSet } from 'setpoint/kinds'
import { Memcached } from './memcached.ts'
import byChildren from './operator.ts'
import byReconcile from './operator-reconcile.ts'

type Manifest = InferManifest<typeof Memcached>
type Status = NonNullable<InferResource<typeof Memcached>['status']>

interface World {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
  /** What runs moments later, by object. */
  readonly runs: string[]
}

/** A cluster with the operator at work and the sample on it, at rest. */
async function world(
  operator: AnyOperator,
  options: { namespaces?: readonly string[] } = {},
): Promise<World> {
  const host = virtualHost({ seed: 3 })
  const cluster = await createCluster({ host })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const runs: string[] = []
  const running = await start([operator], {
    ...{ host, connection, ...options },
    onRunEnd: (report) => runs.push(report.run.key),
  })
  onTestFinished(async () => {
    await running.stop()
    await cluster.dispose()
    host[Symbol.dispose]()
  })
  const { client } = running
  await client.create(CustomResourceDefinition, Memcached.crd())
  await client.create(Memcached, await sample())
  await host.sleep(30_000)
  return { host, cluster, client, runs }
}

async function sample(): Promise<Manifest> {
  return parse(await readFile(new URL('sample.yaml', import.meta.url), 'utf8')) as Manifest
}

const name = 'memcached-sample'

async function statusOf({ client }: World, namespace = 'default'): Promise<Status | undefined> {
  return (await client.get(Memcached, { namespace, name })).status
}

async function podNames({ client }: World, namespace = 'default'): Promise<string[]> {
  const pods = await client.listAll(Pod, { namespace })
  return pods.map(({ metadata }) => metadata.name).sort()
}

describe.for([
  ['with a child', byChildren],
  ['with a reconcile', byReconcile],
] as const)('%s', ([, operator]) => {
  test('the sample becomes three memcached, and the status has the names of their pods', async () => {
    const it = await world(operator)
    const { spec } = await it.client.get(Deployment, name)
    expect(spec.template.spec?.containers).toMatchObject([
      {
        image: 'memcached:1.6',
        command: ['memcached', '-m', '64', '-o', 'modern', '-v'],
        ports: [{ containerPort: 11_211 }],
      },
    ])
    const nodes = await podNames(it)
    expect(nodes).toHaveLength(3)
    expect(await statusOf(it)).toMatchObject({
      ...{ nodes, size: 3 },
      conditions: [{ type: 'Ready', status: 'True', reason: 'RolledOut' }],
    })
  })

  test('a Deployment that somebody scales has the size of its Memcached again', async () => {
    const it = await world(operator)
    for (const replicas of [0, 7]) {
      await it.client.setScale(Deployment, name, { replicas })
      await it.host.sleep(30_000)
      expect((await it.client.get(Deployment, name)).spec.replicas).toBe(3)
    }
    expect(await podNames(it)).toHaveLength(3)
    expect((await statusOf(it))?.nodes).toEqual(await podNames(it))
  })

  test('kubectl scale changes the size, and the pods and the status follow', async () => {
    const it = await world(operator)
    for (const replicas of [4, 1, 0]) {
      await it.client.setScale(Memcached, name, { replicas })
      await it.host.sleep(30_000)
      expect((await it.client.get(Memcached, name)).spec.size).toBe(replicas)
      expect(await podNames(it)).toHaveLength(replicas)
      expect((await statusOf(it))?.nodes).toEqual(await podNames(it))
      const scale = { wanted: replicas, actual: replicas }
      expect(await it.client.scale(Memcached, name)).toMatchObject(scale)
    }
  })

  test('a pod that is deleted is replaced, and the status has the name of the new one', async () => {
    const it = await world(operator)
    const [first = ''] = await podNames(it)
    await it.client.delete(Pod, first)
    await it.host.sleep(60_000)
    const nodes = await podNames(it)
    expect(nodes).toHaveLength(3)
    expect(nodes).not.toContain(first)
    expect((await statusOf(it))?.nodes).toEqual(nodes)
  })

  test('what is not ready is told in the status', async () => {
    const it = await world(operator)
    using _ = it.cluster.pods.behave('memcached*', { neverReady: true })
    await it.client.patch(Memcached, name, { merge: { spec: { size: 5 } } })
    await it.host.sleep(30_000)
    expect((await statusOf(it))?.conditions).toMatchObject([
      { type: 'Ready', status: 'False', reason: 'Progressing' },
    ])
  })

  test('each namespace has its own, and none is in the way of another', async () => {
    const it = await world(operator)
    const manifest = await sample()
    for (const [index, namespace] of ['a', 'b'].entries()) {
      await it.client.create(Namespace, { metadata: { name: namespace } })
      const metadata = { ...manifest.metadata, namespace }
      await it.client.create(Memcached, { ...manifest, metadata, spec: { size: index + 1 } })
    }
    await it.host.sleep(30_000)
    expect((await statusOf(it, 'a'))?.nodes).toEqual(await podNames(it, 'a'))
    expect((await statusOf(it, 'b'))?.nodes).toEqual(await podNames(it, 'b'))
    expect(await podNames(it, 'a')).toHaveLength(1)
    expect(await podNames(it, 'b')).toHaveLength(2)
    expect(await podNames(it)).toHaveLength(3)
  })

  test('restricted to a namespace, it serves no other', async () => {
    const it = await world(operator, { namespaces: ['a'] })
    expect(await statusOf(it)).toBeUndefined()
    await it.client.create(Namespace, { metadata: { name: 'a' } })
    const manifest = await sample()
    const metadata = { ...manifest.metadata, namespace: 'a' }
    await it.client.create(Memcached, { ...manifest, metadata })
    await it.host.sleep(30_000)
    expect((await statusOf(it, 'a'))?.nodes).toHaveLength(3)
    expect(await podNames(it)).toEqual([])
  })

  test('with a Memcached all of it goes', async () => {
    const it = await world(operator)
    await it.client.delete(Memcached, name)
    await it.host.sleep(60_000)
    expect(await it.client.listAll(Deployment, { namespace: 'default' })).toEqual([])
    expect(await it.client.listAll(ReplicaSet, { namespace: 'default' })).toEqual([])
    expect(await podNames(it)).toEqual([])
  })

  test('nothing happens when nothing changes', async () => {
    const it = await world(operator)
    it.runs.length = 0
    await it.host.sleep(3_600_000)
    expect(it.runs).toEqual([])
  })

  test('two objects are worked on at a time, with the rights that this takes and no others', () => {
    expect(operator.declaration.options.concurrency).toBe(2)
    const rights = rbacFor([operator]).map(
      ({ resources, verbs }) => `${resources.join()}: ${verbs.join(' ')}`,
    )
    expect(rights).toEqual([
      'events: create patch',
      'pods: get list watch',
      'deployments: create delete get list patch update watch',
      'memcacheds: get list patch watch',
      'memcacheds/finalizers: update',
      'memcacheds/status: patch update',
    ])
  })
})
