import { expect, test } from 'vitest'
import { start } from 'setpoint'
import { Client } from 'setpoint/client'
import {
  ClusterRole,
  CustomResourceDefinition,
  Deployment,
  Lease,
  Namespace,
  Role,
} from 'setpoint/kinds'
import { deployCommand } from '../commands/deploy-command.ts'
import { installCommand } from '../commands/install-command.ts'
import { Application, application } from './testdata/application.ts'
import { connectionOf, deployWorld } from './testdata/deploy-world.ts'

const crd = 'applications.example.com'
const account = { name: 'shop', namespace: 'shop-system' }
const image = ['--image', 'registry.example.com/shop:1'] as const

test('definitions are installed, left alone when they are as wanted, and changed field by field', async () => {
  await using it = await deployWorld({ workloads: 'off' })
  expect(await it.call(installCommand)).toMatchObject({
    exitCode: 0,
    lines: [`create   CustomResourceDefinition ${crd}`, 'the CRDs are served'],
  })
  const { metadata } = await it.client.get(CustomResourceDefinition, crd)
  expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'setpoint' })
  expect((await it.call(installCommand)).lines).toEqual([
    '1 object is as wanted',
    'the CRDs are served',
  ])
  expect((await it.client.get(CustomResourceDefinition, crd)).metadata.resourceVersion).toBe(
    metadata.resourceVersion,
  )
  expect((await it.call(installCommand, 'next-operators.mjs')).lines).toEqual([
    `change   CustomResourceDefinition ${crd}`,
    '           spec.versions[v1].schema.openAPIV3Schema.properties.spec.properties.port: (none) -> {"type":"integer","format":"int32"}',
    'the CRDs are served',
  ])
})

test('a dry run shows the same and writes nothing', async () => {
  await using it = await deployWorld({ workloads: 'off' })
  const dry = await it.call(deployCommand, ...image, '--dry-run')
  expect(dry.lines).toHaveLength(11)
  expect(dry.notes).toEqual(['nothing was written: this was a dry run'])
  expect(await it.client.find(CustomResourceDefinition, crd)).toBeUndefined()
  expect(await it.client.find(Namespace, 'shop-system')).toBeUndefined()
  const json = await it.call(installCommand, '--dry-run', '--json')
  expect(JSON.parse(json.lines.join('\n'))).toMatchObject({
    isDryRun: true,
    objects: [{ kind: 'CustomResourceDefinition', name: crd, action: 'create', differences: [] }],
  })
})

test('a definition without a version that objects may be stored in is refused', async () => {
  await using it = await deployWorld({ workloads: 'off' })
  await it.call(installCommand)
  const refused = await it.call(installCommand, 'renamed-operators.mjs')
  expect(refused).toMatchObject({
    exitCode: 1,
    error: `the CRD ${crd} in the cluster may have objects stored as v1, and the definition has no version v1 any more`,
  })
  expect(refused.hint).toMatch(/served: false.*storedVersions/)
})

test('what is deployed runs, with exactly the rights that it was given', async () => {
  await using it = await deployWorld()
  const deployed = await it.call(deployCommand, ...image, '--replicas', '2')
  expect(deployed.lines).toEqual([
    `create   CustomResourceDefinition ${crd}`,
    `create   ClusterRole ${crd}-editor`,
    `create   ClusterRole ${crd}-viewer`,
    'create   Namespace shop-system',
    'create   ServiceAccount shop-system/shop',
    'create   ClusterRole shop',
    'create   ClusterRoleBinding shop',
    'create   Role shop-system/shop-election',
    'create   RoleBinding shop-system/shop-election',
    'create   Deployment shop-system/shop',
    'create   Service shop-system/shop-metrics',
    'deployed: 2 of 2 replicas available',
  ])
  const refused = refusals(it.cluster)
  const connection = await connectionOf(it, account)
  const election = { name: 'shop', identity: 'pod-0' }
  const running = await start([application], { host: it.host, connection, election })
  await it.client.create(Application, { metadata: { name: 'web' }, spec: { image: 'nginx' } })
  await it.host.sleep(60_000)
  const web = await it.client.get(Application, 'web')
  expect(web.status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }])
  expect((await it.client.get(Lease, { ...account })).spec.holderIdentity).toBe('pod-0')
  await it.client.delete(Application, 'web')
  await it.host.sleep(60_000)
  expect(await it.client.find(Application, 'web')).toBeUndefined()
  await running.stop()
  expect(refused()).toEqual([])
})

test('operators that are restricted to namespaces have rights there only, also after the fact', async () => {
  await using it = await deployWorld()
  for (const name of ['a', 'b']) await it.client.create(Namespace, { metadata: { name } })
  await it.call(deployCommand, ...image)
  await it.set({ watch: ['a'] })
  const narrowed = await it.call(deployCommand, ...image)
  expect(narrowed.lines).toEqual([
    'create   Role a/shop',
    'create   RoleBinding a/shop',
    'change   Deployment shop-system/shop',
    '           spec.template.spec.containers[operator].env[WATCH_NAMESPACES]: (none) -> {"name":"WATCH_NAMESPACES","value":"a"}',
    'delete   ClusterRoleBinding shop',
    'delete   ClusterRole shop',
    '8 objects are as wanted',
    'deployed: 1 of 1 replica available',
  ])
  const refused = refusals(it.cluster)
  const connection = await connectionOf(it, account)
  const options = { host: it.host, connection, election: { name: 'shop' }, namespaces: ['a'] }
  const running = await start([application], options)
  const spec = { image: 'nginx' }
  for (const namespace of ['a', 'b']) {
    await it.client.create(Application, { metadata: { name: 'web', namespace }, spec })
  }
  await it.host.sleep(60_000)
  const found = await it.client.listAll(Deployment)
  expect(found.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`)).toEqual([
    'a/web',
    'shop-system/shop',
  ])
  await running.stop()
  // Definitions have no namespace: whether the installed one is the right one is not looked at here.
  expect(refused()).toEqual([`GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd}`])
  const own = new Client(it.host, connection)
  await expect(own.listAll(Application)).rejects.toMatchObject({ code: 'API_FORBIDDEN' })
  await expect(own.get(Deployment, { namespace: 'b', name: 'web' })).rejects.toMatchObject({
    code: 'API_FORBIDDEN',
  })
})

test('a namespace to watch that does not exist is told before anything is written', async () => {
  await using it = await deployWorld({ workloads: 'off', settings: { watch: ['nowhere'] } })
  expect(await it.call(deployCommand, ...image)).toMatchObject({
    exitCode: 1,
    error: 'there is no namespace nowhere, which Role shop belongs into',
    hint: expect.stringContaining('kubectl create namespace nowhere') as string,
  })
  expect(await it.client.find(CustomResourceDefinition, crd)).toBeUndefined()
})

test('pods that do not become ready are a failure, told with the reason', async () => {
  await using it = await deployWorld()
  it.cluster.pods.behave('missing*', { pullError: 'not found' })
  const failed = await it.call(deployCommand, '--image', 'missing:1', '--timeout', '30s')
  expect(failed.exitCode).toBe(1)
  expect(failed.error).toMatch(
    /^the operators do not run: 0 of 1 updated replica available\n {2}pod shop-\S+: .*ImagePull/,
  )
  it.cluster.pods.behave('crashing*', { exits: { code: 1 }, logs: ['cannot start: no rights'] })
  const crashed = await it.call(deployCommand, '--image', 'crashing:1', '--timeout', '30s')
  expect(crashed.error).toContain('CrashLoopBackOff')
  expect(crashed.error).toContain('its log: cannot start: no rights')
  expect(crashed.notes.length).toBeGreaterThan(0)
  expect(await it.call(deployCommand, '--image', 'crashing:1', '--no-wait')).toMatchObject({
    exitCode: 0,
  })
})

test('fields that others have set are told with their owner, and taken over only when asked to', async () => {
  await using it = await deployWorld({ workloads: 'off' })
  await it.call(deployCommand, ...image, '--no-wait')
  const scaled = { metadata: account, spec: { replicas: 5 } }
  await it.client.apply(Deployment, scaled, { fieldManager: 'autoscaler', force: true })
  const conflict = await it.call(deployCommand, ...image, '--no-wait')
  expect(conflict).toMatchObject({
    exitCode: 1,
    error:
      'others have set fields to other values:\n  Deployment shop-system/shop: spec.replicas is set by autoscaler',
  })
  expect((await it.client.get(Deployment, account)).spec.replicas).toBe(5)
  const forced = await it.call(deployCommand, ...image, '--no-wait', '--force-conflicts')
  expect(forced.lines).toContain('           spec.replicas: 5 -> 1')
  expect((await it.client.get(Deployment, account)).spec.replicas).toBe(1)
})

test("somebody's namespace is deployed into and stays theirs", async () => {
  await using it = await deployWorld({ workloads: 'off', settings: { namespace: 'theirs' } })
  await it.client.create(Namespace, { metadata: { name: 'theirs' } })
  const { lines } = await it.call(deployCommand, ...image, '--no-wait')
  expect(lines).toContain(
    'foreign  Namespace theirs (exists and is not of setpoint: left as it is)',
  )
  const { labels = {} } = (await it.client.get(Namespace, 'theirs')).metadata
  expect(Object.keys(labels)).toEqual(['kubernetes.io/metadata.name'])
  // What several deployments of the project could share a name for, has the namespace in its own.
  expect(await it.client.find(ClusterRole, 'shop-theirs')).toBeDefined()
  expect(await it.client.listAll(Role, { namespace: 'theirs' })).toHaveLength(1)
})

test('nothing is written to a cluster elsewhere without consent', async () => {
  await using it = await deployWorld({ workloads: 'off', hostname: '192.0.2.1' })
  const declined = await it.call(deployCommand, ...image, '--no-wait')
  expect(declined).toMatchObject({ exitCode: 3 })
  expect(declined.lines).toHaveLength(11)
  expect(await it.client.find(CustomResourceDefinition, crd)).toBeUndefined()
  expect(await it.call(deployCommand, ...image, '--no-wait', '--yes')).toMatchObject({
    exitCode: 0,
  })
  expect(await it.client.find(CustomResourceDefinition, crd)).toBeDefined()
})

test('calls that make no sense are refused before a cluster is asked', async () => {
  await using it = await deployWorld({ workloads: 'off' })
  const wrong = async (...words: string[]) => {
    const { exitCode, error } = await it.call(deployCommand, ...words)
    return [exitCode, error]
  }
  expect(await wrong()).toEqual([2, 'there is no image to deploy'])
  expect(await wrong(...image, '--replicas', 'two')).toEqual([
    2,
    '--replicas is "two", not a number of pods',
  ])
  expect(await wrong('--image', 'a b')).toEqual([2, '"a b" cannot be the name of an image'])
  expect(await wrong(...image, '--namespace', 'Shop')).toEqual([
    2,
    'the namespace "Shop" cannot be the name of one',
  ])
  expect(await wrong(...image, '--timeout', 'soon')).toEqual([
    2,
    '--timeout is "soon", which is no time',
  ])
})

/** The requests that are refused from now on. */
function refusals(cluster: {
  readonly trace: readonly {
    readonly method: string
    readonly path: string
    readonly code: number
  }[]
}): () => string[] {
  const before = new Set(cluster.trace)
  return () =>
    cluster.trace
      .filter((entry) => !before.has(entry) && entry.code === 403)
      .map(({ method, path }) => `${method} ${path}`)
}
