import { testWorld } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { rbacFor } from 'setpoint'
import { Pod } from 'setpoint/kinds'
import { usageApi } from './operator.ts'
import { podUidOf, type PodProcess, usageOf } from './pod-processes.ts'
import { PodUsage } from './pod-usage.ts'

/** A world with the pod `web`, whose processes the test decides. */
async function createWorld() {
  let running: PodProcess[] = []
  const usage = usageApi(async () => running)
  const world = await testWorld({ operators: [usage], rules: rbacFor([usage]) })
  const { metadata } = await world.client.create(Pod, {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'web' }] },
  })
  const podUid = metadata.uid
  return {
    ...world,
    run: (...cpuSeconds: number[]) => {
      running = cpuSeconds.map((each) => ({ podUid, cpuSeconds: each, memoryBytes: 2 ** 20 }))
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

test('the usage of a pod is the sum of its processes', async () => {
  await using world = await createWorld()
  const { client } = world
  expect((await client.get(PodUsage, 'web')).status).toEqual({
    processes: 0,
    cpuSeconds: 0,
    memoryMiB: 0,
  })
  world.run(1.5, 2)
  const [usage] = await client.listAll(PodUsage, { labelSelector: 'app=web' })
  expect(usage?.status).toEqual({ processes: 2, cpuSeconds: 3.5, memoryMiB: 2 })
  expect(await client.listAll(PodUsage, { labelSelector: 'app=other' })).toEqual([])
  await expect(client.delete(PodUsage, 'web')).rejects.toThrow('does not allow this method')
})

test('a watch reports changed usages, and those of deleted pods', async () => {
  await using world = await createWorld()
  const { client, host } = world
  const seen: string[] = []
  const stop = new AbortController()
  const watching = (async () => {
    for await (const event of client.watch(PodUsage, { signal: stop.signal })) {
      if (event.type === 'BOOKMARK') continue
      seen.push(`${event.type} ${event.object.status?.cpuSeconds}`)
    }
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  await host.sleep(2_000)
  world.run(1)
  await host.sleep(2_000)
  await client.delete(Pod, 'web', { gracePeriodSeconds: 0 })
  await host.sleep(2_000)
  stop.abort()
  await watching
  expect(seen).toEqual(['ADDED 0', 'MODIFIED 1', 'DELETED 1'])
})

const uid = '0f8b3a52-1c2d-4e5f-8a9b-0c1d2e3f4a5b'

test.each([
  ['PATH=/bin\0HOME=/tmp/c/pods/0f8b3a52-1c2d-4e5f-8a9b-0c1d2e3f4a5b/containers/web\0', '', uid],
  ['', '0::/kubepods/burstable/pod0f8b3a52-1c2d-4e5f-8a9b-0c1d2e3f4a5b/1234\n', uid],
  ['', '0::/kubepods-pod0f8b3a52_1c2d_4e5f_8a9b_0c1d2e3f4a5b.slice/cri-1\n', uid],
  ['HOME=/root\0', '0::/user.slice\n', undefined],
])('finds the pod of a process by %j and %j', (environ, groups, expected) => {
  expect(podUidOf(environ, groups)).toBe(expected)
})

test('reads processor time and memory from files of Linux', () => {
  const stat = '42 (a ) b) S 1 42 42 0 -1 4194304 10 0 0 0 150 50 0 0 20 0 1 0 7 1000 2 3'
  expect(usageOf(stat, '500 256 10 1 0 90 0\n')).toEqual({ cpuSeconds: 2, memoryBytes: 2 ** 20 })
})
