import { expect, test } from 'vitest'
import {
  ConfigMap,
  Event,
  isTerminating,
  Namespace,
  Pod,
  ReplicaSet,
  Secret,
  Service,
  ServiceAccount,
} from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { createWorld } from './testdata/world.ts'

const spec = { containers: [{ name: 'a', image: 'a' }] }

const set = {
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec },
  },
}

test('creates objects with generateName once, without labels of Setpoint', async () => {
  const sets = operator(ReplicaSet, { name: 'sets', fieldManager: 'boss' })
    .owns(Pod)
    .reconcile(async ({ spec: desired }, ctx) => {
      for (let count = ctx.owned(Pod).length; count < (desired.replicas ?? 1); count += 1) {
        await ctx.create(Pod, {
          metadata: { generateName: 'web-', labels: { app: 'web' } },
          spec,
        })
      }
    })
  await using world = await createWorld(sets)
  await world.client.create(ServiceAccount, { metadata: { name: 'default' } })
  await world.client.create(ReplicaSet, set)
  await world.host.sleep(10_000)
  const pods = await world.client.listAll(Pod, { namespace: 'default' })
  expect(pods).toHaveLength(2)
  expect(pods[0]?.metadata.name).toMatch(/^web-[a-z0-9]{5}$/)
  expect(pods[0]?.metadata.annotations).toBeUndefined()
  expect(pods[0]?.metadata.managedFields).toMatchObject([{ manager: 'boss' }])
  expect(pods[0]?.metadata.ownerReferences).toMatchObject([{ kind: 'ReplicaSet', name: 'web' }])
})

test('writes a status from reconcile when it differs, and its echo causes no reconcile', async () => {
  const sets = operator(ReplicaSet, { name: 'replicasets.apps' }).reconcile(
    async ({ metadata }, ctx) =>
      ctx.updateStatus({ replicas: 7, observedGeneration: metadata.generation ?? 0 }),
  )
  await using world = await createWorld(sets)
  await world.client.create(ReplicaSet, set)
  await world.host.sleep(10_000)
  expect((await world.client.get(ReplicaSet, 'web')).status).toEqual({
    replicas: 7,
    observedGeneration: 1,
  })
  expect(world.writes()).toEqual(['update replicasets/web/status'])
  expect(world.reports).toHaveLength(1)
  await world.restart()
  await world.host.sleep(10_000)
  expect(world.writes()).toEqual([])
})

test('writes the status without a conflict after a change of the object in the same reconcile', async () => {
  const sets = operator(ReplicaSet, { name: 'replicasets.apps' })
    .writes(ReplicaSet)
    .reconcile(async (one, ctx) => {
      if (one.metadata.annotations?.['seen'] !== undefined) return
      await ctx.patch(ReplicaSet, one, { merge: { metadata: { annotations: { seen: 'yes' } } } })
      await ctx.updateStatus({ replicas: 1 })
    })
  await using world = await createWorld(sets)
  await world.client.create(ReplicaSet, set)
  await world.host.sleep(10_000)
  expect(world.reports.map(({ result }) => result)).toEqual(['done'])
  const { metadata, status } = await world.client.get(ReplicaSet, 'web')
  expect([metadata.annotations, status]).toEqual([{ seen: 'yes' }, { replicas: 1 }])
})

test('finds objects by labels, and lets a watch read other kinds to map a change to keys', async () => {
  const found: string[][] = []
  const services = operator(Service, { name: 'services' })
    .watch(Pod, ({ metadata: { namespace, labels } }, view) =>
      view
        .list(Service, namespace)
        .filter((service) => service.spec.selector?.['app'] === labels?.['app'])
        .map((service) => `${namespace}/${service.metadata.name}`),
    )
    .reconcile(async ({ metadata: { namespace }, spec: desired }, ctx) => {
      if (namespace !== 'default') return
      const labels = desired.selector
      const pods = ctx.list(Pod, { namespace, ...(labels === undefined ? {} : { labels }) })
      found.push(pods.map(({ metadata }) => metadata.name))
    })
  await using world = await createWorld(services)
  await world.client.create(ServiceAccount, { metadata: { name: 'default' } })
  const selector = { app: 'web' }
  await world.client.create(Service, {
    metadata: { name: 'web' },
    spec: { selector, ports: [{ port: 80 }] },
  })
  await world.host.sleep(1_000)
  found.length = 0
  const pod = (name: string, app: string) => ({ metadata: { name, labels: { app } }, spec })
  await world.client.create(Pod, pod('a', 'web'))
  await world.client.create(Pod, pod('b', 'db'))
  await world.host.sleep(1_000)
  expect(found).toEqual([['a']])
})

test('reconciles terminating objects when the operator asks for it', async () => {
  const seen: string[] = []
  const maps = operator(ConfigMap, { name: 'configmaps', reconcileDeleting: true })
    .writes(ConfigMap)
    .reconcile(async (map, ctx) => {
      if (!map.metadata.name.startsWith('held')) return
      seen.push(isTerminating(map) ? 'terminating' : 'active')
      if (!isTerminating(map)) return
      await ctx.patch(ConfigMap, map, { merge: { metadata: { finalizers: null } } })
    })
  await using world = await createWorld(maps)
  await world.client.create(ConfigMap, { metadata: { name: 'held', finalizers: ['a.b/c'] } })
  await world.host.sleep(1_000)
  await world.client.delete(ConfigMap, 'held')
  await world.host.sleep(1_000)
  expect(seen).toEqual(['active', 'terminating'])
  expect(await world.client.find(ConfigMap, 'held')).toBeUndefined()
})

test('deletes only the object that was read, or any revision of it on request', async () => {
  const secrets = operator(Namespace, { name: 'namespaces', failureEvents: false })
    .writes(Secret)
    .reconcile(async ({ metadata }, ctx) => {
      for (const secret of ctx.list(Secret, metadata.name)) {
        await ctx.client.patch(Secret, secret.metadata, { merge: { data: { a: 'YQ==' } } })
        await ctx.delete(Secret, secret, { evenIfChanged: true })
      }
    })
  await using world = await createWorld(secrets)
  await world.client.create(Secret, { metadata: { name: 's' } })
  const merge = { metadata: { labels: { look: 'now' } } }
  await world.client.patch(Namespace, 'default', { merge })
  await world.host.sleep(10_000)
  expect(await world.client.find(Secret, 's')).toBeUndefined()
  expect(await world.client.listAll(Event)).toEqual([])
})

test('combines similar Events about an object, and finally drops them', async () => {
  const maps = operator(ConfigMap, { name: 'configmaps' }).reconcile(async (map, ctx) => {
    if (map.metadata.name !== 'm') return
    for (let count = 1; count <= 40; count += 1) {
      await ctx.recordEvent({ reason: 'Counted', message: `number ${count}` })
    }
  })
  await using world = await createWorld(maps)
  await world.client.create(ConfigMap, { metadata: { name: 'm' } })
  await world.host.sleep(10_000)
  const events = await world.client.listAll(Event, { namespace: 'default' })
  expect(events).toHaveLength(10)
  const combined = events.filter(({ message }) => message?.startsWith('(combined from'))
  expect(combined).toMatchObject([{ count: 16, reason: 'Counted' }])
})

test('causes no reconcile for changes that a filter excludes', async () => {
  const seen: string[] = []
  const maps = operator(ConfigMap, {
    name: 'configmaps',
    filter: ({ object, old }) => old?.data?.['a'] !== object.data?.['a'],
  }).reconcile(async ({ metadata, data }) => {
    if (metadata.name === 'm') seen.push(data?.['a'] ?? '')
  })
  await using world = await createWorld(maps)
  await world.client.create(ConfigMap, { metadata: { name: 'm' }, data: { a: '1' } })
  await world.host.sleep(1_000)
  await world.client.patch(ConfigMap, 'm', { merge: { data: { b: '1' } } })
  await world.host.sleep(1_000)
  await world.client.patch(ConfigMap, 'm', { merge: { data: { a: '2' } } })
  await world.host.sleep(1_000)
  expect(seen).toEqual(['1', '2'])
})

test('sees in the next reconcile that a deleted object is terminating', async () => {
  const seen: (string | undefined)[] = []
  const sets = operator(ReplicaSet, { name: 'replicasets.apps' })
    .owns(Pod)
    .reconcile(async ({ spec: desired, metadata }, ctx) => {
      const pods = ctx.owned(Pod).filter((pod) => !isTerminating(pod))
      if (pods.length < 2 && metadata.labels === undefined) {
        const labels = { app: 'web' }
        await ctx.create(Pod, {
          metadata: { generateName: 'p-', labels },
          spec: { ...spec, nodeName: 'n' },
        })
        return { recheckAfter: 1 }
      }
      seen.push(String(pods.length))
      const [first] = pods
      if (first === undefined || metadata.labels === undefined) return
      await ctx.delete(Pod, first)
      return { recheckAfter: desired.replicas ?? 0 }
    })
  await using world = await createWorld(sets)
  await world.client.create(ServiceAccount, { metadata: { name: 'default' } })
  await world.client.create(ReplicaSet, set)
  await world.host.sleep(10_000)
  seen.length = 0
  await world.client.patch(ReplicaSet, 'web', { merge: { metadata: { labels: { a: 'b' } } } })
  await world.host.sleep(10_000)
  expect(seen.slice(0, 3)).toEqual(['2', '1', '0'])
})

test('removes the finalizer of an object that is deselected', async () => {
  const chosen = operator(Secret, { name: 'secrets', labelSelector: 'mine=yes' }).onDelete(
    async () => undefined,
  )
  await using world = await createWorld(chosen)
  await world.client.create(Secret, { metadata: { name: 'oak', labels: { mine: 'yes' } } })
  await world.host.settle()
  expect((await world.client.get(Secret, 'oak')).metadata.finalizers).toHaveLength(1)
  await world.client.patch(Secret, 'oak', { merge: { metadata: { labels: { mine: null } } } })
  await world.host.settle()
  expect((await world.client.get(Secret, 'oak')).metadata.finalizers ?? []).toEqual([])
})

test('throws in tests when a cached object is changed', async () => {
  const changing = operator(Secret, { name: 'secrets' })
    .watch(ConfigMap, () => [])
    .reconcile(async (_, ctx) => {
      Object.assign(ctx.list(ConfigMap)[0]?.metadata ?? {}, { name: 'another' })
    })
  await using world = await createWorld(changing)
  await world.client.create(ConfigMap, { metadata: { name: 'map' } })
  await world.client.create(Secret, { metadata: { name: 'oak' } })
  await world.host.settle()
  expect(world.reports[0]?.error).toBeInstanceOf(TypeError)
})

test('refuses options that make no sense', () => {
  expect(() => operator(Secret, { name: 'secrets', concurrency: 0 })).toThrow(
    'has the concurrency 0',
  )
  expect(() => operator(Secret, { name: 'secrets', timeout: -1 })).toThrow(
    'timeout is -1, which is not a duration',
  )
  expect(() => operator(Secret, { name: 'secrets', timeout: 0 })).toThrow('has the timeout 0')
  expect(() => operator(Secret, { name: 'secrets', queue: { gather: 'soon' } })).toThrow(
    'queue.gather is "soon"',
  )
  expect(() => operator(Secret, { name: 'Bad Name!' })).toThrow('has the name "Bad Name!"')
  const later = { after: ['later' as never] }
  expect(() =>
    operator(Secret, { name: 'secrets' }).child('a', ConfigMap, later, () => ({})),
  ).toThrow('after later, which is not declared before it')
})
