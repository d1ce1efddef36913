import { expect, test } from 'vitest'
import { CustomResourceDefinition, Pod, PodDisruptionBudget } from 'setpoint/kinds'
import { controllerWorld, type ControllerWorld } from '../testdata/controller-world.ts'
import { disruptionController, disruptionTargetController } from './index.ts'

const labels = { app: 'web' }

async function budgetWorld(spec: PodDisruptionBudget['spec']): Promise<ControllerWorld> {
  const world = await controllerWorld(disruptionController, disruptionTargetController)
  await world.client.create(PodDisruptionBudget, {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: labels }, ...spec },
  })
  return world
}

/** Creates a ready pod, optionally with an owner. */
async function addPod(world: ControllerWorld, name: string, owner?: object): Promise<Pod> {
  const pod = await world.client.create(Pod, {
    metadata: { name, labels, ...(owner && { ownerReferences: [owner as never] }) },
    spec: { containers: [{ name: 'main', image: 'web' }] },
  })
  const conditions = [{ type: 'Ready', status: 'True' } as const]
  await world.move(pod, { phase: 'Running', conditions })
  await world.host.sleep(500)
  return pod
}

const statusNow = async ({ client }: ControllerWorld) =>
  (await client.get(PodDisruptionBudget, 'web')).status ?? {}

test('counts pods, and writes nothing in the steady state', async () => {
  await using world = await budgetWorld({ minAvailable: 1 })
  for (const name of ['a', 'b']) await addPod(world, name)
  expect(await statusNow(world)).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 })
  world.writes()
  await world.host.sleep(3_600_000)
  expect(world.writes()).toEqual([])
})

test('allows an eviction, and refuses the next one with the reason', async () => {
  await using world = await budgetWorld({ minAvailable: 1 })
  for (const name of ['a', 'b']) await addPod(world, name)
  await world.client.evict('a')
  await world.host.sleep(500)
  expect(await statusNow(world)).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 0 })
  await expect(world.client.evict('b')).rejects.toMatchObject({
    status: {
      code: 429,
      details: {
        causes: [{ message: 'The disruption budget web needs 1 healthy pods and has 1 currently' }],
      },
    },
  })
})

test('counts an evicted pod as healthy again if it is not deleted within two minutes', async () => {
  await using world = await budgetWorld({ minAvailable: 1 })
  for (const name of ['a', 'b']) await addPod(world, name)
  const status = await statusNow(world)
  const since = new Date(world.host.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const merge = { status: { ...status, disruptionsAllowed: 0, disruptedPods: { a: since } } }
  await world.client.patch(PodDisruptionBudget, 'web', { merge, subresource: 'status' })
  await world.host.sleep(60_000)
  expect(await statusNow(world)).toMatchObject({ currentHealthy: 1, disruptedPods: { a: since } })
  await world.host.sleep(61_000)
  expect(await statusNow(world)).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 })
  expect(await world.events('Pod')).toEqual([
    "NotDeleted: Pod was expected by PDB default/default to be deleted but it wasn't",
  ])
})

test('resets a DisruptionTarget condition after two minutes without a deletion', async () => {
  await using world = await budgetWorld({ minAvailable: 1 })
  const pod = await addPod(world, 'a')
  const lastTransitionTime = new Date(world.host.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const existing = {
    reason: 'PreemptionByScheduler',
    message: 'room is needed',
    lastTransitionTime,
  }
  await world.move(pod, { conditions: [{ type: 'DisruptionTarget', status: 'True', ...existing }] })
  await world.host.sleep(119_000)
  expect((await world.client.get(Pod, 'a')).status?.conditions).toMatchObject([{ status: 'True' }])
  await world.host.sleep(2_000)
  const { status } = await world.client.get(Pod, 'a')
  expect(status?.conditions).toMatchObject([
    { type: 'DisruptionTarget', status: 'False', observedGeneration: 1 },
  ])
  expect(status?.conditions?.[0]).not.toHaveProperty('reason')
})

const machine = { apiVersion: 'example.com/v1', kind: 'Farm', scope: 'Namespaced', plural: 'farms' }
const Farm = { ...machine, group: 'example.com', version: 'v1', subresources: [] } as const

async function defineFarms({ client, host }: ControllerWorld, hasScale: boolean): Promise<string> {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
  await client.create(CustomResourceDefinition, {
    metadata: { name: 'farms.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Farm', plural: 'farms' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...(hasScale && { subresources: { scale } }),
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  })
  await host.sleep(1_000)
  const body = { metadata: { name: 'f' }, spec: { replicas: 4 } }
  const farm = (await client.create(Farm as never, body as never)) as { metadata: { uid: string } }
  return farm.metadata.uid
}

test('reads the replicas of custom controllers from their scale subresource', async () => {
  await using world = await budgetWorld({ maxUnavailable: 1 })
  const uid = await defineFarms(world, true)
  const { apiVersion, kind } = Farm
  await addPod(world, 'a', { apiVersion, kind, name: 'f', uid, controller: true })
  expect(await statusNow(world)).toMatchObject({ expectedPods: 4, desiredHealthy: 3 })
})

test('reports SyncFailed for a controller without a scale subresource', async () => {
  await using world = await budgetWorld({ maxUnavailable: 1 })
  const uid = await defineFarms(world, false)
  const { apiVersion, kind } = Farm
  await addPod(world, 'a', { apiVersion, kind, name: 'f', uid, controller: true })
  const message = 'farms.example.com does not implement the scale subresource'
  expect((await statusNow(world)).conditions).toMatchObject([{ reason: 'SyncFailed', message }])
})
