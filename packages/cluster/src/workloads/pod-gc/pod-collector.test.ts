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

test('a pod of a node that is gone fails and goes, one whose node comes back stays', async () => {
  await using it = await controllerWorld(podCollector())
  for (const name of ['a', 'b']) await it.client.create(Node, { metadata: { name } })
  await addPod(it, 'lost', { nodeName: 'a', finalizers: ['example.com/hold'] })
  await addPod(it, 'kept', { nodeName: 'b' })
  await it.host.settle()
  for (const name of ['a', 'b']) await it.client.delete(Node, name)
  await it.host.sleep(30_000)
  expect(it.writes().filter((write) => write.includes('pods/'))).toEqual([])
  await it.client.create(Node, { metadata: { name: 'b' } })
  await it.host.sleep(15_000)
  const lost = await it.client.get(Pod, 'lost')
  expect(lost.status?.phase).toBe('Failed')
  expect(lost.metadata.deletionTimestamp).toBeDefined()
  expect(conditionOf(lost, 'DisruptionTarget')).toMatchObject({
    ...{ reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' },
    observedGeneration: 1,
  })
  expect((await it.client.get(Pod, 'kept')).metadata.deletionTimestamp).toBeUndefined()
  it.writes()
  await it.host.sleep(3_600_000)
  expect(it.writes()).toEqual([])
})

test('a pod without a node that is held while it is deleted fails', async () => {
  await using it = await controllerWorld(podCollector())
  await addPod(it, 'held', { finalizers: ['example.com/hold'] })
  await it.client.delete(Pod, 'held')
  await it.host.sleep(19_000)
  expect((await it.client.get(Pod, 'held')).status?.phase).toBe('Pending')
  await it.host.sleep(2_000)
  expect((await it.client.get(Pod, 'held')).status?.phase).toBe('Failed')
  it.writes()
  await it.host.sleep(3_600_000)
  expect(it.writes()).toEqual([])
})

test('of the pods that have ended no more than so many are kept', async () => {
  await using it = await controllerWorld(podCollector(2))
  for (const name of ['a', 'b', 'c', 'd']) {
    const pod = await addPod(it, name)
    await it.host.sleep(1_000)
    await it.move(pod, { phase: 'Succeeded' })
  }
  await it.host.settle()
  expect((await it.pods()).map(({ metadata }) => metadata.name)).toEqual(['c', 'd'])
})
