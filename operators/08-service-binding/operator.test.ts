import { readFile } from 'node:fs/promises'
import { testWorld, type TestWorld } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { defineResource, type InferManifest, preserveUnknownFields, rbacFor } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { CronJob, CustomResourceDefinition, Deployment, Job, Secret } from 'setpoint/kinds'
import { ClusterWorkloadResourceMapping } from './mapping.ts'
import operators from './operator.ts'
import { ServiceBinding } from './service-binding.ts'

const cronJobs = parse(
  await readFile(new URL('mappings.yaml', import.meta.url), 'utf8'),
) as InferManifest<typeof ClusterWorkloadResourceMapping>

/** A service that is installed while the operator runs. */
const Broker = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Broker',
  spec: z.object({}),
  status: z.object({ binding: z.object({ name: z.string() }).optional() }),
})

/** A kind of workload whose containers are somewhere else. */
const Robot = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Robot',
  spec: z.object({
    arms: z.array(preserveUnknownFields()),
    disks: z.array(preserveUnknownFields()).optional(),
  }),
})

const credentials = { type: 'broker', provider: 'acme', host: 'h', password: 'p' }

const workload = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
const secretRef = { apiVersion: 'v1', kind: 'Secret', name: 'credentials' }

const bindingOf = (name: string, spec: object = {}): InferManifest<typeof ServiceBinding> => ({
  metadata: { name },
  spec: { service: secretRef, workload, ...spec },
})

const template = {
  spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] },
} as const

const deploymentOf = (app: string, labels: Record<string, string> = {}) => ({
  metadata: { name: app, labels },
  spec: {
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app } },
      spec: { containers: [{ name: 'web', image: 'web' }] },
    },
  },
})

async function world(): Promise<TestWorld> {
  return testWorld({ operators, workloads: 'off' })
}

/** The Ready condition of a binding, in short. */
async function readyOf({ client, settle }: TestWorld, name: string): Promise<string> {
  await settle()
  const { metadata, status } = await client.get(ServiceBinding, name)
  expect(status?.observedGeneration).toBe(metadata.generation)
  const {
    status: is,
    reason,
    message,
  } = status?.conditions?.find(({ type }) => type === 'Ready') ?? {}
  return `${is} ${reason}: ${message}`
}

async function mountsOf({ client }: TestWorld, name: string): Promise<string[]> {
  const { spec } = await client.get(Deployment, name)
  return (spec.template.spec?.containers[0]?.volumeMounts ?? []).map(({ mountPath }) => mountPath)
}

test('binds a provisioned service whose kind is installed after the binding', async () => {
  await using it = await world()
  const { client, host } = it
  await client.create(Deployment, deploymentOf('web'))
  const service = { apiVersion: 'example.com/v1', kind: 'Broker', name: 'b' }
  await client.create(ServiceBinding, bindingOf('queue', { service }))
  expect(await readyOf(it, 'queue')).toContain('False ServiceKindNotServed')
  await client.create(CustomResourceDefinition, Broker.crd())
  await host.sleep(31_000)
  expect(await readyOf(it, 'queue')).toBe('False ServiceNotFound: there is no Broker b')
  await client.create(Broker, { metadata: { name: 'b' }, spec: {} })
  expect(await readyOf(it, 'queue')).toContain(
    'False ServiceMissingBinding: Broker b has no Secret',
  )
  await client.patch(Broker, 'b', {
    merge: { status: { binding: { name: 'credentials' } } },
    subresource: 'status',
  })
  expect(await readyOf(it, 'queue')).toBe('False SecretNotFound: there is no Secret credentials')
  await client.create(Secret, { metadata: { name: 'credentials' }, stringData: { host: 'h' } })
  expect(await readyOf(it, 'queue')).toContain(
    'False KeyMissing: the Secret credentials has no key type',
  )
  expect(await mountsOf(it, 'web')).toEqual([])
  await client.patch(Secret, 'credentials', { merge: { stringData: credentials } })
  expect(await readyOf(it, 'queue')).toBe('True Projected: 1 workload')
  expect((await client.get(ServiceBinding, 'queue')).status?.binding).toEqual({
    name: 'credentials',
  })
  expect(await mountsOf(it, 'web')).toEqual(['/bindings/queue'])
})

test('a service that is not available any more keeps its projection', async () => {
  await using it = await world()
  const { client } = it
  await client.create(Secret, { metadata: { name: 'credentials' }, stringData: credentials })
  await client.create(Deployment, deploymentOf('web'))
  await client.create(ServiceBinding, bindingOf('db'))
  expect(await readyOf(it, 'db')).toContain('True')
  await client.delete(Secret, 'credentials')
  expect(await readyOf(it, 'db')).toContain('False SecretNotFound')
  expect(await mountsOf(it, 'web')).toEqual(['/bindings/db'])
})

test('several bindings of one workload come and go without conflicts and further writes', async () => {
  await using it = await world()
  const { client, settle } = it
  await client.create(Secret, { metadata: { name: 'credentials' }, stringData: credentials })
  const original = await client.create(Deployment, deploymentOf('web'))
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  await Promise.all(names.map(async (name) => client.create(ServiceBinding, bindingOf(name))))
  for (const name of names) expect(await readyOf(it, name)).toBe('True Projected: 1 workload')
  expect((await mountsOf(it, 'web')).sort()).toEqual(names.map((name) => `/bindings/${name}`))
  it.writes()
  await it.restart()
  await settle()
  expect(it.writes()).toEqual([])
  await Promise.all(names.map(async (name) => client.delete(ServiceBinding, name)))
  await settle()
  expect(await client.listAll(ServiceBinding)).toEqual([])
  const { spec, metadata } = await client.get(Deployment, 'web')
  expect(spec).toEqual(original.spec)
  expect(metadata.annotations).toEqual(original.metadata.annotations)
})

test('selects workloads by labels, now and later, and unbinds those that lose them', async () => {
  await using it = await world()
  const { client } = it
  const selector = { matchExpressions: [{ key: 'tier', operator: 'In', values: ['gold'] }] }
  await client.create(Secret, { metadata: { name: 'credentials' }, stringData: credentials })
  const { name: _, ...any } = workload
  await client.create(ServiceBinding, bindingOf('db', { workload: { ...any, selector } }))
  expect(await readyOf(it, 'db')).toBe('True Projected: 0 workloads')
  await client.create(Deployment, deploymentOf('one', { tier: 'gold' }))
  await client.create(Deployment, deploymentOf('two', { tier: 'gold' }))
  await client.create(Deployment, deploymentOf('other', { tier: 'iron' }))
  expect(await readyOf(it, 'db')).toBe('True Projected: 2 workloads')
  await client.patch(Deployment, 'one', { merge: { metadata: { labels: { tier: 'iron' } } } })
  expect(await readyOf(it, 'db')).toBe('True Projected: 1 workload')
  expect(await mountsOf(it, 'one')).toEqual([])
  expect(await mountsOf(it, 'two')).toEqual(['/bindings/db'])
  expect(await mountsOf(it, 'other')).toEqual([])
})

test('moves the projection when the name of the workload or of the directory changes', async () => {
  await using it = await world()
  const { client } = it
  await client.create(Secret, { metadata: { name: 'credentials' }, stringData: credentials })
  await client.create(Deployment, deploymentOf('web'))
  await client.create(Deployment, deploymentOf('shop'))
  await client.create(ServiceBinding, bindingOf('db'))
  expect(await readyOf(it, 'db')).toContain('True')
  const spec = { name: 'other', workload: { name: 'shop' } }
  await client.patch(ServiceBinding, 'db', { merge: { spec } })
  expect(await readyOf(it, 'db')).toContain('True')
  expect(await mountsOf(it, 'web')).toEqual([])
  expect(await mountsOf(it, 'shop')).toEqual(['/bindings/other'])
  await client.patch(ServiceBinding, 'db', { merge: { spec: { workload: { name: 'gone' } } } })
  expect(await readyOf(it, 'db')).toBe('False WorkloadNotFound: there is no Deployment gone')
  expect(await mountsOf(it, 'shop')).toEqual([])
})

test('reports the workloads that cannot be bound, and binds the others', async () => {
  await using it = await world()
  const { client } = it
  await client.create(Secret, { metadata: { name: 'credentials' }, stringData: credentials })
  const taken = deploymentOf('taken', { app: 'shop' })
  const [container] = taken.spec.template.spec.containers
  Object.assign(container ?? {}, { env: [{ name: 'HOST', value: 'mine' }] })
  await client.create(Deployment, taken)
  await client.create(Deployment, deploymentOf('free', { app: 'shop' }))
  const { name: _, ...any } = workload
  const spec = {
    workload: { ...any, selector: { matchLabels: { app: 'shop' } } },
    env: [{ name: 'HOST', key: 'host' }],
  }
  await client.create(ServiceBinding, bindingOf('db', spec))
  expect(await readyOf(it, 'db')).toBe(
    'False NameCollision: Deployment taken: the container web already has the environment variable HOST',
  )
  expect(await mountsOf(it, 'free')).toEqual(['/bindings/db'])
})

test('a Job that exists cannot be bound, and the condition has the answer of the server', async () => {
  await using it = await world()
  const { client } = it
  await client.create(Secret, { metadata: { name: 'credentials' }, stringData: credentials })
  await client.create(Job, { metadata: { name: 'job' }, spec: { template } })
  const job = { apiVersion: 'batch/v1', kind: 'Job', name: 'job' }
  await client.create(ServiceBinding, bindingOf('db', { workload: job }))
  expect(await readyOf(it, 'db')).toMatch(/^False WorkloadRefused: Job job: .*field is immutable/)
})

test('uses a mapping for CronJobs, and projects again when the mapping changes', async () => {
  await using it = await world()
  const { client } = it
  await client.create(Secret, { metadata: { name: 'credentials' }, stringData: credentials })
  await client.create(CronJob, {
    metadata: { name: 'cron' },
    spec: { schedule: '0 0 * * *', jobTemplate: { spec: { template } } },
  })
  const cron = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'cron' }
  await client.create(ServiceBinding, bindingOf('db', { workload: cron, type: 'mysql' }))
  expect(await readyOf(it, 'db')).toContain('False WorkloadNotBindable: CronJob cron')
  await client.create(ClusterWorkloadResourceMapping, cronJobs)
  expect(await readyOf(it, 'db')).toBe('True Projected: 1 workload')
  const podOf = async () => (await client.get(CronJob, 'cron')).spec.jobTemplate.spec?.template
  const mounted = { containers: [{ volumeMounts: [{ mountPath: '/bindings/db' }] }] }
  expect((await podOf())?.spec).toMatchObject(mounted)
  expect(Object.values((await podOf())?.metadata?.annotations ?? {})).toEqual(['mysql'])
  await client.delete(ClusterWorkloadResourceMapping, 'cronjobs.batch')
  expect(await readyOf(it, 'db')).toContain('False WorkloadNotBindable')
})

test('binds a kind of workload that it does not know, and removes the projection again', async () => {
  await using it = await world()
  const { client, settle } = it
  await client.create(CustomResourceDefinition, Robot.crd())
  await client.create(Secret, { metadata: { name: 'credentials' }, stringData: credentials })
  const containers = [{ path: '.spec.arms[*]', env: '.vars', volumeMounts: '.mounts' }]
  await client.create(ClusterWorkloadResourceMapping, {
    metadata: { name: 'robots.example.com' },
    spec: { versions: [{ version: 'v1', containers, volumes: '.spec.disks' }] },
  })
  await client.create(Robot, { metadata: { name: 'r' }, spec: { arms: [{}, {}] } })
  const robot = { apiVersion: 'example.com/v1', kind: 'Robot', name: 'r' }
  await client.create(ServiceBinding, bindingOf('db', { workload: robot }))
  expect(await readyOf(it, 'db')).toBe('True Projected: 1 workload')
  const arm = { vars: [{ value: '/bindings' }], mounts: [{ mountPath: '/bindings/db' }] }
  expect((await client.get(Robot, 'r')).spec).toMatchObject({ arms: [arm, arm], disks: [{}] })
  await client.delete(ServiceBinding, 'db')
  await settle()
  expect((await client.get(Robot, 'r')).spec).toEqual({ arms: [{}, {}] })
})

test('needs no other rights than those of ClusterRoles with its label', async () => {
  await using it = await testWorld({ operators, workloads: 'off', rules: rbacFor(operators) })
  const { client } = it
  await client.create(Secret, { metadata: { name: 'credentials' }, stringData: credentials })
  await client.create(Deployment, deploymentOf('web'))
  await client.create(ServiceBinding, bindingOf('db'))
  expect(await readyOf(it, 'db')).toBe(
    'False SecretForbidden: the operator may not read secrets: add a ClusterRole with the label servicebinding.io/controller=true',
  )
})

test.each([
  ['both a name and a selector', { workload: { ...workload, selector: {} } }],
  ['neither', { workload: { apiVersion: 'apps/v1', kind: 'Deployment' } }],
  ['a name that is a path', { name: 'a/b' }],
  ['a name that leads out of the directory', { name: '..' }],
])('a binding with %s is refused', async (_, spec) => {
  await using it = await world()
  const creating = it.client.create(ServiceBinding, bindingOf('db', spec))
  await expect(creating).rejects.toSatisfy((error) => isApiError(error, 'API_INVALID'))
})

test('the kind of the workload of a binding cannot change', async () => {
  await using it = await world()
  await it.client.create(ServiceBinding, bindingOf('db'))
  const changing = it.client.patch(ServiceBinding, 'db', {
    merge: { spec: { workload: { kind: 'StatefulSet' } } },
  })
  await expect(changing).rejects.toThrow('immutable')
})

test.each([
  [[{ version: 'v1' }, { version: 'v1' }], 'the version v1 is there twice'],
  [[{ version: '*', volumes: '.spec.volumes[*]' }], 'must consist of fields only'],
  [[{ version: '*', containers: [{ path: '.spec..x' }] }], 'recursive descent'],
])('a mapping with %j is refused', async (versions, message) => {
  await using it = await world()
  const creating = it.client.create(ClusterWorkloadResourceMapping, {
    metadata: { name: 'robots.example.com' },
    spec: { versions },
  })
  await expect(creating).rejects.toThrow(message)
})
