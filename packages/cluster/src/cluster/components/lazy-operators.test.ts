import { virtualHost } from 'setpoint/host'
import {
  ConfigMap,
  CronJob,
  Deployment,
  Job,
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  ReplicaSet,
  ServiceAccount,
} from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { type Cluster, type ClusterOptions, createCluster } from '../index.ts'

async function openWorld(options: ClusterOptions & { readonly seed?: string } = {}) {
  const { seed = '1', ...given } = options
  const host = virtualHost({ seed })
  const cluster = await createCluster({ host, ...given })
  const dispose = async (): Promise<void> => cluster.dispose().then(() => host.stop())
  return { host, cluster, client: cluster.client, [Symbol.asyncDispose]: dispose }
}

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'web' }] },
}

const deployment = {
  metadata: { name: 'web' },
  spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template },
}

/** The kinds that components watch. */
function watched({ trace }: Cluster): string[] {
  const paths = trace.filter(({ verb }) => verb === 'watch').map(({ path }) => path)
  return [...new Set(paths.map((path) => path.split('?')[0]?.split('/').at(-1) ?? ''))].sort()
}

function writes({ trace }: Cluster): string[] {
  return trace
    .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
    .map(({ user, verb, path }) => `${user} ${verb} ${path}`)
}

/** A snapshot with a Deployment that is ready. */
async function readySnapshot() {
  await using world = await openWorld()
  await world.client.create(Deployment, deployment)
  await world.cluster.settle()
  await world.host.sleep(60_000)
  return world.cluster.snapshot()
}

test('a fresh cluster without nodes watches nothing and writes nothing', async () => {
  await using world = await openWorld({ nodes: 'off' })
  await world.cluster.settle()
  await world.host.sleep(600_000)
  expect(watched(world.cluster)).toEqual([])
  expect(writes(world.cluster)).toEqual([])
})

test('all controllers of a fresh cluster have nothing to do', async () => {
  await using first = await openWorld({ nodes: 'off' })
  const { settled: _, ...snapshot } = first.cluster.snapshot()
  // Without knowing that, they start and read all objects.
  await using world = await openWorld({ nodes: 'off', snapshot })
  await world.cluster.settle()
  await world.host.sleep(600_000)
  expect(watched(world.cluster)).toContain('clusterroles')
  expect(writes(world.cluster)).toEqual([])
})

test('a controller starts with the first object of its kind', async () => {
  await using world = await openWorld()
  await world.cluster.settle()
  expect(watched(world.cluster)).not.toContain('cronjobs')
  const jobTemplate = {
    spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' as const } } },
  }
  const spec = { schedule: '* * * * *', jobTemplate }
  await world.client.create(CronJob, { metadata: { name: 'often' }, spec })
  await world.host.sleep(200_000)
  expect(watched(world.cluster)).toContain('cronjobs')
  expect((await world.client.listAll(Job)).length).toBe(3)
})

const podNamed = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { ...template.spec, ...spec },
})

test('a controller of special pods starts with the first such pod', async () => {
  await using world = await openWorld()
  await world.client.create(Pod, podNamed('plain'))
  await world.host.sleep(60_000)
  expect(watched(world.cluster)).not.toContain('jobs')
  const claimTemplate = {
    spec: {
      accessModes: ['ReadWriteOnce' as const],
      resources: { requests: { storage: '1Gi' } },
    },
  }
  const ephemeral = { volumeClaimTemplate: claimTemplate }
  await world.client.create(Pod, podNamed('special', { volumes: [{ name: 'data', ephemeral }] }))
  await world.host.sleep(60_000)
  expect(await world.client.find(PersistentVolumeClaim, 'special-data')).toBeDefined()
})

test('pods are evicted from a node with a new NoExecute taint, and replaced', async () => {
  await using world = await openWorld({ nodes: 2 })
  await world.client.create(Deployment, deployment)
  await world.host.sleep(60_000)
  const [pod] = await world.client.listAll(Pod)
  const taints = [{ key: 'maintenance', effect: 'NoExecute' as const }]
  const node = pod?.spec.nodeName ?? ''
  await world.client.patch(Node, node, { merge: { spec: { taints } } })
  await world.host.sleep(120_000)
  const [next, ...others] = await world.client.listAll(Pod)
  expect(others).toEqual([])
  expect(next?.spec.nodeName).not.toBe(node)
})

test('pods whose node is deleted, and pods of a node that never existed, are deleted', async () => {
  await using world = await openWorld({ nodes: 2 })
  await world.client.create(Pod, podNamed('bound'))
  await world.host.sleep(30_000)
  const { spec } = await world.client.get(Pod, 'bound')
  await world.client.delete(Node, spec.nodeName ?? '')
  await world.client.create(Pod, podNamed('lost', { nodeName: 'never' }))
  await world.host.sleep(120_000)
  expect(await world.client.listAll(Pod)).toEqual([])
})

test('an object that another controller creates is seen in the same instant', async () => {
  await using world = await openWorld({ nodes: 'off' })
  await world.client.create(Deployment, deployment)
  const beforeMs = world.host.now()
  await world.host.settle()
  expect(await world.client.listAll(ReplicaSet)).toHaveLength(1)
  expect(await world.client.listAll(Pod)).toHaveLength(1)
  expect(world.host.now()).toBe(beforeMs)
})

test('a namespace has its defaults after it was created, and none of its own after its end', async () => {
  await using world = await openWorld({ nodes: 'off' })
  await world.client.create(Namespace, { metadata: { name: 'team' } })
  await world.cluster.settle()
  const place = { name: 'default', namespace: 'team' }
  expect(await world.client.find(ServiceAccount, place)).toBeDefined()
  await world.client.delete(Namespace, 'team')
  await world.cluster.settle()
  expect(await world.client.find(Namespace, 'team')).toBeUndefined()
})

test('controllers without work start with the next write in a restored cluster', async () => {
  const snapshot = await readySnapshot()
  await using world = await openWorld({ snapshot, seed: '2' })
  await world.cluster.settle()
  expect(watched(world.cluster)).not.toContain('deployments')
  await world.client.patch(Deployment, 'web', { merge: { spec: { replicas: 2 } } })
  await world.cluster.settle()
  await world.host.sleep(60_000)
  const { status } = await world.client.get(Deployment, 'web')
  expect(status).toMatchObject({ replicas: 2, readyReplicas: 2 })
  expect(watched(world.cluster)).not.toContain('cronjobs')
})

test('a pod that is deleted first in a restored cluster is replaced', async () => {
  const snapshot = await readySnapshot()
  await using world = await openWorld({ snapshot, seed: '2' })
  const [pod] = await world.client.listAll(Pod)
  await world.client.delete(Pod, pod?.metadata ?? '')
  await world.host.sleep(60_000)
  const [next, ...others] = await world.client.listAll(Pod)
  expect(others).toEqual([])
  expect(next?.metadata.uid).not.toBe(pod?.metadata.uid)
  expect(next?.status?.phase).toBe('Running')
})

test.each(['Background', 'Foreground'] as const)(
  '%s deletion in a restored cluster removes the dependents',
  async (propagation) => {
    const snapshot = await readySnapshot()
    await using world = await openWorld({ snapshot, seed: '2' })
    await world.client.delete(Deployment, 'web', { propagation })
    await world.host.sleep(120_000)
    expect(await world.client.listAll(Deployment)).toEqual([])
    expect(await world.client.listAll(ReplicaSet)).toEqual([])
    expect(await world.client.listAll(Pod)).toEqual([])
  },
)

test('a dependent of an owner that does not exist is deleted in a restored cluster', async () => {
  const snapshot = await readySnapshot()
  await using world = await openWorld({ snapshot, seed: '2' })
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'gone' }
  await world.client.create(ConfigMap, { metadata: { name: 'a', ownerReferences: [owner] } })
  await world.host.sleep(60_000)
  expect(await world.client.find(ConfigMap, 'a')).toBeUndefined()
})

test('a behaviour that changes in a restored cluster affects its pods', async () => {
  const snapshot = await readySnapshot()
  await using world = await openWorld({ snapshot, seed: '2' })
  world.cluster.pods.behave('web', { exits: { code: 1 } })
  await world.host.sleep(60_000)
  const [pod] = await world.client.listAll(Pod)
  expect(pod?.status?.containerStatuses?.[0]?.restartCount).toBeGreaterThan(0)
})

test('a snapshot names the controllers that neither work nor wait for a time', async () => {
  await using world = await openWorld()
  await world.client.create(Deployment, deployment)
  await world.cluster.settle()
  await world.host.sleep(60_000)
  const { settled } = world.cluster.snapshot()
  expect(settled).toContain('deployment-controller')
  expect(settled).not.toContain('node-controller')
})

test('a restored cluster keeps its certificate authority, unless it is not valid yet', async () => {
  await using first = await openWorld()
  const snapshot = first.cluster.snapshot()
  await using second = await openWorld({ snapshot, seed: '2' })
  expect(second.cluster.caCert).toBe(first.cluster.caCert)
  const host = virtualHost({ seed: '3', startTime: Date.UTC(2026, 0, 1) })
  await using early = await createCluster({ host, snapshot })
  await early.settle()
  expect(early.caCert).not.toBe(first.cluster.caCert)
  const published = await early.client.get(ConfigMap, 'kube-root-ca.crt')
  expect(published.data?.['ca.crt']).toBe(early.caCert)
  await early.dispose()
  host.stop()
})

test('worlds from one snapshot with one seed are equal', async () => {
  const snapshot = await readySnapshot()
  const states = [0, 1].map(async () => {
    await using world = await openWorld({ snapshot, seed: 'same' })
    await world.client.patch(Deployment, 'web', { merge: { spec: { replicas: 3 } } })
    await world.host.sleep(120_000)
    const nodes = await world.client.listAll(Node)
    return { nodes, trace: world.cluster.trace, snapshot: world.cluster.snapshot() }
  })
  expect(await states[0]).toEqual(await states[1])
})
