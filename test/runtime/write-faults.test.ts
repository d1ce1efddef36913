import { expect } from 'vitest'
import { ConfigMap } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import type { ProxiedRequest } from './proxied-request.ts'
import { recordingOperator, widget, widgetIn } from './widgets.ts'
import type { World } from './world.ts'

const isChildWrite = ({ method, path }: ProxiedRequest): boolean =>
  method !== 'GET' && path.includes('/configmaps')

/** A write that succeeds although its response is lost, in one of two ways. */
async function expectOneWrite(world: World, loss: 'loseResponse' | 'holdResponse'): Promise<void> {
  const Widget = widgetIn(world)
  await world.install(Widget)
  const { widgets, reconciled } = recordingOperator(Widget)
  const process = await world.start([widgets])
  process.faults[loss](isChildWrite)
  await world.client.create(Widget, widget('a'))
  await world.eventually(() => expect(reconciled).toHaveLength(1))
  await world.settle()
  expect(process.reports.map(({ result }) => result)).toEqual(['failed', 'done'])
  expect(process.reports[0]?.error).toMatchObject({ code: 'WRITE_OUTCOME_UNKNOWN' })
  const children = await world.client.listAll(ConfigMap, { namespace: world.namespace })
  const own = children.filter(({ metadata }) => metadata.ownerReferences !== undefined)
  expect(own).toHaveLength(1)
  expect(own[0]?.data).toEqual({ text: 'a' })
  // The second reconcile sees the write of the first in its cache; in real time it may come too
  // early.
  const writes = process.faults.requests.filter(isChildWrite).length
  expect(writes).toBeLessThanOrEqual(world.name === 'virtual' ? 1 : 2)
}

inEveryWorld(
  'reaches the desired state with one creation when the response of a write is lost',
  async (world) => expectOneWrite(world, 'loseResponse'),
)

// The timeout of a call is 30 seconds: too long for real time.
inEveryWorld(
  'reaches the desired state with one creation when a write times out',
  async (world) => expectOneWrite(world, 'holdResponse'),
  ['virtual'],
)

inEveryWorld('adds and removes its finalizer once when the responses are lost', async (world) => {
  const Widget = widgetIn(world)
  await world.install(Widget)
  const { widgets, reconciled, deleted } = recordingOperator(Widget)
  const process = await world.start([widgets])
  const isFinalizer = ({ method, path }: ProxiedRequest): boolean =>
    method === 'PATCH' && path.endsWith('/widgets/a')
  process.faults.loseResponse(isFinalizer)
  await world.client.create(Widget, widget('a'))
  await world.eventually(() => expect(reconciled).toHaveLength(1))
  expect((await world.client.get(Widget, 'a')).metadata.finalizers).toHaveLength(1)
  process.faults.loseResponse(isFinalizer)
  await world.client.delete(Widget, 'a')
  await world.eventually(async () => expect(await world.client.find(Widget, 'a')).toBeUndefined())
  await world.settle()
  expect(deleted).toEqual(['a'])
})

inEveryWorld(
  'retries after the time of Retry-After, and the reconcile continues',
  async (world) => {
    const Widget = widgetIn(world)
    await world.install(Widget)
    const { widgets, reconciled } = recordingOperator(Widget)
    const process = await world.start([widgets])
    const headers = { 'retry-after': '1' }
    process.faults.respond(isChildWrite, { status: 429, reason: 'TooManyRequests', headers })
    const startMs = world.host.monotonicMs()
    await world.client.create(Widget, widget('a'))
    await world.eventually(() => expect(reconciled).toHaveLength(1))
    expect(world.host.monotonicMs() - startMs).toBeGreaterThanOrEqual(990)
    await world.eventually(() =>
      expect(process.reports.map(({ result }) => result)).toEqual(['done']),
    )
  },
)

inEveryWorld(
  'the next reconcile retries a write that failed with a server error',
  async (world) => {
    const Widget = widgetIn(world)
    await world.install(Widget)
    const { widgets, reconciled } = recordingOperator(Widget)
    const process = await world.start([widgets])
    process.faults.respond(isChildWrite, { status: 500, reason: 'InternalError' })
    await world.client.create(Widget, widget('a'))
    await world.eventually(() => expect(reconciled).toHaveLength(1))
    expect(process.reports[0]).toMatchObject({ result: 'failed' })
    expect((await world.client.get(ConfigMap, 'a')).data).toEqual({ text: 'a' })
  },
)
