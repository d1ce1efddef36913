import { expect, test } from 'vitest'
import { start } from 'setpoint'
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

test('definitions that nobody uses are uninstalled', async () => {
  await using it = await deployWorld({ workloads: 'off' })
  expect((await it.call(uninstallCommand)).lines).toEqual(['there is nothing to remove'])
  await it.call(installCommand)
  const dry = await it.call(uninstallCommand, '--dry-run')
  expect(dry.lines).toEqual([`delete   CustomResourceDefinition ${crd}`])
  expect(await it.client.find(CustomResourceDefinition, crd)).toBeDefined()
  expect((await it.call(uninstallCommand)).lines).toEqual([...dry.lines, 'uninstalled'])
  expect(await it.client.find(CustomResourceDefinition, crd)).toBeUndefined()
})

test('definitions that have objects stay, unless their objects should go as well', async () => {
  await using it = await deployWorld()
  await it.call(installCommand)
  await it.client.create(Namespace, { metadata: { name: 'other' } })
  for (const [name, namespace] of Object.entries({ a: 'default', b: 'default', c: 'other' })) {
    await it.client.create(Application, { metadata: { name, namespace }, spec })
  }
  expect(await it.call(uninstallCommand)).toMatchObject({
    exitCode: 1,
    error: `objects would be lost with their CRDs:\n  ${crd}: 3 objects (2 in default, 1 in other)`,
    hint: expect.stringContaining('--delete-objects') as string,
  })
  expect(await it.client.listAll(Application)).toHaveLength(3)
  const { lines } = await it.call(uninstallCommand, '--delete-objects')
  expect(lines[0]).toBe(`delete   ${crd}: 3 objects (2 in default, 1 in other)`)
  expect(await it.client.find(CustomResourceDefinition, crd)).toBeUndefined()
})

test('an object that a finalizer holds is named, with the way out', async () => {
  await using it = await deployWorld()
  await it.call(installCommand)
  const finalizers = ['example.com/clean-up']
  await it.client.create(Application, { metadata: { name: 'web', finalizers }, spec })
  const hanging = await it.call(uninstallCommand, '--delete-objects', '--timeout', '10s')
  expect(hanging).toMatchObject({
    exitCode: 1,
    error: 'objects do not go away:\n  Application default/web: held by example.com/clean-up',
    notes: ['waiting for 1 object to go'],
  })
  expect(hanging.hint).toContain(
    `kubectl patch ${crd} web --namespace default --type merge --patch '{"metadata":{"finalizers":null}}'`,
  )
  expect(await it.client.find(CustomResourceDefinition, crd)).toBeDefined()
})

test('definitions stay until what belonged to their objects is gone', async () => {
  // Without controllers nobody collects garbage.
  await using it = await deployWorld({ workloads: 'off' })
  await it.call(installCommand)
  const { metadata } = await it.client.create(Application, { metadata: { name: 'web' }, spec })
  const owner = { apiVersion: 'example.com/v1', kind: 'Application', name: 'web' }
  const child = (name: string, ...more: object[]): object => ({
    metadata: { name, ownerReferences: [{ ...owner, uid: metadata.uid }, ...more] },
    spec: {
      selector: { matchLabels: { name } },
      template: { metadata: { labels: { name } }, spec: { containers: [{ name, image: name }] } },
    },
  })
  await it.client.create(Deployment, child('web') as never)
  const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'other' }
  await it.client.create(Deployment, child('shared', other) as never)
  const waited = await it.call(uninstallCommand, '--delete-objects', '--timeout', '10s')
  expect(waited).toMatchObject({
    exitCode: 1,
    error: 'what belonged to deleted objects is still there: Deployment default/web',
    notes: ['waiting for 1 of their children to go'],
  })
  expect(await it.client.find(CustomResourceDefinition, crd)).toBeDefined()
  await it.client.delete(Deployment, 'web')
  expect((await it.call(uninstallCommand)).lines).toContain('uninstalled')
})

test('operators go last among what works: objects first, then pods, rights, definitions, the namespace', async () => {
  await using it = await deployWorld()
  await it.call(deployCommand, ...image)
  const connection = await connectionOf(it, { name: 'shop', namespace: 'shop-system' })
  await using _running = await start([application], {
    host: it.host,
    connection,
    election: { name: 'shop' },
  })
  await it.client.create(Application, { metadata: { name: 'web' }, spec })
  await it.host.sleep(60_000)
  expect((await it.client.get(Application, 'web')).metadata.finalizers).toHaveLength(1)
  const refused = await it.call(undeployCommand)
  expect(refused).toMatchObject({
    exitCode: 1,
    error: `objects would be lost with their CRDs:\n  ${crd}: 1 object (1 in default)`,
    hint: expect.stringContaining('--keep-crds') as string,
  })
  const before = new Set(it.cluster.trace)
  const { lines, exitCode } = await it.call(undeployCommand, '--delete-objects')
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
  const deleted = it.cluster.trace
    .filter((entry) => !before.has(entry))
    .filter(({ method, user, code }) => method === 'DELETE' && user === 'admin' && code === 200)
    .map(({ path }) => path)
  expect([...deleted.slice(0, 2), ...deleted.slice(-2)]).toEqual([
    '/apis/example.com/v1/namespaces/default/applications',
    '/apis/apps/v1/namespaces/shop-system/deployments/shop',
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd}`,
    '/api/v1/namespaces/shop-system',
  ])
  expect(await it.client.find(Namespace, 'shop-system')).toBeUndefined()
  const roles = await it.client.listAll(ClusterRole)
  expect(roles.filter(({ metadata }) => /shop|example/.test(metadata.name))).toEqual([])
})

test('definitions, their objects and the roles of users can stay', async () => {
  await using it = await deployWorld()
  await it.call(deployCommand, ...image)
  await it.client.create(Application, { metadata: { name: 'web' }, spec })
  const { exitCode } = await it.call(undeployCommand, '--keep-crds')
  expect(exitCode).toBe(0)
  expect(await it.client.listAll(Application)).toHaveLength(1)
  expect(await it.client.find(ClusterRole, `${crd}-editor`)).toBeDefined()
  expect(await it.client.find(ClusterRole, 'shop')).toBeUndefined()
  expect(await it.client.find(Namespace, 'shop-system')).toBeUndefined()
})

test('a namespace in which others have something stays, and what is not ours is not touched', async () => {
  await using it = await deployWorld()
  await it.call(deployCommand, ...image)
  const others = { name: 'settings', namespace: 'shop-system' }
  await it.client.create(ConfigMap, { metadata: others })
  await it.client.create(ServiceAccount, { metadata: { name: 'shop', namespace: 'default' } })
  const { lines } = await it.call(undeployCommand)
  expect(lines).toContain('keep     Namespace shop-system: it holds ConfigMap settings')
  expect(await it.client.find(ConfigMap, others)).toBeDefined()
  expect(await it.client.find(Deployment, { ...others, name: 'shop' })).toBeUndefined()
  expect(await it.client.find(ServiceAccount, 'shop')).toBeDefined()
  expect((await it.call(undeployCommand)).lines).toEqual([
    'keep     Namespace shop-system: it holds ConfigMap settings',
    'there is nothing to remove',
  ])
})

test('the namespaces of the cluster are never deleted', async () => {
  await using it = await deployWorld({ settings: { namespace: 'default' } })
  await it.call(deployCommand, ...image)
  const { lines } = await it.call(undeployCommand)
  expect(lines).toContain('keep     Namespace default: every cluster has it')
  expect(await it.client.find(Namespace, 'default')).toBeDefined()
})

test('what is on its way out is waited for, and not deployed into', async () => {
  await using it = await deployWorld()
  await it.call(deployCommand, ...image)
  const namespace = 'shop-system'
  const holding = { metadata: { name: 'held', namespace, finalizers: ['example.com/hold'] } }
  const labels =
    (await it.client.get(Deployment, { name: 'shop', namespace })).metadata.labels ?? {}
  await it.client.create(ConfigMap, { metadata: { ...holding.metadata, labels } })
  const { notes, exitCode } = await it.call(undeployCommand, '--timeout', '30s')
  expect(exitCode).toBe(0)
  expect(notes.at(-1)).toMatch(/^the namespace shop-system is still being deleted/)
  expect(await it.call(deployCommand, ...image)).toMatchObject({
    exitCode: 1,
    error: 'the namespace shop-system is being deleted',
  })
})

test('scripts get what went as JSON, also when it was refused', async () => {
  await using it = await deployWorld()
  await it.call(installCommand)
  await it.client.create(Application, { metadata: { name: 'web' }, spec })
  const refused = await it.call(uninstallCommand, '--json')
  expect(refused.exitCode).toBe(1)
  expect(JSON.parse(refused.lines.join('\n'))).toMatchObject({
    isDone: false,
    resources: [{ resource: crd, total: 1, namespaces: { default: 1 } }],
  })
  const done = await it.call(uninstallCommand, '--json', '--delete-objects')
  expect(JSON.parse(done.lines.join('\n'))).toMatchObject({
    isDone: true,
    objects: [{ kind: 'CustomResourceDefinition', name: crd, action: 'delete' }],
  })
})

test('two deployments of one project do not touch each other', async () => {
  await using it = await deployWorld()
  await it.call(deployCommand, ...image)
  const second = await it.call(deployCommand, ...image, '--namespace', 'second')
  expect(second.lines.filter((line) => /^(change|delete)/.test(line))).toEqual([])
  await it.call(undeployCommand, '--namespace', 'second', '--keep-crds')
  expect(await it.client.find(ClusterRole, 'shop')).toBeDefined()
  expect(await it.client.find(ClusterRole, 'shop-second')).toBeUndefined()
  expect(await it.client.find(Deployment, { name: 'shop', namespace: 'shop-system' })).toBeDefined()
})
