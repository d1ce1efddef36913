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
  const it = await controllerWorld(statefulSetController)
  await it.client.create(StatefulSet, {
    metadata: { name: 'db' },
    spec: { ...spec('db:1'), ...further },
  })
  await it.host.sleep(1_000)
  return it
}

const statusNow = async (it: ControllerWorld) =>
  (await it.client.get(StatefulSet, 'db')).status ?? { replicas: 0 }

async function become(it: ControllerWorld, name: string, status: 'True' | 'False'): Promise<void> {
  const pod = await it.client.get(Pod, name)
  const lastTransitionTime = `${new Date(it.host.now()).toISOString().slice(0, 19)}Z`
  await it.move(pod, {
    phase: 'Running',
    conditions: [{ type: 'Ready', status, lastTransitionTime }],
  })
  await it.host.sleep(1_000)
}

/** Makes all pods ready until no pod is pending. */
async function settle(it: ControllerWorld): Promise<void> {
  for (let count = 0; count < 10; count += 1) {
    const pods = await it.pods()
    const pending = pods.filter(({ status }) => status?.phase === 'Pending')
    if (pending.length === 0) return
    for (const { metadata } of pending) await become(it, metadata.name, 'True')
  }
}

async function images(it: ControllerWorld): Promise<string[]> {
  return (await it.pods()).map(
    ({ metadata, spec: { containers } }) => `${metadata.name} ${containers[0]?.image}`,
  )
}

const update = async (it: ControllerWorld, merge: object): Promise<void> => {
  await it.client.patch(StatefulSet, 'db', { merge: { spec: merge } })
  await it.host.sleep(1_000)
}
const newImage = (image: string) => ({ template: spec(image).template })

test('creates each pod after the previous one is ready', async () => {
  await using it = await setWorld()
  expect(await images(it)).toEqual(['db-0 db:1'])
  await become(it, 'db-0', 'True')
  expect(await images(it)).toEqual(['db-0 db:1', 'db-1 db:1'])
  await settle(it)
  const { currentRevision, updateRevision, ...status } = await statusNow(it)
  expect(status).toEqual({
    ...{ replicas: 3, readyReplicas: 3, availableReplicas: 3, currentReplicas: 3 },
    ...{ updatedReplicas: 3, observedGeneration: 1, collisionCount: 0 },
  })
  expect(currentRevision).toMatch(/^db-[a-z0-9]+$/)
  expect(updateRevision).toBe(currentRevision)
  expect(await it.events('StatefulSet')).toEqual([
    'SuccessfulCreate: Create Pod db-0 in StatefulSet db successful',
    'SuccessfulCreate: Create Pod db-1 in StatefulSet db successful',
    'SuccessfulCreate: Create Pod db-2 in StatefulSet db successful',
  ])
  it.writes()
  await it.host.sleep(3_600_000)
  expect(it.writes()).toEqual([])
})

test('creates all pods together with podManagementPolicy Parallel', async () => {
  await using it = await setWorld({ podManagementPolicy: 'Parallel', ordinals: { start: 5 } })
  expect(await images(it)).toEqual(['db-5 db:1', 'db-6 db:1', 'db-7 db:1'])
})

test('updates pods from the last to the first, each after the previous one is ready', async () => {
  await using it = await setWorld()
  await settle(it)
  await update(it, newImage('db:2'))
  expect(await images(it)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 db:2'])
  expect(await statusNow(it)).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 })
  await become(it, 'db-2', 'True')
  expect(await images(it)).toEqual(['db-0 db:1', 'db-1 db:2', 'db-2 db:2'])
  await settle(it)
  expect(await images(it)).toEqual(['db-0 db:2', 'db-1 db:2', 'db-2 db:2'])
  const { currentRevision, updateRevision } = await statusNow(it)
  expect(currentRevision).toBe(updateRevision)
})

test('stays stuck on a broken revision after the template is fixed, until its pod is deleted', async () => {
  await using it = await setWorld()
  await settle(it)
  await update(it, newImage('broken'))
  await update(it, newImage('db:3'))
  expect(await images(it)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 broken'])
  await it.client.delete(Pod, 'db-2')
  await it.host.sleep(1_000)
  expect(await images(it)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 db:3'])
})

test('keeps the revision of pods below the partition, also when they are recreated', async () => {
  await using it = await setWorld({
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
  })
  await settle(it)
  await update(it, newImage('db:2'))
  await settle(it)
  expect(await images(it)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 db:2'])
  await it.client.delete(Pod, 'db-0')
  await it.host.sleep(1_000)
  expect(await images(it)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 db:2'])
})

test('updates a pod with OnDelete when a user deletes it', async () => {
  await using it = await setWorld({ updateStrategy: { type: 'OnDelete' } })
  await settle(it)
  await update(it, newImage('db:2'))
  expect(await images(it)).toEqual(['db-0 db:1', 'db-1 db:1', 'db-2 db:1'])
  await it.client.delete(Pod, 'db-1')
  await it.host.sleep(1_000)
  expect(await images(it)).toEqual(['db-0 db:1', 'db-1 db:2', 'db-2 db:1'])
})

test('reuses the revision of an old template with a new number', async () => {
  await using it = await setWorld({ podManagementPolicy: 'Parallel' })
  await settle(it)
  const { currentRevision: first } = await statusNow(it)
  await update(it, newImage('db:2'))
  await settle(it)
  await update(it, newImage('db:1'))
  await settle(it)
  expect((await statusNow(it)).currentRevision).toBe(first)
  const revisions = await it.client.listAll(ControllerRevision)
  expect(revisions.map(({ revision }) => revision).toSorted()).toEqual([2, 3])
})

test('scales down from the last pod, and waits until all pods are ready', async () => {
  await using it = await setWorld()
  await settle(it)
  await become(it, 'db-0', 'False')
  await update(it, { replicas: 1 })
  expect(await images(it)).toHaveLength(3)
  await become(it, 'db-0', 'True')
  expect(await images(it)).toEqual(['db-0 db:1'])
  expect((await it.events('StatefulSet')).slice(-2)).toEqual([
    'SuccessfulDelete: Delete Pod db-2 in StatefulSet db successful',
    'SuccessfulDelete: Delete Pod db-1 in StatefulSet db successful',
  ])
})

test('recreates a failed pod with the same name', async () => {
  await using it = await setWorld()
  const pod = await it.client.get(Pod, 'db-0')
  await it.move(pod, { phase: 'Failed' })
  await it.host.sleep(1_000)
  const again = await it.client.get(Pod, 'db-0')
  expect(again.metadata.uid).not.toBe(pod.metadata.uid)
})

test('creates the next pod after minReadySeconds', async () => {
  await using it = await setWorld({ minReadySeconds: 30 })
  await become(it, 'db-0', 'True')
  expect(await statusNow(it)).toMatchObject({ readyReplicas: 1, availableReplicas: 0 })
  expect(await images(it)).toHaveLength(1)
  await it.host.sleep(31_000)
  expect(await statusNow(it)).toMatchObject({ availableReplicas: 1 })
  expect(await images(it)).toHaveLength(2)
})

test('creates claims before their pod without an owner, and adds the set as the owner on request', async () => {
  const claims = [
    {
      ...{ apiVersion: 'v1' as const, kind: 'PersistentVolumeClaim' as const },
      metadata: { name: 'data' },
      spec: {
        accessModes: ['ReadWriteOnce' as const],
        resources: { requests: { storage: '1Gi' } },
      },
    },
  ]
  await using it = await setWorld({ replicas: 1, volumeClaimTemplates: claims })
  const claim = await it.client.get(PersistentVolumeClaim, 'data-db-0')
  expect(claim.metadata.labels).toEqual(labels)
  expect(claim.metadata.ownerReferences).toBeUndefined()
  expect(await it.events('StatefulSet')).toEqual([
    'SuccessfulCreate: Create Claim data-db-0 Pod db-0 in StatefulSet db success',
    'SuccessfulCreate: Create Pod db-0 in StatefulSet db successful',
  ])
  await update(it, { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } })
  const { metadata } = await it.client.get(PersistentVolumeClaim, 'data-db-0')
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'StatefulSet', controller: true }])
})

test('adopts a pod of the right name without a controller and adds its labels', async () => {
  await using it = await controllerWorld(statefulSetController)
  const { template } = spec('db:0')
  await it.client.create(Pod, {
    metadata: { name: 'db-0', labels },
    spec: template.spec ?? { containers: [] },
  })
  await it.client.create(StatefulSet, { metadata: { name: 'db' }, spec: spec('db:1') })
  await it.host.sleep(1_000)
  await become(it, 'db-0', 'True')
  const { metadata } = await it.client.get(Pod, 'db-0')
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'StatefulSet', name: 'db' }])
  expect(metadata.labels).toMatchObject({ 'statefulset.kubernetes.io/pod-name': 'db-0' })
})
