import { testWorld, type TestWorld } from '@setpoint/cluster'
import { type InferManifest, rbacFor } from 'setpoint'
import { Deployment, NetworkPolicy, Pod } from 'setpoint/kinds'
import { expect, onTestFinished, test } from 'vitest'
import { FailureDrill } from './failure-drill.ts'
import drills from './operator.ts'
import { isolatedLabel } from './victims.ts'

type Spec = InferManifest<typeof FailureDrill>['spec']

async function drillWorld(readyAfter: number): Promise<TestWorld> {
  const operators = [drills]
  const world = await testWorld({ operators, rules: rbacFor(operators), seed: 4 })
  onTestFinished(() => world[Symbol.asyncDispose]())
  world.cluster.pods.behave({ labels: { app: 'web' } }, { readyAfter })
  const labels = { app: 'web' }
  await world.client.create(Deployment, {
    metadata: { name: 'web' },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'nginx' }] },
      },
    },
  })
  await world.host.sleep(readyAfter + 10_000)
  return world
}

async function drill(world: TestWorld, spec: Partial<Spec> = {}) {
  const manifest = { metadata: { name: 'd' }, spec: { selector: { app: 'web' }, ...spec } }
  await world.client.create(FailureDrill, manifest)
  return {
    state: async () => (await world.client.get(FailureDrill, 'd')).status?.runbooks?.drill,
    status: async () => (await world.client.get(FailureDrill, 'd')).status,
  }
}

const podNames = async ({ client }: TestWorld) =>
  (await client.listAll(Pod, { namespace: 'default' })).map(({ metadata }) => metadata.name)

test('a Deployment recovers from stopped pods, and the drill measures how long it takes', async () => {
  const world = await drillWorld(20_000)
  const before = await podNames(world)
  const { state, status } = await drill(world, { count: 2 })
  await world.host.sleep(10_000)
  expect(await state()).toMatchObject({
    state: 'Running',
    message: 'recover: 1 of 3 pods are ready',
  })
  await world.host.sleep(60_000)
  expect(await state()).toMatchObject({ state: 'Complete' })
  const { recoverySeconds = 0 } = (await status()) ?? {}
  expect(recoverySeconds).toBeGreaterThanOrEqual(20)
  expect(recoverySeconds).toBeLessThan(30)
  const after = await podNames(world)
  expect(after.filter((name) => before.includes(name))).toHaveLength(1)
})

test('a drill fails if the application does not recover in time', async () => {
  const world = await drillWorld(300_000)
  const { state } = await drill(world, { recoverWithin: '30s' })
  await world.host.sleep(60_000)
  expect(await state()).toMatchObject({
    state: 'Failed',
    message: 'recover: only 2 of 3 pods recovered in time',
  })
})

test('isolated pods are connected again', async () => {
  const world = await drillWorld(1000)
  const { state } = await drill(world, { action: 'isolate', isolateFor: '1m' })
  await world.host.sleep(30_000)
  const { client } = world
  const isolated = await client.listAll(Pod, { labelSelector: { [isolatedLabel]: 'd' } })
  expect(isolated).toHaveLength(1)
  expect(await client.get(NetworkPolicy, 'd')).toMatchObject({
    spec: { podSelector: { matchLabels: { [isolatedLabel]: 'd' } } },
  })
  await world.host.sleep(60_000)
  expect(await state()).toMatchObject({ state: 'Complete' })
  expect(await client.listAll(Pod, { labelSelector: { [isolatedLabel]: 'd' } })).toEqual([])
  expect(await client.listAll(NetworkPolicy, { namespace: 'default' })).toEqual([])
})

test('a drill does not begin while it would hit every pod', async () => {
  const world = await drillWorld(1000)
  const { state } = await drill(world, { count: 3 })
  await world.host.sleep(60_000)
  expect(await state()).toMatchObject({
    state: 'Running',
    message: 'steady: 1 ready pods are missing: one at least must stay',
  })
  expect(await podNames(world)).toHaveLength(3)
})
