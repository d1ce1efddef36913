import { Node, Pod, type Toleration } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { controllerWorld, type ControllerWorld } from '../testdata/controller-world.ts'
import { taintEvictionController } from './index.ts'

const maintenance = { key: 'maintenance', effect: 'NoExecute' as const }

async function world(toleration?: Partial<Toleration>): Promise<ControllerWorld> {
  const it = await controllerWorld(taintEvictionController())
  await it.client.create(Node, { metadata: { name: 'a' } })
  const tolerations: Toleration[] =
    toleration === undefined ? [] : [{ ...maintenance, operator: 'Exists' as const, ...toleration }]
  const containers = [{ name: 'main', image: 'app' }]
  await it.client.create(Pod, {
    metadata: { name: 'web' },
    spec: { nodeName: 'a', tolerations, containers },
  })
  await it.host.settle()
  return it
}

async function taint({ client, host }: ControllerWorld, ...taints: object[]): Promise<void> {
  await client.patch(Node, 'a', { merge: { spec: { taints } } })
  await host.settle()
}

const isLeaving = async ({ client }: ControllerWorld): Promise<boolean> =>
  (await client.get(Pod, 'web')).metadata.deletionTimestamp !== undefined

const marked = 'TaintManagerEviction: Marking for deletion Pod default/web'
const cancelled = 'TaintManagerEviction: Cancelling deletion of Pod default/web'

test('a pod that does not tolerate a taint is told once', async () => {
  await using it = await world()
  await taint(it, maintenance)
  expect(await isLeaving(it)).toBe(true)
  await taint(it, maintenance, { key: 'more', effect: 'NoExecute' })
  expect(await it.events('Pod')).toEqual([marked])
})

test('one that tolerates it for a while leaves then, unless the taint goes', async () => {
  await using it = await world({ tolerationSeconds: 60 })
  await taint(it, maintenance)
  await it.host.sleep(50_000)
  await taint(it)
  await it.host.sleep(50_000)
  expect(await isLeaving(it)).toBe(false)
  expect(await it.events('Pod')).toEqual([cancelled])
  await taint(it, maintenance)
  await it.host.sleep(59_000)
  expect(await isLeaving(it)).toBe(false)
  await it.host.sleep(2_000)
  expect(await isLeaving(it)).toBe(true)
  expect(await it.events('Pod')).toEqual([cancelled, marked])
})

test('one that is gone before is called off', async () => {
  await using it = await world({ tolerationSeconds: 60 })
  await taint(it, maintenance)
  await it.client.delete(Pod, 'web', { gracePeriodSeconds: 0 })
  await it.host.settle()
  expect(await it.events('Pod')).toEqual([cancelled])
})

test('one that tolerates it stays, and nothing is written', async () => {
  await using it = await world({})
  it.writes()
  await taint(it, maintenance)
  await it.host.sleep(3_600_000)
  expect(it.writes()).toEqual(['patch /api/v1/nodes/a'])
})
