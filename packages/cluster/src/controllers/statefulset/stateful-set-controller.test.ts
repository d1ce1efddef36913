import { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from 'setpoint/kinds'
import type { StatefulSetSpec } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { controllerWorld, type ControllerWorld } from '../testdata/controller-world.ts'
import { statefulSetController } from './index.ts'

const labels = { app: 'db' }
const spec = (image: string): StatefulSetSpec => ({
  replicas: 3,
  serviceName: 'dbs',
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
})

async function setWorld(further: Partial<StatefulSetSpec> = {}): Promise<ControllerWorld> {
  const world = await controllerWorld(statefulSetController)
  await world.client.create(StatefulSet, {
    metadata: { name: 'db' },
    spec: { ...spec('db:1'), ...further },
  })
  await world.host.sleep(1_000)
  return world
}

const statusNow = async (world: ControllerWorld) =>
  (await world.client.get(StatefulSet, 'db')).status ?? { replicas: 0 }

async function become(
  world: ControllerWorld,
  name: string,
  status: 'True' | 'False',
): Promise<void> {
  const pod = await world.client.get(Pod, name)
  const lastTransitionTime = `${new Date(world.host.now()).toISOString().slice(0, 19)}Z`
  await world.move(pod, {
    phase: 'Running',
    conditions: [{ type: 'Ready', status, lastTransitionTime }],
  })
  await world.host.sleep(1_000)
}

/** Makes all pods ready until no pod is pending. */
async function settle(world: ControllerWorld): Promise<void> {
  for (let count = 0; count < 10; count += 1) {
    const pods = await world.pods()
    const pending = pods.filter(({ status }) => status?.phase === 'Pending')
    if (pending.length === 0) return
    for (const { metadata } of pending) await become(world, metadata.name, 'True')
  }
}

async function images(world: ControllerWorld): Promise<string[]> {
  return (await world.pods()).map(
    ({ metadata, spec: { containers } }) => `${metadata.name} ${containers[0]?.image}`,
  )
}

const update = async (world: ControllerWorld, merge: object): Promise<void> => {
  await world.client.patch(StatefulSet, 'db', { merge: { spec: merge } })
  await world.host.sleep(1_000)
}
const newImage = (image: string) => ({ template: spec(image).template })

test('creates each pod after the previous one is ready', async () => {
  await using world = await setWorld()
  expect(await images(world)).toEqual(['db-0 db:1'])
  await become(world, 'db-0', 'True')
  expect(await images(world)).toEqual(['db-0 db:1', 'db-1 db:1'])
  await settle(world)
  const { currentRevision, updateRevision, ...status } = await statusNow(world)
  expect(status).toEqual({
    replicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    currentReplicas: 3,
    updatedReplicas: 3,
    observedGeneration: 1,
    collisionCount: 0,
  })
  expect(currentRevision).toMatch(/^db-[a-z0-9]+$/)
  expect(updateRevision).toBe(currentRevision)
  expect(await world.events('StatefulSet')).toEqual([
    'SuccessfulCreate: Create Pod db-0 in StatefulSet db successful',
    'SuccessfulCreate: Create Pod db-1 in StatefulSet db successful',
    'SuccessfulCreate: Create Pod db-2 in StatefulSet db successful',
  ])
  world.writes()
  await world.host.sleep(3_600_000)
  expect(world.writes()).toEqual([])
})

test('creates all pods together with podManagementPolicy Parallel', async () => {
  await using world = await setWorld({ podManagementPolicy: 'Parallel', ordinals: { start: 5 } })
  expect(await images(world)).toEqual(['db-5 db:1', 'db-6 db:1', 'db-7 db:1'])
})

test('updates pods from the last to the first, each after the previous one is ready', async () => {
  await using world = await setWorld()
  await settle(world)
  await update(world, newImage('db:2'))
  expect(await images(world)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 db:2'])
  expect(await statusNow(world)).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 })
  await become(world, 'db-2', 'True')
  expect(await images(world)).toEqual(['db-0 db:1', 'db-1 db:2', 'db-2 db:2'])
  await settle(world)
  expect(await images(world)).toEqual(['db-0 db:2', 'db-1 db:2', 'db-2 db:2'])
  const { currentRevision, updateRevision } = await statusNow(world)
  expect(currentRevision).toBe(updateRevision)
})

test('stays stuck on a broken revision after the template is fixed, until its pod is deleted', async () => {
  await using world = await setWorld()
  await settle(world)
  await update(world, newImage('broken'))
  await update(world, newImage('db:3'))
  expect(await images(world)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 broken'])
  await world.client.delete(Pod, 'db-2')
  await world.host.sleep(1_000)
  expect(await images(world)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 db:3'])
})

test('keeps the revision of pods below the partition, even when they are recreated', async () => {
  await using world = await setWorld({
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
  })
  await settle(world)
  await update(world, newImage('db:2'))
  await settle(world)
  expect(await images(world)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 db:2'])
  await world.client.delete(Pod, 'db-0')
  await world.host.sleep(1_000)
  expect(await images(world)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 db:2'])
})

test('updates a pod with OnDelete when a user deletes it', async () => {
  await using world = await setWorld({ updateStrategy: { type: 'OnDelete' } })
  await settle(world)
  await update(world, newImage('db:2'))
  expect(await images(world)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 db:1'])
  await world.client.delete(Pod, 'db-1')
  await world.host.sleep(1_000)
  expect(await images(world)).toEqual(['db-0 db:1', 'db-1 db:2', 'db-2 db:1'])
})

test('reuses the revision of an old template with a new number', async () => {
  await using world = await setWorld({ podManagementPolicy: 'Parallel' })
  await settle(world)
  const { currentRevision: first } = await statusNow(world)
  await update(world, newImage('db:2'))
  await settle(world)
  await update(world, newImage('db:1'))
  await settle(world)
  expect((await statusNow(world)).currentRevision).toBe(first)
  const revisions = await world.client.listAll(ControllerRevision)
  expect(revisions.map(({ revision }) => revision).toSorted()).toEqual([2, 3])
})

test('scales down from the last pod, and waits until all pods are ready', async () => {
  await using world = await setWorld()
  await settle(world)
  await become(world, 'db-0', 'False')
  await update(world, { replicas: 1 })
  expect(await images(world)).toHaveLength(3)
  await become(world, 'db-0', 'True')
  expect(await images(world)).toEqual(['db-0 db:1'])
  expect((await world.events('StatefulSet')).slice(-2)).toEqual([
    'SuccessfulDelete: Delete Pod db-2 in StatefulSet db successful',
    'SuccessfulDelete: Delete Pod db-1 in StatefulSet db successful',
  ])
})

test('recreates a failed pod with the same name', async () => {
  await using world = await setWorld()
  const pod = await world.client.get(Pod, 'db-0')
  await world.move(pod, { phase: 'Failed' })
  await world.host.sleep(1_000)
  const again = await world.client.get(Pod, 'db-0')
  expect(again.metadata.uid).not.toBe(pod.metadata.uid)
})

test('creates the next pod after minReadySeconds', async () => {
  await using world = await setWorld({ minReadySeconds: 30 })
  await become(world, 'db-0', 'True')
  expect(await statusNow(world)).toMatchObject({ readyReplicas: 1, availableReplicas: 0 })
  expect(await images(world)).toHaveLength(1)
  await world.host.sleep(31_000)
  expect(await statusNow(world)).toMatchObject({ availableReplicas: 1 })
  expect(await images(world)).toHaveLength(2)
})

test('creates claims before their pod without an owner, and adds the set as the owner on request', async () => {
  const claims = [
    {
      apiVersion: 'v1' as const,
      kind: 'PersistentVolumeClaim' as const,
      metadata: { name: 'data' },
      spec: {
        accessModes: ['ReadWriteOnce' as const],
        resources: { requests: { storage: '1Gi' } },
      },
    },
  ]
  await using world = await setWorld({ replicas: 1, volumeClaimTemplates: claims })
  const claim = await world.client.get(PersistentVolumeClaim, 'data-db-0')
  expect(claim.metadata.labels).toEqual(labels)
  expect(claim.metadata.ownerReferences).toBeUndefined()
  expect(await world.events('StatefulSet')).toEqual([
    'SuccessfulCreate: Create Claim data-db-0 Pod db-0 in StatefulSet db success',
    'SuccessfulCreate: Create Pod db-0 in StatefulSet db successful',
  ])
  await update(world, { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } })
  const { metadata } = await world.client.get(PersistentVolumeClaim, 'data-db-0')
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'StatefulSet', controller: true }])
})

test('adopts a pod of the right name without a controller and adds its labels', async () => {
  await using world = await controllerWorld(statefulSetController)
  const { template } = spec('db:0')
  await world.client.create(Pod, {
    metadata: { name: 'db-0', labels },
    spec: template.spec ?? { containers: [] },
  })
  await world.client.create(StatefulSet, { metadata: { name: 'db' }, spec: spec('db:1') })
  await world.host.sleep(1_000)
  await become(world, 'db-0', 'True')
  const { metadata } = await world.client.get(Pod, 'db-0')
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'StatefulSet', name: 'db' }])
  expect(metadata.labels).toMatchObject({ 'statefulset.kubernetes.io/pod-name': 'db-0' })
})
