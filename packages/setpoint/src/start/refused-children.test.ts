import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import type { Intercept } from '../host/index.ts'
import {
  ConfigMap,
  Deployment,
  Event,
  HorizontalPodAutoscaler,
  Pod,
  Secret,
  Service,
  ServiceAccount,
} from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { createWorld, createWorldWith, type World } from './testdata/world.ts'

const Tenant = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Tenant',
  spec: z.object({ port: z.number().default(80), text: z.string().default('a') }),
  status: z.object({ url: z.string() }),
  conditions: ['Ready'],
})

const acme = { metadata: { name: 'acme' }, spec: {} }

const deployment = (port: number, extra: object = {}) => ({
  spec: {
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: { labels: { app: 'x' } },
      spec: { containers: [{ name: 'x', image: 'x', ports: [{ containerPort: port }], ...extra }] },
    },
  },
})

async function ready(world: World): Promise<string | undefined> {
  const { status } = await world.client.get(Tenant, 'acme')
  const [condition] = status?.conditions ?? []
  return condition === undefined ? undefined : `${condition.status}: ${condition.message}`
}

test('reports a child with an invalid value and does not delete it, although it may be replaced', async () => {
  const app = operator(Tenant).child('app', Deployment, { onImmutable: 'replace' }, ({ spec }) =>
    deployment(spec.port),
  )
  await using world = await createWorld(app)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  const { uid } = (await world.client.get(Deployment, 'acme')).metadata
  await world.client.patch(Tenant, 'acme', { merge: { spec: { port: 99999 } } })
  await world.host.sleep(10_000)
  expect((await world.client.get(Deployment, 'acme')).metadata.uid).toBe(uid)
  expect(await ready(world)).toContain('False: ')
  await world.client.patch(Tenant, 'acme', { merge: { spec: { port: 81 } } })
  await world.host.sleep(60_000)
  const { template } = (await world.client.get(Deployment, 'acme')).spec
  expect(template.spec?.containers[0]?.ports?.[0]?.containerPort).toBe(81)
})

test('recreates a replaced child although its owner reference was removed', async () => {
  const pinned = operator(Tenant).child(
    'pinned',
    Secret,
    { onImmutable: 'replace' },
    ({ spec }) => ({ immutable: true, stringData: { text: spec.text } }),
  )
  await using world = await createWorld(pinned)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  // While the operator is stopped.
  await world.running.stop()
  await world.client.patch(Secret, 'acme', { merge: { metadata: { ownerReferences: null } } })
  await world.client.patch(Tenant, 'acme', { merge: { spec: { text: 'b' } } })
  await world.restart()
  await world.host.sleep(10_000)
  expect((await world.client.get(Secret, 'acme')).data).toEqual({ text: btoa('b') })
  expect(await ready(world)).toContain('True: ')
})

test('reports a failure in the condition although required status fields are missing', async () => {
  const failing = operator(Tenant)
    .child('map', ConfigMap, () => {
      throw new Error('no idea')
    })
    .status(() => ({ url: 'x' }))
  await using world = await createWorld(failing)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  expect(await ready(world)).toBe('False: no idea')
})

test('blocks only children that are declared `after` a refused child', async () => {
  const several = operator(Tenant)
    .child('bad', Service, () => ({ spec: { ports: [{ port: 99999 }] } }))
    .child('good', ConfigMap, ({ spec }) => ({ data: { text: spec.text } }))
    .child('late', Secret, { after: ['bad'] }, () => ({ data: {} }))
    .child('worse', ConfigMap, () => {
      throw new Error('no idea')
    })
  await using world = await createWorld(several)
  await world.client.create(Tenant, acme)
  await world.host.sleep(1000)
  expect((await world.client.get(ConfigMap, 'acme')).data).toEqual({ text: 'a' })
  expect(await world.client.find(Secret, 'acme')).toBeUndefined()
  expect(await ready(world)).toMatch(
    /^False: .*spec.ports\[0\].port: Invalid value: 99999.*; no idea$/,
  )
  await world.client.delete(ConfigMap, 'acme')
  await world.host.sleep(60_000)
  expect((await world.client.get(ConfigMap, 'acme')).data).toEqual({ text: 'a' })
})

test('reports two children with the same name', async () => {
  const twice = operator(Tenant)
    .children('part', ConfigMap, () => ({ extra: { data: { from: 'set' } } }))
    .child('extra', ConfigMap, () => ({ metadata: { name: 'acme-extra' }, data: { from: 'one' } }))
  await using world = await createWorld(twice)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  expect(await ready(world)).toContain(
    'False: tenants.example.com/extra and another child both want the ConfigMap default/acme-extra',
  )
})

test('does not adopt an object whose controller has the same name in another group', async () => {
  const maps = operator(Tenant).child('map', ConfigMap, () => ({ data: {} }))
  await using world = await createWorld(maps)
  const controller = {
    apiVersion: 'other.io/v1',
    kind: 'Tenant',
    name: 'acme',
    uid: 'u',
    controller: true,
  }
  await world.client.create(ConfigMap, {
    metadata: { name: 'acme', ownerReferences: [controller] },
  })
  await world.client.create(Tenant, acme)
  await world.host.settle()
  expect(await ready(world)).toContain(
    'False: ConfigMap default/acme is controlled by another object',
  )
})

test('reports a reconcile that takes too long', async () => {
  const slow = operator(Tenant, { timeout: 5_000 }).reconcile(
    (_, { signal }) =>
      new Promise(
        (_resolve, reject) =>
          void signal.addEventListener('abort', () => reject(signal.reason as Error)),
      ),
  )
  await using world = await createWorld(slow)
  await world.client.create(Tenant, acme)
  await world.host.sleep(6_000)
  expect(await ready(world)).toMatch(
    /^False: the reconcile of tenants.example.com for default\/acme took longer than 5000 ms/,
  )
  const events = await world.client.listAll(Event, { namespace: 'default' })
  expect(events.map(({ reason }) => reason)).toContain('ReconcileFailed')
})

test('reports no failure for an object that is deleted while it is reconciled', async () => {
  const worlds: World[] = []
  const slow = operator(Tenant)
    .reconcile(async () => {
      await worlds[0]?.client.delete(Tenant, 'acme')
    })
    .status(() => ({ url: 'x' }))
  await using world = await createWorld(slow)
  worlds.push(world)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  expect(world.reports.map(({ result }) => result)).not.toContain('failed')
  expect(await world.client.listAll(Event, { namespace: 'default' })).toEqual([])
})

test.each<[string, unknown, string]>([
  ['a promise', Promise.resolve({}), 'it is a Promise'],
  ['a text', 'data', 'it is data'],
  ['nothing', undefined, 'it is undefined'],
  ['a list', [], 'it is a list'],
  ['a map', { data: new Map() }, 'data is a Map'],
  ['a date', { data: { at: new Date(0) } }, 'data.at is a Date'],
  ['no number', { data: { n: NaN } }, 'data.n is NaN'],
  ['a large integer', { data: { n: 1n } }, 'data.n is 1'],
  ['a function', { data: { f: () => 1 } }, 'data.f is a function'],
  ['a hole', { data: { l: [undefined] } }, 'data.l.0 is nothing'],
])('reports %s in a desired child with its path', async (_, desired, found) => {
  const wrong = operator(Tenant).child('map', ConfigMap, () => desired as never)
  await using world = await createWorld(wrong)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  expect(await ready(world)).toContain(
    `False: tenants.example.com/map (ConfigMap) of Tenant default/acme: ${found}, which cannot be sent`,
  )
})

test.each<[string, (text: string) => unknown, string]>([
  ['a list', (text) => [{ data: { text } }], 'it is a list'],
  ['a Map', (text) => new Map([['one', { data: { text } }]]), 'it is a Map'],
  ['nothing', () => undefined, 'it is undefined'],
])('reports %s instead of a set and prunes no member', async (_, other, found) => {
  const sets = operator(Tenant).children('part', ConfigMap, ({ spec: { text } }) =>
    text === 'a' ? { one: { data: { text } } } : (other(text) as never),
  )
  await using world = await createWorld(sets)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  await world.client.patch(Tenant, 'acme', { merge: { spec: { text: 'b' } } })
  await world.host.settle()
  expect(await ready(world)).toContain(`False: tenants.example.com/part: ${found}, which cannot`)
  expect(await world.client.find(ConfigMap, 'acme-one')).toBeDefined()
})

test('reports a child that contains itself', async () => {
  const data: Record<string, unknown> = {}
  data['data'] = data
  const wrong = operator(Tenant).child('map', ConfigMap, () => ({ data }) as never)
  await using world = await createWorld(wrong)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  expect(await ready(world)).toContain('contains itself')
})

test('causes no writes for manifests that differ from the server only in notation', async () => {
  const odd = operator(Tenant)
    .child('secret', Secret, () => ({ stringData: { k: 'v' } }))
    .child(
      'map',
      ConfigMap,
      () => ({ metadata: { creationTimestamp: null }, data: { a: null, b: 'x' } }) as never,
    )
    .child(
      'app',
      Deployment,
      () =>
        ({
          ...deployment(80, {
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
          }),
          status: {},
        }) as never,
    )
    .child('service', Service, () => ({
      spec: { type: 'NodePort', clusterIP: '', selector: { app: 'x' }, ports: [{ port: 80 }] },
    }))
    .child('scaler', HorizontalPodAutoscaler, () => ({
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'acme' },
        metrics: [
          {
            type: 'Pods',
            pods: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '0.5' } },
          },
        ],
      },
    }))
  await using world = await createWorld(odd)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  world.writes()
  await world.client.patch(Tenant, 'acme', { merge: { metadata: { annotations: { x: '1' } } } })
  await world.host.sleep(5_000)
  await world.restart()
  await world.host.sleep(5_000)
  expect(world.writes()).toEqual([])
  expect((await world.client.get(Secret, 'acme')).data).toEqual({ k: 'dg==' })
})

test('sends a value that the server overrides once, and still corrects drift there', async () => {
  const odd = operator(Tenant)
    .child('service', Service, ({ spec }) => ({
      spec: {
        type: 'NodePort',
        selector: { app: 'x' },
        ports: [{ port: spec.port, nodePort: 0, targetPort: '' }],
      },
    }))
    .child('pod', Pod, () => ({
      spec: {
        containers: [{ name: 'a', image: 'a' }],
        // Admission adds two more, to a list that does not merge.
        tolerations: [{ key: 'mine', operator: 'Exists' }],
      },
    }))
    .child('map', ConfigMap, () => ({ binaryData: { a: 'YQ==\n' } }))
  await using world = await createWorld(odd)
  await world.client.create(ServiceAccount, { metadata: { name: 'default' } })
  await world.client.create(Tenant, acme)
  await world.host.settle()
  const writesOf = async (number: string): Promise<string[]> => {
    world.writes()
    await world.client.patch(Tenant, 'acme', { merge: { metadata: { annotations: { number } } } })
    await world.host.sleep(5_000)
    return world.writes()
  }
  expect(await writesOf('1')).toEqual([
    'update services/acme',
    'patch services/acme',
    'update pods/acme',
    'patch pods/acme',
  ])
  expect(await writesOf('2')).toEqual([])
  await world.restart()
  expect(await writesOf('3')).toEqual([])
  const { tolerations } = (await world.client.get(Pod, 'acme')).spec
  expect(tolerations).toHaveLength(3)
  await world.client.patch(Service, 'acme', { merge: { spec: { selector: { app: 'y' } } } })
  await world.host.settle()
  expect((await world.client.get(Service, 'acme')).spec.selector).toEqual({ app: 'x' })
  const json = [{ op: 'replace', path: '/spec/ports/0/targetPort', value: 99 }] as const
  await world.client.patch(Service, 'acme', { json })
  await world.host.settle()
  expect((await world.client.get(Service, 'acme')).spec.ports?.[0]?.targetPort).toBe(80)
  await world.client.patch(Tenant, 'acme', { merge: { spec: { port: 81 } } })
  await world.host.settle()
  expect((await world.client.get(Service, 'acme')).spec.ports?.[0]?.port).toBe(81)
})

test('corrects a change that another client makes while an earlier one is corrected', async () => {
  const two = operator(Tenant).child('map', ConfigMap, () => ({ data: { a: '1', b: '1' } }))
  const intercept: Intercept = ({ kind, url = '' }) =>
    kind === 'response-chunk' && /configmaps\?.*watch/.test(url) ? { delay: '1s' } : undefined
  await using world = await createWorldWith({ intercept }, two)
  const { client, host } = world
  await client.create(Tenant, acme)
  await host.sleep(10_000)
  world.writes()
  await client.patch(ConfigMap, 'acme', { merge: { data: { a: 'theirs' } } })
  await host.sleep(900)
  // When the operator corrects `a`, its cache does not have this change. The response has it.
  await client.patch(ConfigMap, 'acme', { merge: { data: { b: 'theirs' } } })
  await host.sleep(10_000)
  expect((await client.get(ConfigMap, 'acme')).data).toEqual({ a: '1', b: '1' })
  expect(world.writes()).toEqual([
    'update configmaps/acme',
    'patch configmaps/acme',
    'update configmaps/acme',
  ])
})

test('restores only the owner reference of a child that is created once', async () => {
  const once = operator(Tenant).child(
    'key',
    Secret,
    { createOnly: true },
    (_, { randomBytes }) => ({
      data: { key: Buffer.from(randomBytes(8)).toString('base64') },
    }),
  )
  await using world = await createWorld(once)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  const { data, metadata } = await world.client.get(Secret, 'acme')
  await world.client.patch(Secret, 'acme', { merge: { metadata: { ownerReferences: null } } })
  await world.host.settle()
  const after = await world.client.get(Secret, 'acme')
  expect(after.metadata.ownerReferences).toEqual(metadata.ownerReferences)
  expect(after.data).toEqual(data)
})
