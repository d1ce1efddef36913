import { expect, test } from 'vitest'
import { leaseName, start } from 'setpoint'
import {
  ClusterRole,
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  Namespace,
  ServiceAccount,
} from 'setpoint/kinds'
import { deployCommand } from '../commands/deploy-command.ts'
import { installCommand } from '../commands/install-command.ts'
import { undeployCommand } from '../commands/undeploy-command.ts'
import { uninstallCommand } from '../commands/uninstall-command.ts'
import { Application, application } from './testdata/application.ts'
import { connectionOf, deployWorld } from './testdata/deploy-world.ts'

const crd = 'applications.example.com'
const image = ['--image', 'registry.example.com/shop:1'] as const
const spec = { image: 'nginx' }

test('uninstalls CRDs without objects', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  expect((await world.call(uninstallCommand)).lines).toEqual(['nothing to delete'])
  await world.call(installCommand)
  const dry = await world.call(uninstallCommand, '--dry-run')
  expect(dry.lines).toEqual([`delete   CustomResourceDefinition ${crd}`])
  expect(await world.client.find(CustomResourceDefinition, crd)).toBeDefined()
  expect((await world.call(uninstallCommand)).lines).toEqual([...dry.lines, 'uninstalled'])
  expect(await world.client.find(CustomResourceDefinition, crd)).toBeUndefined()
})

test('refuses to uninstall CRDs with objects, unless --delete-objects', async () => {
  await using world = await deployWorld()
  await world.call(installCommand)
  await world.client.create(Namespace, { metadata: { name: 'other' } })
  for (const [name, namespace] of Object.entries({ a: 'default', b: 'default', c: 'other' })) {
    await world.client.create(Application, { metadata: { name, namespace }, spec })
  }
  expect(await world.call(uninstallCommand)).toMatchObject({
    exitCode: 1,
    lines: [],
    error: `deleting the CRDs would delete their objects:\n  ${crd}: 3 objects (2 in default, 1 in other)`,
    hint: expect.stringContaining('--delete-objects') as string,
  })
  expect(await world.client.listAll(Application)).toHaveLength(3)
  const { lines } = await world.call(uninstallCommand, '--delete-objects')
  expect(lines[0]).toBe(`delete   ${crd}: 3 objects (2 in default, 1 in other)`)
  expect(await world.client.find(CustomResourceDefinition, crd)).toBeUndefined()
})

test('names an object whose finalizer is not removed, with a fix', async () => {
  await using world = await deployWorld()
  await world.call(installCommand)
  const finalizers = ['example.com/clean-up']
  await world.client.create(Application, { metadata: { name: 'web', finalizers }, spec })
  const stuck = await world.call(uninstallCommand, '--delete-objects', '--timeout', '10s')
  expect(stuck).toMatchObject({
    exitCode: 1,
    error: 'objects are not deleted:\n  Application default/web: finalizers example.com/clean-up',
    notes: ['waiting until 1 object is deleted'],
  })
  expect(stuck.hint).toContain(
    `kubectl patch ${crd} web --namespace default --type merge --patch '{"metadata":{"finalizers":null}}'`,
  )
  expect(await world.client.find(CustomResourceDefinition, crd)).toBeDefined()
})

test('keeps the CRDs until the children of their objects are deleted', async () => {
  // Without controllers there is no garbage collector.
  await using world = await deployWorld({ workloads: 'off' })
  await world.call(installCommand)
  const { metadata } = await world.client.create(Application, { metadata: { name: 'web' }, spec })
  const owner = { apiVersion: 'example.com/v1', kind: 'Application', name: 'web' }
  const child = (name: string, ...more: object[]): object => ({
    metadata: { name, ownerReferences: [{ ...owner, uid: metadata.uid }, ...more] },
    spec: {
      selector: { matchLabels: { name } },
      template: { metadata: { labels: { name } }, spec: { containers: [{ name, image: name }] } },
    },
  })
  await world.client.create(Deployment, child('web') as never)
  const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'other' }
  await world.client.create(Deployment, child('shared', other) as never)
  const waited = await world.call(uninstallCommand, '--delete-objects', '--timeout', '10s')
  expect(waited).toMatchObject({
    exitCode: 1,
    error: 'children of deleted objects still exist: Deployment default/web',
    notes: ['waiting until the garbage collector has deleted 1 child'],
  })
  expect(await world.client.find(CustomResourceDefinition, crd)).toBeDefined()
  await world.client.delete(Deployment, 'web')
  expect((await world.call(uninstallCommand)).lines).toContain('uninstalled')
})

test('deletes objects first, then pods, permissions, CRDs and the namespace', async () => {
  await using world = await deployWorld()
  await world.call(deployCommand, ...image)
  const connection = await connectionOf(world, { name: 'shop', namespace: 'shop-system' })
  await using _running = await start([application], {
    host: world.host,
    connection,
    election: { name: leaseName([application]) },
  })
  await world.client.create(Application, { metadata: { name: 'web' }, spec })
  await world.host.sleep(60_000)
  expect((await world.client.get(Application, 'web')).metadata.finalizers).toHaveLength(1)
  const refused = await world.call(undeployCommand)
  expect(refused).toMatchObject({
    exitCode: 1,
    lines: [],
    error: `deleting the CRDs would delete their objects:\n  ${crd}: 1 object (1 in default)`,
    hint: expect.stringContaining('--keep-crds') as string,
  })
  const before = new Set(world.cluster.trace)
  const { lines, exitCode } = await world.call(undeployCommand, '--delete-objects')
  expect(exitCode).toBe(0)
  expect(lines).toEqual([
    `delete   ${crd}: 1 object (1 in default)`,
    'delete   Deployment shop-system/shop',
    'delete   Service shop-system/shop-metrics',
    'delete   RoleBinding shop-system/shop-election',
    'delete   ClusterRoleBinding shop',
    'delete   Role shop-system/shop-election',
    'delete   ClusterRole shop',
    'delete   ServiceAccount shop-system/shop',
    `delete   ClusterRole ${crd}-editor`,
    `delete   ClusterRole ${crd}-viewer`,
    `delete   CustomResourceDefinition ${crd}`,
    'delete   Namespace shop-system',
    'undeployed',
  ])
  const deleted = world.cluster.trace
    .filter((entry) => !before.has(entry))
    .filter(({ method, user, code }) => method === 'DELETE' && user === 'admin' && code === 200)
    .map(({ path }) => path)
  expect([...deleted.slice(0, 2), ...deleted.slice(-2)]).toEqual([
    '/apis/example.com/v1/namespaces/default/applications',
    '/apis/apps/v1/namespaces/shop-system/deployments/shop',
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd}`,
    '/api/v1/namespaces/shop-system',
  ])
  expect(await world.client.find(Namespace, 'shop-system')).toBeUndefined()
  const roles = await world.client.listAll(ClusterRole)
  expect(roles.filter(({ metadata }) => /shop|example/.test(metadata.name))).toEqual([])
})

test('--keep-crds keeps the CRDs, their objects and the roles for users', async () => {
  await using world = await deployWorld()
  await world.call(deployCommand, ...image)
  await world.client.create(Application, { metadata: { name: 'web' }, spec })
  const { exitCode } = await world.call(undeployCommand, '--keep-crds')
  expect(exitCode).toBe(0)
  expect(await world.client.listAll(Application)).toHaveLength(1)
  expect(await world.client.find(ClusterRole, `${crd}-editor`)).toBeDefined()
  expect(await world.client.find(ClusterRole, 'shop')).toBeUndefined()
  expect(await world.client.find(Namespace, 'shop-system')).toBeUndefined()
})

test('keeps a namespace with other objects, and deletes only own objects', async () => {
  await using world = await deployWorld()
  await world.call(deployCommand, ...image)
  const others = { name: 'settings', namespace: 'shop-system' }
  await world.client.create(ConfigMap, { metadata: others })
  await world.client.create(ServiceAccount, { metadata: { name: 'shop', namespace: 'default' } })
  const { lines } = await world.call(undeployCommand)
  expect(lines).toContain('keep     Namespace shop-system: it contains ConfigMap settings')
  expect(await world.client.find(ConfigMap, others)).toBeDefined()
  expect(await world.client.find(Deployment, { ...others, name: 'shop' })).toBeUndefined()
  expect(await world.client.find(ServiceAccount, 'shop')).toBeDefined()
  expect((await world.call(undeployCommand)).lines).toEqual([
    'keep     Namespace shop-system: it contains ConfigMap settings',
    'nothing to delete',
  ])
})

test('never deletes a system namespace', async () => {
  await using world = await deployWorld({ settings: { namespace: 'default' } })
  await world.call(deployCommand, ...image)
  const { lines } = await world.call(undeployCommand)
  expect(lines).toContain('keep     Namespace default: every cluster has it')
  expect(await world.client.find(Namespace, 'default')).toBeDefined()
})

test('waits for a terminating namespace, and refuses to deploy to it', async () => {
  await using world = await deployWorld()
  await world.call(deployCommand, ...image)
  const namespace = 'shop-system'
  const holding = { metadata: { name: 'held', namespace, finalizers: ['example.com/hold'] } }
  const labels =
    (await world.client.get(Deployment, { name: 'shop', namespace })).metadata.labels ?? {}
  await world.client.create(ConfigMap, { metadata: { ...holding.metadata, labels } })
  const { notes, exitCode } = await world.call(undeployCommand, '--timeout', '30s')
  expect(exitCode).toBe(0)
  expect(notes.at(-1)).toMatch(/^the namespace shop-system is still terminating/)
  expect(await world.call(deployCommand, ...image)).toMatchObject({
    exitCode: 1,
    error: 'the namespace shop-system is terminating',
  })
})

test('--json prints what was deleted, even after a refusal', async () => {
  await using world = await deployWorld()
  await world.call(installCommand)
  await world.client.create(Application, { metadata: { name: 'web' }, spec })
  const refused = await world.call(uninstallCommand, '--json')
  expect(refused.exitCode).toBe(1)
  expect(JSON.parse(refused.lines.join('\n'))).toMatchObject({
    isDone: false,
    resources: [{ resource: crd, total: 1, namespaces: { default: 1 } }],
  })
  const done = await world.call(uninstallCommand, '--json', '--delete-objects')
  expect(JSON.parse(done.lines.join('\n'))).toMatchObject({
    isDone: true,
    objects: [{ kind: 'CustomResourceDefinition', name: crd, action: 'delete' }],
  })
})

test('two deployments of a project do not change each other', async () => {
  await using world = await deployWorld()
  await world.call(deployCommand, ...image)
  const second = await world.call(deployCommand, ...image, '--namespace', 'second')
  expect(second.lines.filter((line) => /^(change|delete)/.test(line))).toEqual([])
  await world.call(undeployCommand, '--namespace', 'second', '--keep-crds')
  expect(await world.client.find(ClusterRole, 'shop')).toBeDefined()
  expect(await world.client.find(ClusterRole, 'shop-second')).toBeUndefined()
  expect(
    await world.client.find(Deployment, { name: 'shop', namespace: 'shop-system' }),
  ).toBeDefined()
})
