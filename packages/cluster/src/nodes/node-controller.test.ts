import { testWorld, type TestWorld } from '@setpoint/cluster'
import { conditionOf, Event, Lease, Node, Pod } from 'setpoint/kinds'
import { expect, test } from 'vitest'

/** A whole cluster whose nodes are created by the test. */
async function startWorld(): Promise<TestWorld> {
  const world = await testWorld({ operators: [], seed: 3, nodes: 'off' })
  await world.settle()
  return world
}

const time = ({ host }: TestWorld): string => `${new Date(host.now()).toISOString().slice(0, 19)}Z`

async function addNode(world: TestWorld, name: string): Promise<void> {
  const labels = { 'kubernetes.io/os': 'linux' }
  await world.client.create(Node, { metadata: { name, labels } })
  await report(world, name)
}

async function report(world: TestWorld, name: string, is = 'True'): Promise<void> {
  const condition = {
    type: 'Ready',
    status: is,
    reason: 'Kubelet',
    message: 'posts',
    lastHeartbeatTime: time(world),
    lastTransitionTime: time(world),
  }
  const merge = { status: { conditions: [condition] } }
  await world.client.patch(Node, name, { merge, subresource: 'status' })
  await world.cluster.settle()
}

async function addPod(world: TestWorld, name: string, nodeName: string): Promise<void> {
  const spec = { nodeName, containers: [{ name: 'main', image: 'app' }] }
  await world.client.create(Pod, { metadata: { name }, spec })
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: time(world) }
  const merge = { status: { phase: 'Running', conditions: [ready] } }
  await world.client.patch(Pod, name, { merge, subresource: 'status' })
  await world.cluster.settle()
}

async function events({ client }: TestWorld, name: string): Promise<string[]> {
  return (await client.listAll(Event))
    .filter(({ involvedObject }) => involvedObject.name === name)
    .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`)
}

const taintsOf = async (world: TestWorld, name: string): Promise<string[]> =>
  ((await world.client.get(Node, name)).spec.taints ?? []).map(
    ({ key, effect }) => `${key}:${effect}`,
  )

const unreachable = ['NoSchedule', 'NoExecute'].map(
  (effect) => `node.kubernetes.io/unreachable:${effect}`,
)

test('sets a node without heartbeat to Unknown, and evicts its pods after five minutes', async () => {
  await using world = await startWorld()
  await addNode(world, 'silent')
  await addNode(world, 'alive')
  await addPod(world, 'web', 'silent')
  await world.host.sleep(30_000)
  await report(world, 'alive')
  await world.host.sleep(25_000)
  const lost = await world.client.get(Node, 'silent')
  expect(lost.metadata.labels).toMatchObject({ 'beta.kubernetes.io/os': 'linux' })
  expect(conditionOf(lost, 'Ready')).toMatchObject({
    status: 'Unknown',
    reason: 'NodeStatusUnknown',
    message: 'Kubelet stopped posting node status.',
  })
  expect(await taintsOf(world, 'silent')).toEqual(unreachable)
  expect(await taintsOf(world, 'alive')).toEqual([])
  expect(conditionOf(await world.client.get(Pod, 'web'), 'Ready')?.status).toBe('False')
  expect(await events(world, 'silent')).toEqual([
    'Normal RegisteredNode: Node silent event: Registered Node silent in Controller',
    'Normal NodeNotReady: Node silent status is now: NodeNotReady',
  ])
  expect(await events(world, 'web')).toEqual(['Warning NodeNotReady: Node is not ready'])
  for (let minute = 0; minute < 5; minute += 1) {
    expect((await world.client.get(Pod, 'web')).metadata.deletionTimestamp).toBeUndefined()
    await report(world, 'alive')
    await world.host.sleep(40_000)
    await report(world, 'alive')
    await world.host.sleep(20_000)
  }
  const web = await world.client.get(Pod, 'web')
  expect(web.metadata.deletionTimestamp).toBeDefined()
  expect(conditionOf(web, 'DisruptionTarget')?.reason).toBe('DeletionByTaintManager')
})

test('removes the taints of a node that reports again, and keeps its pods', async () => {
  await using world = await startWorld()
  await addNode(world, 'silent')
  await addNode(world, 'alive')
  await addPod(world, 'web', 'silent')
  await world.host.sleep(30_000)
  await report(world, 'alive')
  await world.host.sleep(25_000)
  await report(world, 'silent')
  expect(await taintsOf(world, 'silent')).toEqual([])
  expect(await events(world, 'web')).toEqual([
    'Warning NodeNotReady: Node is not ready',
    'Normal TaintManagerEviction: Cancelling deletion of Pod default/web',
  ])
  for (const name of ['silent', 'alive']) await world.client.delete(Node, name)
  await world.cluster.settle()
  expect(await events(world, 'alive')).toContain(
    'Normal RemovingNode: Node alive event: Removing Node alive from Controller',
  )
})

test('evicts no pods when no node is ready', async () => {
  await using world = await startWorld()
  await addNode(world, 'only')
  await addPod(world, 'web', 'only')
  await world.host.sleep(600_000)
  expect(await taintsOf(world, 'only')).toEqual(['node.kubernetes.io/unreachable:NoSchedule'])
  expect((await world.client.get(Pod, 'web')).metadata.deletionTimestamp).toBeUndefined()
})

test('keeps a node ready while its Lease is renewed', async () => {
  await using world = await startWorld()
  await addNode(world, 'leased')
  const metadata = { name: 'leased', namespace: 'kube-node-lease' }
  await world.client.create(Lease, { metadata, spec: { leaseDurationSeconds: 40 } })
  for (let beat = 0; beat < 10; beat += 1) {
    const renewTime = new Date(world.host.now()).toISOString().replace('Z', '000Z')
    await world.client.patch(Lease, metadata, { merge: { spec: { renewTime } } })
    await world.host.sleep(40_000)
  }
  expect(conditionOf(await world.client.get(Node, 'leased'), 'Ready')?.status).toBe('True')
  await world.host.sleep(20_000)
  expect(conditionOf(await world.client.get(Node, 'leased'), 'Ready')?.status).toBe('Unknown')
})

test('sets a node that never reported to Unknown after a minute', async () => {
  await using world = await startWorld()
  await world.client.create(Node, { metadata: { name: 'never' } })
  await world.host.sleep(59_000)
  expect((await world.client.get(Node, 'never')).status?.conditions).toBeUndefined()
  await world.host.sleep(2_000)
  const never = await world.client.get(Node, 'never')
  expect(conditionOf(never, 'Ready')?.reason).toBe('NodeStatusNeverUpdated')
})
