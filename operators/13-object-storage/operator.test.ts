import { readFile } from 'node:fs/promises'
import { testWorld, type TestWorld } from '@setpoint/cluster'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type InferManifest, rbacFor } from 'setpoint'
import { Job, PersistentVolumeClaim, Pod, Secret, StatefulSet } from 'setpoint/kinds'
import { tenantLabel } from './names.ts'
import tenants from './operator.ts'
import { Tenant } from './tenant.ts'

type Manifest = InferManifest<typeof Tenant>
type Spec = Manifest['spec']

// Before any test: virtual time continues while a test waits for a real file.
const sample = parse(await readFile(new URL('sample.yaml', import.meta.url), 'utf8')) as Manifest
const [first] = sample.spec.pools
if (first === undefined) throw new Error('the sample has no pool')
const second = { ...first, name: 'second', servers: 4, volumesPerServer: 2 }

async function tenantWorld(more: Partial<Spec> = {}): Promise<TestWorld> {
  const operators = [tenants]
  const world = await testWorld({ operators, rules: rbacFor(operators), seed: 3 })
  onTestFinished(() => world[Symbol.asyncDispose]())
  await world.client.create(Tenant, { ...sample, spec: { ...sample.spec, ...more } })
  await world.settle()
  return world
}

async function edit({ client }: TestWorld, spec: Partial<Spec>): Promise<void> {
  await client.patch(Tenant, 'photos', { merge: { spec } })
}

const statusOf = async ({ client }: TestWorld) => (await client.get(Tenant, 'photos')).status

async function condition(world: TestWorld, type: string): Promise<string> {
  const found = (await statusOf(world))?.conditions?.find((one) => one.type === type)
  return `${found?.status} ${found?.reason}: ${found?.message}`
}

const servers = async ({ client }: TestWorld) =>
  client.listAll(Pod, { labelSelector: { [tenantLabel]: 'photos' } })

/** The script of the last provisioning Job. */
async function lastScript({ client }: TestWorld): Promise<string> {
  const { status } = await client.get(Tenant, 'photos')
  const job = await client.get(Job, `photos-provision-${status?.runbooks?.provision?.run}-apply`)
  return job.spec.template.spec?.containers[0]?.command?.[2] ?? ''
}

test('runs the servers of a pool with their volumes, and provisions buckets and users', async () => {
  const world = await tenantWorld()
  expect(await statusOf(world)).toMatchObject({
    endpoint: 'http://photos.default.svc:9000',
    servers: '1/1',
    users: ['camera', 'gallery'],
  })
  expect(await condition(world, 'Ready')).toBe('True Reconciled: all children are ready')
  expect(await condition(world, 'Provisioned')).toBe('True Provisioned: 4 steps complete')
  const claims = await world.client.listAll(PersistentVolumeClaim, { namespace: 'default' })
  expect(claims.map(({ metadata }) => metadata.name)).toEqual(
    [0, 1, 2, 3].map((disk) => `disk${disk}-photos-first-0`),
  )
  expect(await lastScript(world)).toContain('mc admin user add tenant camera')
  const { data = {} } = await world.client.get(Secret, 'photos-user-camera')
  expect(atob(data['accessKey'] ?? '')).toBe('camera')
})

test('no secret is in a script, a status or the arguments of a server', async () => {
  const world = await tenantWorld()
  const texts = JSON.stringify([
    await world.client.listAll(Job, { namespace: 'default' }),
    await servers(world),
    await world.client.get(Tenant, 'photos'),
  ])
  for (const name of ['photos-root', 'photos-user-camera', 'photos-user-gallery']) {
    const { data = {} } = await world.client.get(Secret, name)
    expect(texts).not.toContain(atob(data['secretKey'] ?? ''))
  }
})

test('a new pool restarts all servers together, with the pools in their order', async () => {
  const world = await tenantWorld({ pools: [second] })
  const before = await servers(world)
  await edit(world, { pools: [second, { ...first, name: 'third' }] })
  await world.settle()
  const after = await servers(world)
  expect(after).toHaveLength(5)
  const uids = after.map(({ metadata }) => metadata.uid)
  expect(before.filter(({ metadata }) => uids.includes(metadata.uid))).toEqual([])
  for (const { spec } of after) {
    expect(spec.containers[0]?.args?.slice(-2)).toEqual([
      'http://photos-second-{0...3}.photos-pods.default.svc:9000/data/disk{0...1}',
      'http://photos-third-0.photos-pods.default.svc:9000/data/disk{0...3}',
    ])
  }
  expect(await statusOf(world)).toMatchObject({
    servers: '5/5',
    runbooks: { roll: { state: 'Complete' } },
  })
  const { runbooks } = (await statusOf(world)) ?? {}
  const restart = runbooks?.roll?.steps?.find(({ name }) => name === 'restart')
  expect(restart?.result).toEqual({ restarted: 4 })
})

test.each([
  { why: 'is removed', pools: [second], message: 'pools cannot be removed' },
  { why: 'gets another place', pools: [second, first], message: 'change their order' },
  { why: 'shrinks', pools: [{ ...first, volumesPerServer: 5 }], message: 'a pool cannot change' },
  {
    why: 'gets other volumes',
    pools: [{ ...first, size: '2Gi' }],
    message: 'a pool cannot change: add another pool',
  },
  {
    why: 'has too few volumes',
    pools: [first, { ...second, servers: 1 }],
    message: 'erasure coding needs four volumes or more',
  },
])('refuses a change after which a pool $why', async ({ pools, message }) => {
  const world = await tenantWorld()
  await expect(edit(world, { pools })).rejects.toThrow(message)
})

test('refuses a user with a policy that does not exist', async () => {
  const world = await tenantWorld()
  await expect(edit(world, { users: [{ name: 'robot', policies: ['all'] }] })).rejects.toThrow(
    'users can only have policies that are in spec.policies',
  )
})

test('removes a user that is no longer in the spec, even after a failed run', async () => {
  const world = await tenantWorld()
  const provisions = { labels: { 'storage.example.com/provisions': 'photos' } }
  const rule = world.cluster.pods.behave(provisions, { exits: { code: 1 } })
  await edit(world, { users: [{ name: 'camera', policies: ['view'] }, { name: 'robot' }] })
  await world.host.sleep(600_000)
  expect(await condition(world, 'Provisioned')).toMatch(/^False ProvisioningFailed: apply /)
  expect((await statusOf(world))?.users).toEqual(['camera', 'robot', 'gallery'])
  rule[Symbol.dispose]()
  await edit(world, { users: [{ name: 'camera', policies: ['view'] }] })
  await world.settle()
  const script = await lastScript(world)
  for (const name of ['robot', 'gallery']) {
    expect(script).toContain(`mc admin user remove tenant ${name}`)
  }
  expect(script).not.toContain('user remove tenant camera')
  expect((await statusOf(world))?.users).toEqual(['camera'])
  expect(await world.client.find(Secret, 'photos-user-gallery')).toBeUndefined()
})

test('uses given Secrets for the administrator, for a user and for TLS', async () => {
  const world = await tenantWorld({
    credentials: { secretName: 'admin' },
    tls: { secretName: 'certificate' },
    users: [{ name: 'camera', secretName: 'given' }],
  })
  // The servers wait for the Secrets.
  expect(await statusOf(world)).toMatchObject({ servers: '0/1' })
  const data = { accessKey: 'admin', secretKey: 'given-secret' }
  for (const name of ['admin', 'given']) {
    await world.client.create(Secret, { metadata: { name }, stringData: data })
  }
  const stringData = { 'tls.crt': 'certificate', 'tls.key': 'key', 'ca.crt': 'authority' }
  await world.client.create(Secret, { metadata: { name: 'certificate' }, stringData })
  await world.host.sleep(300_000)
  expect(await condition(world, 'Provisioned')).toMatch(/^True/)
  const { spec } = await world.client.get(StatefulSet, 'photos-first')
  const [container] = spec.template.spec?.containers ?? []
  expect(container?.args).toContain('--certs-dir')
  expect(container?.readinessProbe?.httpGet?.scheme).toBe('HTTPS')
  expect(await world.client.find(Secret, 'photos-root')).toBeUndefined()
  expect(await world.client.find(Secret, 'photos-user-camera')).toBeUndefined()
})

test('keeps the volumes when the Tenant is deleted', async () => {
  const world = await tenantWorld()
  await world.client.delete(Tenant, 'photos')
  await world.settle()
  expect(await servers(world)).toEqual([])
  const claims = await world.client.listAll(PersistentVolumeClaim, { namespace: 'default' })
  expect(claims).toHaveLength(4)
})

test('in a steady state it writes nothing, even after a restart', async () => {
  const world = await tenantWorld()
  world.writes()
  await world.restart()
  await world.settle()
  expect(world.writes()).toEqual([])
})
