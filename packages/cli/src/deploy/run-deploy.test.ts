import { expect, test } from 'vitest'
import { leaseName, start } from 'setpoint'
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

test('installs CRDs, leaves unchanged CRDs alone, and prints changed fields', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  expect(await world.call(installCommand)).toMatchObject({
    exitCode: 0,
    lines: [`create   CustomResourceDefinition ${crd}`, 'the CRDs are installed'],
  })
  const { metadata } = await world.client.get(CustomResourceDefinition, crd)
  expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'setpoint' })
  expect((await world.call(installCommand)).lines).toEqual([
    '1 object is unchanged',
    'the CRDs are installed',
  ])
  expect((await world.client.get(CustomResourceDefinition, crd)).metadata.resourceVersion).toBe(
    metadata.resourceVersion,
  )
  expect((await world.call(installCommand, 'next-operators.mjs')).lines).toEqual([
    `change   CustomResourceDefinition ${crd}`,
    '           spec.versions[v1].schema.openAPIV3Schema.properties.spec.properties.port: (none) -> {"type":"integer","format":"int32"}',
    'the CRDs are installed',
  ])
})

test('--dry-run prints the plan and writes nothing', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  const dry = await world.call(deployCommand, ...image, '--dry-run')
  expect(dry.lines).toHaveLength(11)
  expect(dry.notes).toEqual(['dry run: nothing was written'])
  expect(await world.client.find(CustomResourceDefinition, crd)).toBeUndefined()
  expect(await world.client.find(Namespace, 'shop-system')).toBeUndefined()
  const json = await world.call(installCommand, '--dry-run', '--json')
  expect(JSON.parse(json.lines.join('\n'))).toMatchObject({
    isDryRun: true,
    objects: [{ kind: 'CustomResourceDefinition', name: crd, action: 'create', differences: [] }],
  })
})

test('refuses a CRD without a version in which objects may be stored', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  await world.call(installCommand)
  const refused = await world.call(installCommand, 'renamed-operators.mjs')
  expect(refused).toMatchObject({
    exitCode: 1,
    error: `the CRD ${crd} in the cluster may have objects stored as v1, and the definition no longer has the version v1`,
  })
  expect(refused.hint).toMatch(/served: false.*storedVersions/)
})

test('deploys operators that work with exactly their permissions', async () => {
  await using world = await deployWorld()
  const deployed = await world.call(deployCommand, ...image, '--replicas', '2')
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
  const refused = refusals(world.cluster)
  const connection = await connectionOf(world, account)
  const election = { name: leaseName([application]), identity: 'pod-0' }
  const running = await start([application], { host: world.host, connection, election })
  await world.client.create(Application, { metadata: { name: 'web' }, spec: { image: 'nginx' } })
  await world.host.sleep(60_000)
  const web = await world.client.get(Application, 'web')
  expect(web.status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }])
  const lease = { namespace: account.namespace, name: election.name }
  expect((await world.client.get(Lease, lease)).spec.holderIdentity).toBe('pod-0')
  await world.client.delete(Application, 'web')
  await world.host.sleep(60_000)
  expect(await world.client.find(Application, 'web')).toBeUndefined()
  await running.stop()
  expect(refused()).toEqual([])
})

test('restricts permissions to the watched namespaces, even in an existing deployment', async () => {
  await using world = await deployWorld()
  for (const name of ['a', 'b']) await world.client.create(Namespace, { metadata: { name } })
  await world.call(deployCommand, ...image)
  await world.set({ watch: ['a'] })
  const narrowed = await world.call(deployCommand, ...image)
  expect(narrowed.lines).toEqual([
    'create   Role a/shop',
    'create   RoleBinding a/shop',
    'change   Role shop-system/shop-election',
    expect.stringContaining('rules: ') as string,
    'change   Deployment shop-system/shop',
    '           spec.template.spec.containers[operator].env[WATCH_NAMESPACES]: (none) -> {"name":"WATCH_NAMESPACES","value":"a"}',
    'delete   ClusterRoleBinding shop',
    'delete   ClusterRole shop',
    '7 objects are unchanged',
    'deployed: 1 of 1 replica available',
  ])
  const refused = refusals(world.cluster)
  const connection = await connectionOf(world, account)
  const namespaces = ['a']
  const election = { name: leaseName([application], namespaces) }
  const options = { host: world.host, connection, election, namespaces }
  const running = await start([application], options)
  const spec = { image: 'nginx' }
  for (const namespace of ['a', 'b']) {
    await world.client.create(Application, { metadata: { name: 'web', namespace }, spec })
  }
  await world.host.sleep(60_000)
  const found = await world.client.listAll(Deployment)
  expect(found.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`)).toEqual([
    'a/web',
    'shop-system/shop',
  ])
  await running.stop()
  // CRDs are cluster-scoped: a restricted operator cannot compare the installed one.
  expect(refused()).toEqual([`GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd}`])
  const own = new Client(world.host, connection)
  await expect(own.listAll(Application)).rejects.toMatchObject({ code: 'API_FORBIDDEN' })
  await expect(own.get(Deployment, { namespace: 'b', name: 'web' })).rejects.toMatchObject({
    code: 'API_FORBIDDEN',
  })
})

test('refuses a watched namespace that does not exist, before the first write', async () => {
  await using world = await deployWorld({ workloads: 'off', settings: { watch: ['nowhere'] } })
  expect(await world.call(deployCommand, ...image)).toMatchObject({
    exitCode: 1,
    error: 'there is no namespace nowhere for Role shop',
    hint: expect.stringContaining('kubectl create namespace nowhere') as string,
  })
  expect(await world.client.find(CustomResourceDefinition, crd)).toBeUndefined()
})

test('fails with the reason when pods do not become ready', async () => {
  await using world = await deployWorld()
  world.cluster.pods.behave('missing*', { pullError: 'not found' })
  const failed = await world.call(deployCommand, '--image', 'missing:1', '--timeout', '30s')
  expect(failed.exitCode).toBe(1)
  expect(failed.error).toMatch(
    /^the operators are not running: 0 of 1 updated replica available\n {2}pod shop-\S+: .*ImagePull/,
  )
  world.cluster.pods.behave('crashing*', { exits: { code: 1 }, logs: ['cannot start: no rights'] })
  const crashed = await world.call(deployCommand, '--image', 'crashing:1', '--timeout', '30s')
  expect(crashed.error).toContain('CrashLoopBackOff')
  expect(crashed.error).toContain('log: cannot start: no rights')
  expect(crashed.notes.length).toBeGreaterThan(0)
  expect(await world.call(deployCommand, '--image', 'crashing:1', '--no-wait')).toMatchObject({
    exitCode: 0,
  })
})

test('names the owners of conflicting fields, and overwrites them only with --force-conflicts', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  await world.call(deployCommand, ...image, '--no-wait')
  const scaled = { metadata: account, spec: { replicas: 5 } }
  await world.client.apply(Deployment, scaled, { fieldManager: 'autoscaler', force: true })
  const conflict = await world.call(deployCommand, ...image, '--no-wait')
  expect(conflict).toMatchObject({
    exitCode: 1,
    error:
      'conflicts with other field managers:\n  Deployment shop-system/shop: spec.replicas is owned by autoscaler',
  })
  expect((await world.client.get(Deployment, account)).spec.replicas).toBe(5)
  const forced = await world.call(deployCommand, ...image, '--no-wait', '--force-conflicts')
  expect(forced.lines).toContain('           spec.replicas: 5 -> 1')
  expect((await world.client.get(Deployment, account)).spec.replicas).toBe(1)
})

test('deploys to an existing namespace without changing it', async () => {
  await using world = await deployWorld({ workloads: 'off', settings: { namespace: 'theirs' } })
  await world.client.create(Namespace, { metadata: { name: 'theirs' } })
  const { lines } = await world.call(deployCommand, ...image, '--no-wait')
  expect(lines).toContain('foreign  Namespace theirs (not created by setpoint: not changed)')
  const { labels = {} } = (await world.client.get(Namespace, 'theirs')).metadata
  expect(Object.keys(labels)).toEqual(['kubernetes.io/metadata.name'])
  // Cluster-scoped names contain the namespace, because a project may have several deployments.
  expect(await world.client.find(ClusterRole, 'shop-theirs')).toBeDefined()
  expect(await world.client.listAll(Role, { namespace: 'theirs' })).toHaveLength(1)
})

test('writes nothing to a remote cluster without a confirmation', async () => {
  await using world = await deployWorld({ workloads: 'off', hostname: '192.0.2.1' })
  const declined = await world.call(deployCommand, ...image, '--no-wait')
  expect(declined).toMatchObject({ exitCode: 3 })
  expect(declined.lines).toHaveLength(11)
  expect(await world.client.find(CustomResourceDefinition, crd)).toBeUndefined()
  expect(await world.call(deployCommand, ...image, '--no-wait', '--yes')).toMatchObject({
    exitCode: 0,
  })
  expect(await world.client.find(CustomResourceDefinition, crd)).toBeDefined()
})

test('refuses invalid options before the first request', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  const wrong = async (...words: string[]) => {
    const { exitCode, error } = await world.call(deployCommand, ...words)
    return [exitCode, error]
  }
  expect(await wrong()).toEqual([2, 'no image is set'])
  expect(await wrong(...image, '--replicas', 'two')).toEqual([
    2,
    '--replicas is "two", which is not a number of pods',
  ])
  expect(await wrong('--image', 'a b')).toEqual([2, '"a b" is not a valid image'])
  expect(await wrong(...image, '--namespace', 'Shop')).toEqual([
    2,
    'the namespace "Shop" is not a valid name',
  ])
  expect(await wrong(...image, '--timeout', 'soon')).toEqual([
    2,
    '--timeout is "soon", which is not a duration',
  ])
})

/** Returns the requests that are refused from now on. */
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

test('install refuses versions whose conversion is not served, and writes nothing', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  const refused = await world.call(installCommand, 'converted-operators.mjs')
  expect(refused).toMatchObject({
    exitCode: 1,
    error: expect.stringMatching(
      /^applications\.example\.com has the versions .*v1beta1/,
    ) as string,
    hint: expect.stringContaining('use `setpoint deploy`') as string,
  })
  expect(await world.client.find(CustomResourceDefinition, crd)).toBeUndefined()
})

test('keeps a conversion webhook that the author serves', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  await world.call(installCommand)
  const clientConfig = { url: 'https://convert.example.com/convert' }
  const webhook = { clientConfig, conversionReviewVersions: ['v1'] }
  await world.client.patch(CustomResourceDefinition, crd, {
    merge: { spec: { conversion: { strategy: 'Webhook', webhook } } },
  })
  expect(
    await world.call(installCommand, 'converted-operators.mjs', '--force-conflicts'),
  ).toMatchObject({
    exitCode: 0,
  })
  const { spec } = await world.client.get(CustomResourceDefinition, crd)
  expect(spec.conversion?.webhook?.clientConfig).toEqual(clientConfig)
})
