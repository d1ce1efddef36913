import { createCluster, type Cluster } from '@setpoint/cluster'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost, type VirtualHost } from 'setpoint/host'
import { conditionOf, Event, Lease, Node, Pod } from 'setpoint/kinds'
import { expect, test } from 'vitest'

interface NodeWorld extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
}

/** A whole cluster, whose nodes are made by hand. */
async function world(): Promise<NodeWorld> {
  const host = virtualHost({ seed: 3 })
  const cluster = await createCluster({ host, nodes: 'off' })
  const client = new Client(host, await connectionFromKubeconfig(host, cluster.kubeconfig()))
  const dispose = async (): Promise<void> => cluster.dispose().then(() => host.stop())
  await cluster.settle()
  return { host, cluster, client, [Symbol.asyncDispose]: dispose }
}

const time = ({ host }: NodeWorld): string => `${new Date(host.now()).toISOString().slice(0, 19)}Z`

async function addNode(it: NodeWorld, name: string): Promise<void> {
  const labels = { 'kubernetes.io/os': 'linux' }
  await it.client.create(Node, { metadata: { name, labels } })
  await report(it, name)
}

async function report(it: NodeWorld, name: string, is = 'True'): Promise<void> {
  const condition = {
    ...{ type: 'Ready', status: is, reason: 'Kubelet', message: 'posts' },
    ...{ lastHeartbeatTime: time(it), lastTransitionTime: time(it) },
  }
  const merge = { status: { conditions: [condition] } }
  await it.client.patch(Node, name, { merge, subresource: 'status' })
  await it.cluster.settle()
}

async function addPod(it: NodeWorld, name: string, nodeName: string): Promise<void> {
  const spec = { nodeName, containers: [{ name: 'main', image: 'app' }] }
  await it.client.create(Pod, { metadata: { name }, spec })
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: time(it) }
  const merge = { status: { phase: 'Running', conditions: [ready] } }
  await it.client.patch(Pod, name, { merge, subresource: 'status' })
  await it.cluster.settle()
}

async function events({ client }: NodeWorld, name: string): Promise<string[]> {
  return (await client.listAll(Event))
    .filter(({ involvedObject }) => involvedObject.name === name)
    .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`)
}

const taintsOf = async (it: NodeWorld, name: string): Promise<string[]> =>
  ((await it.client.get(Node, name)).spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`)

const unreachable = ['NoSchedule', 'NoExecute'].map(
  (effect) => `node.kubernetes.io/unreachable:${effect}`,
)

test('a node that falls silent is lost, and its pods leave after five minutes', async () => {
  await using it = await world()
  await addNode(it, 'silent')
  await addNode(it, 'alive')
  await addPod(it, 'web', 'silent')
  await it.host.sleep(30_000)
  await report(it, 'alive')
  await it.host.sleep(25_000)
  const lost = await it.client.get(Node, 'silent')
  expect(lost.metadata.labels).toMatchObject({ 'beta.kubernetes.io/os': 'linux' })
  expect(conditionOf(lost, 'Ready')).toMatchObject({
    ...{ status: 'Unknown', reason: 'NodeStatusUnknown' },
    message: 'Kubelet stopped posting node status.',
  })
  expect(await taintsOf(it, 'silent')).toEqual(unreachable)
  expect(await taintsOf(it, 'alive')).toEqual([])
  expect(conditionOf(await it.client.get(Pod, 'web'), 'Ready')?.status).toBe('False')
  expect(await events(it, 'silent')).toEqual([
    'Normal RegisteredNode: Node silent event: Registered Node silent in Controller',
    'Normal NodeNotReady: Node silent status is now: NodeNotReady',
  ])
  expect(await events(it, 'web')).toEqual(['Warning NodeNotReady: Node is not ready'])
  for (let minute = 0; minute < 5; minute += 1) {
    expect((await it.client.get(Pod, 'web')).metadata.deletionTimestamp).toBeUndefined()
    await report(it, 'alive')
    await it.host.sleep(40_000)
    await report(it, 'alive')
    await it.host.sleep(20_000)
  }
  const web = await it.client.get(Pod, 'web')
  expect(web.metadata.deletionTimestamp).toBeDefined()
  expect(conditionOf(web, 'DisruptionTarget')?.reason).toBe('DeletionByTaintManager')
})

test('a node that is heard of again is free, and its pods stay', async () => {
  await using it = await world()
  await addNode(it, 'silent')
  await addNode(it, 'alive')
  await addPod(it, 'web', 'silent')
  await it.host.sleep(30_000)
  await report(it, 'alive')
  await it.host.sleep(25_000)
  await report(it, 'silent')
  expect(await taintsOf(it, 'silent')).toEqual([])
  expect(await events(it, 'web')).toEqual([
    'Warning NodeNotReady: Node is not ready',
    'Normal TaintManagerEviction: Cancelling deletion of Pod default/web',
  ])
  for (const name of ['silent', 'alive']) await it.client.delete(Node, name)
  await it.cluster.settle()
  expect(await events(it, 'alive')).toContain(
    'Normal RemovingNode: Node alive event: Removing Node alive from Controller',
  )
})

test('nobody is driven away where no node is left', async () => {
  await using it = await world()
  await addNode(it, 'only')
  await addPod(it, 'web', 'only')
  await it.host.sleep(600_000)
  expect(await taintsOf(it, 'only')).toEqual(['node.kubernetes.io/unreachable:NoSchedule'])
  expect((await it.client.get(Pod, 'web')).metadata.deletionTimestamp).toBeUndefined()
})

test('a node whose Lease is renewed stays', async () => {
  await using it = await world()
  await addNode(it, 'leased')
  const metadata = { name: 'leased', namespace: 'kube-node-lease' }
  await it.client.create(Lease, { metadata, spec: { leaseDurationSeconds: 40 } })
  for (let beat = 0; beat < 10; beat += 1) {
    const renewTime = new Date(it.host.now()).toISOString().replace('Z', '000Z')
    await it.client.patch(Lease, metadata, { merge: { spec: { renewTime } } })
    await it.host.sleep(40_000)
  }
  expect(conditionOf(await it.client.get(Node, 'leased'), 'Ready')?.status).toBe('True')
  await it.host.sleep(20_000)
  expect(conditionOf(await it.client.get(Node, 'leased'), 'Ready')?.status).toBe('Unknown')
})

test('a node that has never reported is lost after a minute', async () => {
  await using it = await world()
  await it.client.create(Node, { metadata: { name: 'never' } })
  await it.host.sleep(59_000)
  expect((await it.client.get(Node, 'never')).status?.conditions).toBeUndefined()
  await it.host.sleep(2_000)
  const never = await it.client.get(Node, 'never')
  expect(conditionOf(never, 'Ready')?.reason).toBe('NodeStatusNeverUpdated')
})
