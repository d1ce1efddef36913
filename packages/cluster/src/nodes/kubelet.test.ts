import { Lease, Node, Pod } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { nodesWorld } from './testdata/nodes-world.ts'

test('schedules a pod, runs it and makes it ready', async () => {
  await using world = await nodesWorld()
  await world.create('web')
  const { spec, status } = await world.pod('web')
  expect(spec.nodeName).toBe('node-1')
  expect(Pod.isReady(await world.pod('web'))).toBe(true)
  expect(status).toMatchObject({ phase: 'Running', hostIP: '172.18.0.2', podIP: '10.244.0.2' })
  // The scheduler and the kubelet record their Events at the same time.
  const [first, second, ...events] = await world.events('web')
  expect([first, second].sort().concat(events)).toEqual([
    'Pulling: Pulling image "nginx"',
    'Scheduled: Successfully assigned default/web to node-1',
    'Pulled: Successfully pulled image "nginx" in 0s (0s including waiting). Image size: 10485760 bytes.',
    'Created: Container created',
    'Started: Container started',
  ])
  expect(world.writes()).toEqual([
    'create pods',
    'create pods/web/binding',
    'update pods/web/status',
  ])
})

test('writes only Leases in the steady state', async () => {
  await using world = await nodesWorld()
  await world.create('web')
  world.writes()
  await world.host.sleep(65_000)
  const writes = world.writes()
  expect(new Set(writes)).toEqual(
    new Set(['node-1', 'node-2'].map((name) => `patch namespaces/kube-node-lease/leases/${name}`)),
  )
  expect(writes).toHaveLength(12)
})

test('registers nodes as kubelets do', async () => {
  await using world = await nodesWorld({ count: 1, cpu: '4', labels: { disk: 'ssd' } })
  const node = await world.client.get(Node, 'node-1')
  expect(node.metadata.labels).toMatchObject({ disk: 'ssd', 'kubernetes.io/hostname': 'node-1' })
  expect(node.spec).toEqual({ podCIDR: '10.244.0.0/24', podCIDRs: ['10.244.0.0/24'] })
  expect(node.status?.allocatable).toMatchObject({ cpu: '4', memory: '16Gi', pods: '110' })
  expect(node.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
    'MemoryPressure=False',
    'DiskPressure=False',
    'PIDPressure=False',
    'Ready=True',
  ])
  const lease = await world.client.get(Lease, { namespace: 'kube-node-lease', name: 'node-1' })
  expect(lease.spec).toMatchObject({ holderIdentity: 'node-1', leaseDurationSeconds: 40 })
  expect(await world.events('node-1')).toEqual(
    expect.arrayContaining([
      'Starting: Starting kubelet.',
      'NodeHasSufficientMemory: Node node-1 status is now: NodeHasSufficientMemory',
      'RegisteredNode: Node node-1 event: Registered Node node-1 in Controller',
    ]),
  )
})

test('applies a changed behaviour immediately, even to running pods', async () => {
  await using world = await nodesWorld()
  await world.create('web')
  await world.create('db')
  const rule = world.pods.behave({ name: 'web' }, { neverReady: true })
  await world.host.settle()
  expect(Pod.progress(await world.pod('web'))).toBe('container app is running but not ready')
  expect(Pod.isReady(await world.pod('db'))).toBe(true)
  rule[Symbol.dispose]()
  await world.host.settle()
  expect(Pod.isReady(await world.pod('web'))).toBe(true)
})

test('reads the behaviour from an annotation, and reports invalid JSON in the container status', async () => {
  await using world = await nodesWorld()
  const annotated = (text: string): { metadata: Partial<Pod['metadata']> } => ({
    metadata: { annotations: { 'setpoint.dev/pod-behaviour': text } },
  })
  await world.create('slow', annotated('{"readyAfter": 5000}'))
  await world.create('bad', annotated('{'))
  expect(Pod.isReady(await world.pod('slow'))).toBe(false)
  const { containerStatuses } = (await world.pod('bad')).status ?? {}
  expect(containerStatuses?.[0]?.state?.waiting?.message).toContain('is invalid: ')
  await world.host.sleep(5001)
  expect(Pod.isReady(await world.pod('slow'))).toBe(true)
})

test('continues a crash loop after the kubelet restarts', async () => {
  await using world = await nodesWorld()
  world.pods.behave('nginx', { exits: { code: 1 } })
  await world.create('web')
  await world.host.sleep(12_000)
  await world.restart()
  const restarts = async (): Promise<number | undefined> =>
    (await world.pod('web')).status?.containerStatuses?.[0]?.restartCount
  expect(await restarts()).toBe(2)
  await world.host.sleep(17_000)
  expect(await restarts()).toBe(2)
  await world.host.sleep(2_000)
  expect(await restarts()).toBe(3)
})

test('stops a deleted pod in its time and removes it', async () => {
  await using world = await nodesWorld()
  world.pods.behave('nginx', { terminationTime: 4000 })
  await world.create('web')
  await world.client.delete(Pod, 'web')
  await world.host.sleep(3000)
  expect((await world.pod('web')).status?.phase).toBe('Running')
  world.writes()
  await world.host.sleep(2000)
  expect(await world.client.find(Pod, 'web')).toBeUndefined()
  expect(world.writes().filter((write) => write.includes('pods'))).toEqual([
    'update pods/web/status',
    'delete pods/web',
  ])
  expect((await world.events('web')).at(-1)).toBe('Killing: Stopping container app')
})

test('assigns unique pod addresses, keeps them over a restart and reuses them', async () => {
  await using world = await nodesWorld(1)
  for (const name of ['a', 'b', 'c']) await world.create(name)
  await world.client.delete(Pod, 'b')
  await world.host.settle()
  await world.restart()
  for (const name of ['d', 'e']) await world.create(name)
  const pods = await world.client.listAll(Pod)
  expect(pods.map(({ metadata, status }) => `${metadata.name} ${status?.podIP}`)).toEqual([
    'a 10.244.0.2',
    'c 10.244.0.4',
    'd 10.244.0.3',
    'e 10.244.0.5',
  ])
})
