import { isTerminating, Node, Pod, type Toleration } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { controllerWorld, type ControllerWorld } from '../testdata/controller-world.ts'
import { taintEvictionController } from './index.ts'

const maintenance = { key: 'maintenance', effect: 'NoExecute' as const }

async function startWorld(toleration?: Partial<Toleration>): Promise<ControllerWorld> {
  const world = await controllerWorld(taintEvictionController())
  await world.client.create(Node, { metadata: { name: 'a' } })
  const tolerations: Toleration[] =
    toleration === undefined ? [] : [{ ...maintenance, operator: 'Exists' as const, ...toleration }]
  const containers = [{ name: 'main', image: 'app' }]
  await world.client.create(Pod, {
    metadata: { name: 'web' },
    spec: { nodeName: 'a', tolerations, containers },
  })
  await world.host.settle()
  return world
}

async function taint({ client, host }: ControllerWorld, ...taints: object[]): Promise<void> {
  await client.patch(Node, 'a', { merge: { spec: { taints } } })
  await host.settle()
}

const isPodTerminating = async ({ client }: ControllerWorld): Promise<boolean> =>
  isTerminating(await client.get(Pod, 'web'))

const marked = 'TaintManagerEviction: Marking for deletion Pod default/web'
const cancelled = 'TaintManagerEviction: Cancelling deletion of Pod default/web'

test('evicts a pod without a matching toleration, once', async () => {
  await using world = await startWorld()
  await taint(world, maintenance)
  expect(await isPodTerminating(world)).toBe(true)
  await taint(world, maintenance, { key: 'more', effect: 'NoExecute' })
  expect(await world.events('Pod')).toEqual([marked])
})

test('evicts a pod after its tolerationSeconds, unless the taint is removed', async () => {
  await using world = await startWorld({ tolerationSeconds: 60 })
  await taint(world, maintenance)
  await world.host.sleep(50_000)
  await taint(world)
  await world.host.sleep(50_000)
  expect(await isPodTerminating(world)).toBe(false)
  expect(await world.events('Pod')).toEqual([cancelled])
  await taint(world, maintenance)
  await world.host.sleep(59_000)
  expect(await isPodTerminating(world)).toBe(false)
  await world.host.sleep(2_000)
  expect(await isPodTerminating(world)).toBe(true)
  expect(await world.events('Pod')).toEqual([cancelled, marked])
})

test('cancels a planned eviction when the pod is deleted', async () => {
  await using world = await startWorld({ tolerationSeconds: 60 })
  await taint(world, maintenance)
  await world.client.delete(Pod, 'web', { gracePeriodSeconds: 0 })
  await world.host.settle()
  expect(await world.events('Pod')).toEqual([cancelled])
})

test('keeps a pod that tolerates the taint, and writes nothing', async () => {
  await using world = await startWorld({})
  world.writes()
  await taint(world, maintenance)
  await world.host.sleep(3_600_000)
  expect(world.writes()).toEqual(['patch /api/v1/nodes/a'])
})
