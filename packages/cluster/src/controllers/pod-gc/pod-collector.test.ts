import { conditionOf, Node, Pod } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { controllerWorld, type ControllerWorld } from '../testdata/controller-world.ts'
import { podCollector } from './index.ts'

async function addPod(
  { client }: ControllerWorld,
  name: string,
  more: { finalizers?: string[]; nodeName?: string } = {},
): Promise<Pod> {
  const { finalizers = [], nodeName } = more
  const containers = [{ name: 'main', image: 'app' }]
  return client.create(Pod, {
    metadata: { name, finalizers },
    spec: { containers, ...(nodeName === undefined ? {} : { nodeName }) },
  })
}

test('fails and deletes a pod of a deleted node, and keeps a pod whose node comes back', async () => {
  await using world = await controllerWorld(podCollector())
  for (const name of ['a', 'b']) await world.client.create(Node, { metadata: { name } })
  await addPod(world, 'lost', { nodeName: 'a', finalizers: ['example.com/hold'] })
  await addPod(world, 'kept', { nodeName: 'b' })
  await world.host.settle()
  for (const name of ['a', 'b']) await world.client.delete(Node, name)
  await world.host.sleep(30_000)
  expect(world.writes().filter((write) => write.includes('pods/'))).toEqual([])
  await world.client.create(Node, { metadata: { name: 'b' } })
  await world.host.sleep(15_000)
  const lost = await world.client.get(Pod, 'lost')
  expect(lost.status?.phase).toBe('Failed')
  expect(lost.metadata.deletionTimestamp).toBeDefined()
  expect(conditionOf(lost, 'DisruptionTarget')).toMatchObject({
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
    observedGeneration: 1,
  })
  expect((await world.client.get(Pod, 'kept')).metadata.deletionTimestamp).toBeUndefined()
  world.writes()
  await world.host.sleep(3_600_000)
  expect(world.writes()).toEqual([])
})

test('fails a terminating pod without a node that has a finalizer', async () => {
  await using world = await controllerWorld(podCollector())
  await addPod(world, 'held', { finalizers: ['example.com/hold'] })
  await world.client.delete(Pod, 'held')
  await world.host.sleep(19_000)
  expect((await world.client.get(Pod, 'held')).status?.phase).toBe('Pending')
  await world.host.sleep(2_000)
  expect((await world.client.get(Pod, 'held')).status?.phase).toBe('Failed')
  world.writes()
  await world.host.sleep(3_600_000)
  expect(world.writes()).toEqual([])
})

test('keeps finished pods up to the limit', async () => {
  await using world = await controllerWorld(podCollector(2))
  for (const name of ['a', 'b', 'c', 'd']) {
    const pod = await addPod(world, name)
    await world.host.sleep(1_000)
    await world.move(pod, { phase: 'Succeeded' })
  }
  await world.host.settle()
  expect((await world.pods()).map(({ metadata }) => metadata.name)).toEqual(['c', 'd'])
})
