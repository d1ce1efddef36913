import { testWorld } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, CustomResourceDefinition, Deployment, Event, Service } from '../kinds/index.ts'
import { RetryLaterError } from '../controller/index.ts'
import { operator, rbacFor, when } from '../operator/index.ts'
import { createWorld } from './testdata/world.ts'

const Application = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Application',
  spec: z.object({
    image: z.string(),
    replicas: z.int32().min(0).default(1),
    port: z.int32().default(8080),
    hasService: z.boolean().default(true),
  }),
  status: z.object({ url: z.string().optional() }),
  conditions: ['Ready'],
})

const application = operator(Application)
  .child('deployment', Deployment, ({ metadata: { name: app }, spec }) => ({
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: {
          containers: [{ name: app, image: spec.image, ports: [{ containerPort: spec.port }] }],
        },
      },
    },
  }))
  .child('service', Service, ({ metadata: { name: app }, spec }) =>
    spec.hasService
      ? { spec: { selector: { app }, ports: [{ port: 80, targetPort: spec.port }] } }
      : null,
  )
  .status(({ metadata: { name, namespace } }, { deployment }) => ({
    url: `http://${name}.${namespace}.svc`,
    conditions: {
      Ready: when(Deployment.isRolledOut(deployment), 'RolledOut', Deployment.progress(deployment)),
    },
  }))

const web = { metadata: { name: 'web' }, spec: { image: 'nginx' } }

test('creates owned children with three requests and writes the status', async () => {
  await using world = await createWorld(application)
  await world.client.create(Application, web)
  world.writes()
  await world.host.settle()
  expect(world.writes()).toEqual([
    'create deployments',
    'create services',
    'update applications/web/status',
  ])
  const owner = await world.client.get(Application, 'web')
  const deployment = await world.client.get(Deployment, 'web')
  expect(deployment).toMatchObject({
    spec: { replicas: 1 },
    metadata: {
      ownerReferences: [
        {
          kind: 'Application',
          name: 'web',
          uid: owner.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
  })
  expect(owner.status).toMatchObject({
    url: 'http://web.default.svc',
    conditions: [{ type: 'Ready', status: 'False', reason: 'Progressing', observedGeneration: 1 }],
  })
  expect(world.reports).toHaveLength(1)
})

test('sends no request in the steady state, even after a restart', async () => {
  await using world = await createWorld(application)
  await world.client.create(Application, web)
  await world.host.settle()
  world.writes()
  await world.restart()
  await world.host.settle()
  expect(world.writes()).toEqual([])
})

test('updates the status with the children', async () => {
  await using world = await createWorld(application)
  await world.client.create(Application, web)
  await world.host.settle()
  const { metadata } = await world.client.get(Deployment, 'web')
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 }
  const status = { ...counts, observedGeneration: metadata.generation }
  await world.host.sleep(5000)
  await world.client.patch(Deployment, 'web', { merge: { status }, subresource: 'status' })
  await world.host.settle()
  const { conditions } = (await world.client.get(Application, 'web')).status ?? {}
  expect(conditions).toMatchObject([{ type: 'Ready', status: 'True', reason: 'RolledOut' }])
})

test('updates children after a change of the owner, with one request for each changed child', async () => {
  await using world = await createWorld(application)
  await world.client.create(Application, web)
  await world.host.settle()
  await world.client.patch(Application, 'web', { merge: { spec: { replicas: 3 } } })
  world.writes()
  await world.host.settle()
  expect(world.writes()).toEqual(['update deployments/web', 'update applications/web/status'])
  expect((await world.client.get(Deployment, 'web')).spec.replicas).toBe(3)
})

test('corrects drift of children, and leaves other fields alone', async () => {
  await using world = await createWorld(application)
  await world.client.create(Application, web)
  await world.host.settle()
  const service = async () => (await world.client.get(Service, 'web')).spec.ports
  const before = await service()
  // Another client replaces the port: an apply of the operator would leave both, which the server
  // refuses.
  const ports = [{ op: 'replace', path: '/spec/ports', value: [{ port: 9090 }] }] as const
  await world.client.patch(Service, 'web', { json: ports })
  await world.host.settle()
  expect((await service())?.map(({ port }) => port)).toEqual(before?.map(({ port }) => port))
  await world.client.patch(Deployment, 'web', { merge: { metadata: { ownerReferences: null } } })
  await world.host.settle()
  expect((await world.client.get(Deployment, 'web')).metadata.ownerReferences).toHaveLength(1)
  await world.client.patch(Application, 'web', {
    merge: { status: { url: 'mine' } },
    subresource: 'status',
  })
  await world.host.settle()
  expect((await world.client.get(Application, 'web')).status?.url).toBe('http://web.default.svc')
  // The deployment controller writes a status, as on a real cluster.
  const observe = async (): Promise<void> => {
    const { generation } = (await world.client.get(Deployment, 'web')).metadata
    const status = { observedGeneration: generation }
    await world.client.patch(Deployment, 'web', { merge: { status }, subresource: 'status' })
    await world.host.sleep(5000)
  }
  await observe()
  world.writes()
  const annotations = { foreign: 'x' }
  await world.client.patch(Deployment, 'web', { merge: { metadata: { annotations } } })
  await world.client.patch(Application, 'web', { merge: { metadata: { annotations } } })
  await observe()
  expect(world.writes()).toEqual([])
  await world.client.delete(Deployment, 'web')
  await world.host.settle()
  expect(await world.client.find(Deployment, 'web')).toBeDefined()
})

test('prunes a child that is no longer desired, and nothing that it does not own', async () => {
  await using world = await createWorld(application)
  await world.client.create(Application, web)
  await world.client.create(Service, {
    metadata: { name: 'other' },
    spec: { ports: [{ port: 1 }] },
  })
  await world.host.settle()
  await world.client.patch(Application, 'web', { merge: { spec: { hasService: false } } })
  await world.host.settle()
  expect(await world.client.find(Service, 'web')).toBeUndefined()
  expect(await world.client.find(Service, 'other')).toBeDefined()
})

test('does not adopt a child of another controller', async () => {
  await using world = await createWorld(application)
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u', controller: true },
  ]
  await world.client.create(Service, {
    metadata: { name: 'web', ownerReferences },
    spec: { ports: [{ port: 1 }] },
  })
  await world.client.create(Application, web)
  await world.host.settle()
  expect(world.reports[0]).toMatchObject({ result: 'failed', error: { code: 'CHILD_TAKEN' } })
})

test('runs a cleanup before an object is deleted, and again after a failure', async () => {
  const calls: string[] = []
  const cleaning = operator(Application).onDelete(async ({ metadata }) => {
    calls.push(metadata.name)
    if (calls.length === 1) throw new RetryLaterError('not yet')
  })
  await using world = await createWorld(cleaning)
  await world.client.create(Application, web)
  await world.host.settle()
  expect((await world.client.get(Application, 'web')).metadata.finalizers).toEqual([
    'example.com/setpoint-applications',
  ])
  await world.client.delete(Application, 'web')
  await world.host.sleep(10_000)
  expect(calls).toEqual(['web', 'web'])
  expect(await world.client.find(Application, 'web')).toBeUndefined()
})

test('reads from the cache in a reconcile, applies owned objects and is requeued after recheckAfter', async () => {
  const seen: number[] = []
  const reconciling = operator(Application)
    .owns(ConfigMap)
    .reconcile(async ({ spec }, { apply, owned, reasons }) => {
      seen.push(reasons.length)
      await apply(ConfigMap, { data: { image: spec.image } })
      return owned(ConfigMap).length < 2 && seen.length < 2 ? { recheckAfter: '10s' } : undefined
    })
  await using world = await createWorld(reconciling)
  await world.client.create(Application, web)
  await world.host.sleep(60_000)
  expect((await world.client.get(ConfigMap, 'web')).data).toEqual({ image: 'nginx' })
  expect(seen).toEqual([1, 1])
  await world.client.patch(ConfigMap, 'web', { merge: { data: { image: 'other' } } })
  await world.host.settle()
  expect((await world.client.get(ConfigMap, 'web')).data).toEqual({ image: 'nginx' })
})

test('leaves a paused object alone', async () => {
  await using world = await createWorld(application)
  const annotations = { 'setpoint.dev/paused': 'true' }
  await world.client.create(Application, { ...web, metadata: { name: 'web', annotations } })
  await world.host.settle()
  expect(await world.client.find(Deployment, 'web')).toBeUndefined()
  await world.client.patch(Application, 'web', {
    merge: { metadata: { annotations: { 'setpoint.dev/paused': null } } },
  })
  await world.host.settle()
  expect(await world.client.find(Deployment, 'web')).toBeDefined()
})

test('reports a failure in the condition and as one counted Event, and clears it when it is fixed', async () => {
  let isBroken = true
  const failing = operator(Application)
    .child('config', ConfigMap, ({ spec }) => ({ data: { image: spec.image } }))
    .reconcile(async () => {
      if (isBroken) throw new Error('the database is gone')
    })
  await using world = await createWorld(failing)
  await world.client.create(Application, web)
  await world.host.sleep(300_000)
  const condition = async () => (await world.client.get(Application, 'web')).status?.conditions?.[0]
  expect(await condition()).toMatchObject({
    type: 'Ready',
    status: 'False',
    reason: 'ReconcileFailed',
    message: 'the database is gone',
  })
  const events = await world.client.listAll(Event, { namespace: 'default' })
  expect(events).toMatchObject([
    {
      type: 'Warning',
      reason: 'ReconcileFailed',
      message: 'the database is gone',
      source: { component: 'applications.example.com' },
      involvedObject: { kind: 'Application', name: 'web' },
    },
  ])
  expect(events[0]?.count).toBeGreaterThan(3)
  isBroken = false
  await world.host.sleep(600_000)
  expect(await condition()).toMatchObject({ status: 'True', reason: 'Reconciled' })
})

test('reports an object that violates its schema without stopping others', async () => {
  await using world = await createWorld(application)
  const { client } = world
  const crd = JSON.parse(JSON.stringify(Application.crd())) as {
    spec: { versions: [{ schema: { openAPIV3Schema: { properties: { spec: object } } } }] }
  }
  const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  crd.spec.versions[0].schema.openAPIV3Schema.properties.spec = loose
  await client.patch(CustomResourceDefinition, 'applications.example.com', { merge: crd })
  await client.create(Application, { metadata: { name: 'bad' }, spec: { image: 5 } } as never)
  await client.create(Application, web)
  await world.host.settle()
  expect(await client.find(Deployment, 'web')).toBeDefined()
  expect((await client.get(Application, 'bad')).status?.conditions).toMatchObject([
    { type: 'Ready', status: 'False', message: expect.stringContaining('spec.image') as string },
  ])
})

test('reports an object with an outdated shape', async () => {
  await using world = await createWorld(application)
  const { client } = world
  const crd = Application.crd()
  const loose = JSON.parse(JSON.stringify(crd)) as {
    spec: { versions: [{ schema: { openAPIV3Schema: { properties: { spec: object } } } }] }
  }
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  loose.spec.versions[0].schema.openAPIV3Schema.properties.spec = anything
  await client.patch(CustomResourceDefinition, crd.metadata.name, { merge: loose })
  const annotations = { 'setpoint.dev/paused': 'true' }
  await client.create(Application, {
    metadata: { name: 'old', annotations },
    spec: { image: 5 },
  } as never)
  await client.patch(CustomResourceDefinition, crd.metadata.name, {
    json: [{ op: 'replace', path: '/spec/versions', value: crd.spec.versions }],
  })
  await world.host.settle()
  await client.patch(Application, 'old', {
    json: [{ op: 'remove', path: '/metadata/annotations' }],
  })
  await world.host.settle()
  expect((await client.get(Application, 'old')).status?.conditions).toMatchObject([
    { type: 'Ready', status: 'False', message: expect.stringContaining('spec.image') as string },
  ])
})

test('derives RBAC rules that are sufficient and minimal', async () => {
  const operators = [
    application,
    operator(Application, { name: 'cleaner' }).onDelete(async () => undefined),
  ]
  const rules = rbacFor(operators)
  expect(
    rules.map(
      ({ apiGroups, resources, verbs }) =>
        `${apiGroups.join()}/${resources.join()}: ${verbs.join()}`,
    ),
  ).toEqual([
    '/events: create,patch',
    '/services: create,delete,get,list,patch,update,watch',
    'apps/deployments: create,delete,get,list,patch,update,watch',
    'example.com/applications: get,list,patch,watch',
    'example.com/applications/finalizers: update',
    'example.com/applications/status: patch,update',
  ])
  await using world = await testWorld({ operators, rules, workloads: 'off' })
  const { host, client, cluster } = world
  await client.create(Application, web)
  await host.settle()
  await client.patch(Application, 'web', { merge: { spec: { hasService: false } } })
  await host.settle()
  await client.delete(Application, 'web')
  await host.sleep(10_000)
  expect(await client.find(Application, 'web')).toBeUndefined()
  const refused = cluster.trace.filter(({ code, user }) => code === 403 && user === 'operator')
  // The CRD is compared only if the role allows it.
  expect(refused.map(({ verb, path }) => `${verb} ${path}`)).toEqual([
    'get /apis/apiextensions.k8s.io/v1/customresourcedefinitions/applications.example.com',
  ])
})

test('needs the right to get objects for a watch with a selector, and works without it', async () => {
  const seen: string[] = []
  const watching = operator(Application)
    .watch(ConfigMap, () => ['default/web'], { labelSelector: 'team' })
    .reconcile(async (_, ctx) => {
      seen.push(
        ctx
          .list(ConfigMap)
          .map(({ metadata }) => metadata.name)
          .join(),
      )
      return Promise.resolve(undefined)
    })
  const rules = rbacFor([watching])
  const onMaps = { apiGroups: [''], resources: ['configmaps'] }
  expect(rules).toContainEqual({ ...onMaps, verbs: ['get', 'list', 'watch'] })
  const poorer = rules.map(({ verbs, ...rule }) =>
    rule.resources.includes('configmaps')
      ? { ...onMaps, verbs: ['list', 'watch'] }
      : { ...rule, verbs },
  )
  await using world = await testWorld({ operators: [watching], rules: poorer, workloads: 'off' })
  const { host, client } = world
  await client.create(Application, web)
  const labels = { team: 'a' }
  for (const name of ['one', 'two']) await client.create(ConfigMap, { metadata: { name, labels } })
  await host.sleep(1_000)
  expect(seen.at(-1)).toBe('one,two')
  await client.delete(ConfigMap, 'one')
  await client.create(ConfigMap, { metadata: { name: 'three', labels } })
  await host.sleep(1_000)
  expect(seen.at(-1)).toBe('two,three')
})

test('shares the watch of a kind between two operators that do not affect each other', async () => {
  const labels = operator(Application, { name: 'labels' }).child(
    'labels',
    ConfigMap,
    ({ metadata }) => ({
      data: { name: metadata.name },
    }),
  )
  await using world = await createWorld(application, labels)
  await world.client.create(Application, web)
  await world.host.settle()
  const watches = world.cluster.trace.filter(
    ({ verb, path }) => verb === 'watch' && path.endsWith('/applications'),
  )
  expect(watches).toHaveLength(1)
  world.writes()
  await world.host.sleep(60_000)
  expect(world.writes()).toEqual([])
})

test("throttles two operators that undo each other's changes", async () => {
  const withMessage = (message: string) =>
    operator(Application, { name: message }).status(() => ({
      conditions: { Ready: when(true, 'Stated', message) },
    }))
  await using world = await createWorld(withMessage('one'), withMessage('two'))
  await world.client.create(Application, web)
  // Both operators use up their burst of 100 reconciles.
  await world.host.settle()
  expect(world.reports.length).toBeLessThan(250)
  world.writes()
  // Then each of them reconciles once a second.
  await world.host.sleep(20_000)
  const { length } = world.writes()
  expect(length).toBeGreaterThan(20)
  expect(length).toBeLessThan(45)
})
