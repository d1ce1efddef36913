import { readFile } from 'node:fs/promises'
import { testWorld, type TestWorld } from '@setpoint/cluster'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type AnyOperator, type InferManifest, type InferResource, rbacFor } from 'setpoint'
import { Deployment, Namespace, Pod, ReplicaSet } from 'setpoint/kinds'
import { Memcached } from './memcached.ts'
import byChildren from './operator.ts'
import byReconcile from './operator-reconcile.ts'

type Manifest = InferManifest<typeof Memcached>
type Status = NonNullable<InferResource<typeof Memcached>['status']>

// Before any test: virtual time continues while a test waits for a real file.
const sample = parse(await readFile(new URL('sample.yaml', import.meta.url), 'utf8')) as Manifest

/** A settled cluster with the operator and the sample. */
async function createWorld(
  operator: AnyOperator,
  options: { namespaces?: readonly string[] } = {},
): Promise<TestWorld> {
  const world = await testWorld({ operators: [operator], seed: 3, start: options })
  onTestFinished(() => world[Symbol.asyncDispose]())
  await world.client.create(Memcached, sample)
  await world.host.sleep(30_000)
  return world
}

const name = 'memcached-sample'

async function statusOf({ client }: TestWorld, namespace = 'default'): Promise<Status | undefined> {
  return (await client.get(Memcached, { namespace, name })).status
}

async function podNames({ client }: TestWorld, namespace = 'default'): Promise<string[]> {
  const pods = await client.listAll(Pod, { namespace })
  return pods.map(({ metadata }) => metadata.name).sort()
}

describe.for([
  ['with a child', byChildren],
  ['with a reconcile', byReconcile],
] as const)('%s', ([, operator]) => {
  test('creates three pods for the sample, and puts their names into the status', async () => {
    const world = await createWorld(operator)
    const { spec } = await world.client.get(Deployment, name)
    expect(spec.template.spec?.containers).toMatchObject([
      {
        image: 'memcached:1.6',
        command: ['memcached', '-m', '64', '-o', 'modern', '-v'],
        ports: [{ containerPort: 11_211 }],
      },
    ])
    const nodes = await podNames(world)
    expect(nodes).toHaveLength(3)
    expect(await statusOf(world)).toMatchObject({
      nodes,
      size: 3,
      conditions: [{ type: 'Ready', status: 'True', reason: 'Reconciled' }],
    })
  })

  test('reverts the replicas of a Deployment that another client scales', async () => {
    const world = await createWorld(operator)
    for (const replicas of [0, 7]) {
      await world.client.setScale(Deployment, name, { replicas })
      await world.host.sleep(30_000)
      expect((await world.client.get(Deployment, name)).spec.replicas).toBe(3)
    }
    expect(await podNames(world)).toHaveLength(3)
    expect((await statusOf(world))?.nodes).toEqual(await podNames(world))
  })

  test('supports kubectl scale, and updates the pods and the status', async () => {
    const world = await createWorld(operator)
    for (const replicas of [4, 1, 0]) {
      await world.client.setScale(Memcached, name, { replicas })
      await world.host.sleep(30_000)
      expect((await world.client.get(Memcached, name)).spec.size).toBe(replicas)
      expect(await podNames(world)).toHaveLength(replicas)
      expect((await statusOf(world))?.nodes).toEqual(await podNames(world))
      const scale = { desired: replicas, actual: replicas }
      expect(await world.client.scale(Memcached, name)).toMatchObject(scale)
    }
  })

  test('puts the name of the replacement of a deleted pod into the status', async () => {
    const world = await createWorld(operator)
    const [first = ''] = await podNames(world)
    await world.client.delete(Pod, first)
    await world.host.sleep(60_000)
    const nodes = await podNames(world)
    expect(nodes).toHaveLength(3)
    expect(nodes).not.toContain(first)
    expect((await statusOf(world))?.nodes).toEqual(nodes)
  })

  test('reports in Ready that pods are not ready', async () => {
    const world = await createWorld(operator)
    using _ = world.cluster.pods.behave('memcached*', { neverReady: true })
    await world.client.patch(Memcached, name, { merge: { spec: { size: 5 } } })
    await world.host.sleep(30_000)
    expect((await statusOf(world))?.conditions).toMatchObject([
      { type: 'Ready', status: 'False', reason: 'Progressing' },
    ])
  })

  test('serves Memcacheds of the same name in several namespaces', async () => {
    const world = await createWorld(operator)
    for (const [index, namespace] of ['a', 'b'].entries()) {
      await world.client.create(Namespace, { metadata: { name: namespace } })
      const metadata = { ...sample.metadata, namespace }
      await world.client.create(Memcached, { ...sample, metadata, spec: { size: index + 1 } })
    }
    await world.host.sleep(30_000)
    expect((await statusOf(world, 'a'))?.nodes).toEqual(await podNames(world, 'a'))
    expect((await statusOf(world, 'b'))?.nodes).toEqual(await podNames(world, 'b'))
    expect(await podNames(world, 'a')).toHaveLength(1)
    expect(await podNames(world, 'b')).toHaveLength(2)
    expect(await podNames(world)).toHaveLength(3)
  })

  test('serves only the namespaces to which it is restricted', async () => {
    const world = await createWorld(operator, { namespaces: ['a'] })
    expect(await statusOf(world)).toBeUndefined()
    await world.client.create(Namespace, { metadata: { name: 'a' } })
    const metadata = { ...sample.metadata, namespace: 'a' }
    await world.client.create(Memcached, { ...sample, metadata })
    await world.host.sleep(30_000)
    expect((await statusOf(world, 'a'))?.nodes).toHaveLength(3)
    expect(await podNames(world)).toEqual([])
  })

  test('deletes all objects of a deleted Memcached', async () => {
    const world = await createWorld(operator)
    await world.client.delete(Memcached, name)
    await world.host.sleep(60_000)
    expect(await world.client.listAll(Deployment, { namespace: 'default' })).toEqual([])
    expect(await world.client.listAll(ReplicaSet, { namespace: 'default' })).toEqual([])
    expect(await podNames(world)).toEqual([])
  })

  test('does not reconcile in a steady state', async () => {
    const world = await createWorld(operator)
    world.reports.length = 0
    await world.host.sleep(3_600_000)
    expect(world.reports).toEqual([])
  })

  test('reconciles two objects concurrently, with exactly the permissions it needs', () => {
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
