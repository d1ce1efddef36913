import { Node, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { nodesWorld } from '../testdata/nodes-world.ts'

const big = {
  metadata: {},
  spec: {
    containers: [{ name: 'app', image: 'nginx', resources: { requests: { cpu: '6' } } }],
  },
}

test('reports why a pod is unschedulable, and schedules it when resources become free', async () => {
  await using world = await nodesWorld({ count: 2, cpu: '8' })
  for (const name of ['a', 'b', 'c']) await world.create(name, big)
  const message =
    '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.'
  const waiting = await world.pod('c')
  expect(waiting.status?.conditions).toEqual([
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      observedGeneration: 1,
      lastProbeTime: null,
      lastTransitionTime: waiting.metadata.creationTimestamp,
    },
  ])
  expect(await world.events('c')).toEqual([`FailedScheduling: ${message}`])
  await world.client.delete(Pod, 'a')
  await world.host.settle()
  const placed = await world.pod('c')
  expect(placed.spec.nodeName).toBe('node-1')
  expect(Pod.isReady(placed)).toBe(true)
  const scheduled = placed.status?.conditions?.find(({ type }) => type === 'PodScheduled')
  expect(scheduled).toMatchObject({ status: 'True' })
  expect(scheduled).not.toHaveProperty('message')
})

test('waits for nodes, and for unschedulable nodes to become schedulable', async () => {
  await using world = await nodesWorld(1)
  await world.client.patch(Node, 'node-1', { merge: { spec: { unschedulable: true } } })
  await world.host.settle()
  const { taints } = (await world.client.get(Node, 'node-1')).spec
  expect(taints).toMatchObject([{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }])
  await world.create('web')
  expect((await world.pod('web')).spec.nodeName).toBeUndefined()
  await world.client.patch(Node, 'node-1', { merge: { spec: { unschedulable: null } } })
  await world.host.settle()
  expect((await world.pod('web')).spec.nodeName).toBe('node-1')
})

test('ignores pods with scheduling gates and of other schedulers', async () => {
  await using world = await nodesWorld()
  const containers = [{ name: 'app', image: 'nginx' }]
  await world.create('gated', {
    metadata: {},
    spec: { containers, schedulingGates: [{ name: 'example.com/a' }] },
  })
  await world.create('other', { metadata: {}, spec: { containers, schedulerName: 'mine' } })
  for (const name of ['gated', 'other']) {
    expect((await world.pod(name)).spec.nodeName).toBeUndefined()
  }
  await world.client.patch(Pod, 'gated', { merge: { spec: { schedulingGates: null } } })
  await world.host.settle()
  expect((await world.pod('gated')).spec.nodeName).toBe('node-1')
})

test('sets the selected node on a claim that waits for its first consumer, and waits for the volume', async () => {
  await using world = await nodesWorld()
  await world.client.create(StorageClass, {
    metadata: { name: 'wait' },
    provisioner: 'example.com/p',
    volumeBindingMode: 'WaitForFirstConsumer',
  })
  await world.client.create(PersistentVolumeClaim, {
    metadata: { name: 'data' },
    spec: {
      storageClassName: 'wait',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  })
  await world.create('db', {
    metadata: {},
    spec: {
      containers: [{ name: 'app', image: 'nginx' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  })
  const claim = await world.client.get(PersistentVolumeClaim, 'data')
  expect(claim.metadata.annotations).toEqual({ 'volume.kubernetes.io/selected-node': 'node-1' })
  const pod = await world.pod('db')
  expect([pod.spec.nodeName, pod.status?.conditions]).toEqual([undefined, undefined])
  await world.client.create(PersistentVolume, {
    metadata: { name: 'pv-1' },
    spec: {
      storageClassName: 'wait',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      hostPath: { path: '/data' },
    },
  })
  await world.client.patch(PersistentVolumeClaim, 'data', {
    merge: {
      metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { volumeName: 'pv-1' },
    },
  })
  await world.host.settle()
  expect(Pod.isReady(await world.pod('db'))).toBe(true)
  expect(world.writes().filter((write) => write.includes('binding'))).toHaveLength(1)
})

test('spreads pods evenly over equal nodes', async () => {
  await using world = await nodesWorld(3)
  for (let index = 0; index < 9; index += 1) await world.create(`web-${index}`)
  const pods = await world.client.listAll(Pod)
  const nodes = pods.map(({ spec }) => spec.nodeName).sort()
  const three = (name: string): string[] => [name, name, name]
  expect(nodes).toEqual([...three('node-1'), ...three('node-2'), ...three('node-3')])
})

test('binds an available volume to the claim', async () => {
  await using world = await nodesWorld()
  await world.client.create(StorageClass, {
    metadata: { name: 'local' },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  })
  const term = { key: 'kubernetes.io/hostname', operator: 'In' as const, values: ['node-2'] }
  const modes = { storageClassName: 'local', accessModes: ['ReadWriteOnce'] }
  await world.client.create(PersistentVolume, {
    metadata: { name: 'disk' },
    spec: {
      ...modes,
      capacity: { storage: '1Gi' },
      local: { path: '/disk' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [term] }] } },
    },
  } as never)
  const status = { phase: 'Available' }
  await world.client.patch(PersistentVolume, 'disk', { merge: { status }, subresource: 'status' })
  await world.client.create(PersistentVolumeClaim, {
    metadata: { name: 'data' },
    spec: { ...modes, resources: { requests: { storage: '1Gi' } } },
  } as never)
  await world.create('db', {
    metadata: {},
    spec: {
      containers: [{ name: 'app', image: 'nginx' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  })
  const volume = await world.client.get(PersistentVolume, 'disk')
  expect(volume.spec.claimRef).toMatchObject({ kind: 'PersistentVolumeClaim', name: 'data' })
  expect(volume.metadata.annotations).toEqual({ 'pv.kubernetes.io/bound-by-controller': 'yes' })
})
