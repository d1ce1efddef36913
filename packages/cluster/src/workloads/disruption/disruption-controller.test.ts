import { expect, test } from 'vitest'
import { CustomResourceDefinition, Pod, PodDisruptionBudget } from 'setpoint/kinds'
import { controllerWorld, type ControllerWorld } from '../testdata/controller-world.ts'
import { disruptionController, disruptionTargetController } from './index.ts'

const labels = { app: 'web' }

async function budgetWorld(spec: PodDisruptionBudget['spec']): Promise<ControllerWorld> {
  const it = await controllerWorld(disruptionController, disruptionTargetController)
  await it.client.create(PodDisruptionBudget, {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: labels }, ...spec },
  })
  return it
}

/** A ready pod; what owns it, if anything does. */
async function addPod(it: ControllerWorld, name: string, owner?: object): Promise<Pod> {
  const pod = await it.client.create(Pod, {
    metadata: { name, labels, ...(owner && { ownerReferences: [owner as never] }) },
    spec: { containers: [{ name: 'main', image: 'web' }] },
  })
  const conditions = [{ type: 'Ready', status: 'True' } as const]
  await it.move(pod, { phase: 'Running', conditions })
  await it.host.sleep(500)
  return pod
}

const statusNow = async ({ client }: ControllerWorld) =>
  (await client.get(PodDisruptionBudget, 'web')).status ?? {}

test('pods are counted, and then nothing more is written', async () => {
  await using it = await budgetWorld({ minAvailable: 1 })
  for (const name of ['a', 'b']) await addPod(it, name)
  expect(await statusNow(it)).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 })
  it.writes()
  await it.host.sleep(3_600_000)
  expect(it.writes()).toEqual([])
})

test('an eviction takes what is allowed, and the next one is refused with the reason', async () => {
  await using it = await budgetWorld({ minAvailable: 1 })
  for (const name of ['a', 'b']) await addPod(it, name)
  await it.client.evict('a')
  await it.host.sleep(500)
  expect(await statusNow(it)).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 0 })
  await expect(it.client.evict('b')).rejects.toMatchObject({
    status: {
      code: 429,
      details: {
        causes: [{ message: 'The disruption budget web needs 1 healthy pods and has 1 currently' }],
      },
    },
  })
})

test('a pod that was permitted to go and stays counts again after two minutes', async () => {
  await using it = await budgetWorld({ minAvailable: 1 })
  for (const name of ['a', 'b']) await addPod(it, name)
  const status = await statusNow(it)
  const since = new Date(it.host.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const merge = { status: { ...status, disruptionsAllowed: 0, disruptedPods: { a: since } } }
  await it.client.patch(PodDisruptionBudget, 'web', { merge, subresource: 'status' })
  await it.host.sleep(60_000)
  expect(await statusNow(it)).toMatchObject({ currentHealthy: 1, disruptedPods: { a: since } })
  await it.host.sleep(61_000)
  expect(await statusNow(it)).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 })
  expect(await it.events('Pod')).toEqual([
    "NotDeleted: Pod was expected by PDB default/default to be deleted but it wasn't",
  ])
})

test('the announcement of an end that does not come is taken back after two minutes', async () => {
  await using it = await budgetWorld({ minAvailable: 1 })
  const pod = await addPod(it, 'a')
  const lastTransitionTime = new Date(it.host.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const said = { reason: 'PreemptionByScheduler', message: 'room is needed', lastTransitionTime }
  await it.move(pod, { conditions: [{ type: 'DisruptionTarget', status: 'True', ...said }] })
  await it.host.sleep(119_000)
  expect((await it.client.get(Pod, 'a')).status?.conditions).toMatchObject([{ status: 'True' }])
  await it.host.sleep(2_000)
  const { status } = await it.client.get(Pod, 'a')
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
      ...{ group: 'example.com', scope: 'Namespaced', names: { kind: 'Farm', plural: 'farms' } },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
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

test('how many pods are wanted is asked of controllers of any kind that have a scale', async () => {
  await using it = await budgetWorld({ maxUnavailable: 1 })
  const uid = await defineFarms(it, true)
  const { apiVersion, kind } = Farm
  await addPod(it, 'a', { apiVersion, kind, name: 'f', uid, controller: true })
  expect(await statusNow(it)).toMatchObject({ expectedPods: 4, desiredHealthy: 3 })
})

test('a controller without a scale makes it impossible to count', async () => {
  await using it = await budgetWorld({ maxUnavailable: 1 })
  const uid = await defineFarms(it, false)
  const { apiVersion, kind } = Farm
  await addPod(it, 'a', { apiVersion, kind, name: 'f', uid, controller: true })
  const message = 'farms.example.com does not implement the scale subresource'
  expect((await statusNow(it)).conditions).toMatchObject([{ reason: 'SyncFailed', message }])
})
