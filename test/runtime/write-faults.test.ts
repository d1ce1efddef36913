import { expect } from 'vitest'
import { ConfigMap } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import type { ProxiedRequest } from './proxied-request.ts'
import { ledgerOperator, widget, widgetIn } from './widgets.ts'
import type { World } from './world.ts'

const isChildWrite = ({ method, path }: ProxiedRequest): boolean =>
  method !== 'GET' && path.includes('/configmaps')

/** What is made although its answer never comes, in one of two ways. */
async function isMadeOnce(it: World, loss: 'loseAnswer' | 'holdAnswer'): Promise<void> {
  const Widget = widgetIn(it)
  await it.install(Widget)
  const { widgets, ledger } = ledgerOperator(Widget)
  const process = await it.start([widgets])
  process.faults[loss](isChildWrite)
  await it.client.create(Widget, widget('a'))
  await it.eventually(() => expect(ledger).toHaveLength(1))
  await it.quiet()
  expect(process.reports.map(({ result }) => result)).toEqual(['failed', 'done'])
  expect(process.reports[0]?.error).toMatchObject({ code: 'WRITE_OUTCOME_UNKNOWN' })
  const children = await it.client.listAll(ConfigMap, { namespace: it.namespace })
  const own = children.filter(({ metadata }) => metadata.ownerReferences !== undefined)
  expect(own).toHaveLength(1)
  expect(own[0]?.data).toEqual({ text: 'a' })
  // The second run saw in its cache what the first one had done; where time is real, it may have come too early.
  const writes = process.faults.requests.filter(isChildWrite).length
  expect(writes).toBeLessThanOrEqual(it.name === 'virtual' ? 1 : 2)
}

inEveryWorld('a write whose answer is lost leaves the object as wanted, made once', async (it) =>
  isMadeOnce(it, 'loseAnswer'),
)

// A call has 30 seconds: too long to wait for where time is real.
inEveryWorld(
  'a write whose answer does not come in time leaves the object as wanted, made once',
  async (it) => isMadeOnce(it, 'holdAnswer'),
  ['virtual'],
)

inEveryWorld(
  'a finalizer whose answer is lost is there once, and so is its removal',
  async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    const { widgets, ledger, deleted } = ledgerOperator(Widget)
    const process = await it.start([widgets])
    const isFinalizer = ({ method, path }: ProxiedRequest): boolean =>
      method === 'PATCH' && path.endsWith('/widgets/a')
    process.faults.loseAnswer(isFinalizer)
    await it.client.create(Widget, widget('a'))
    await it.eventually(() => expect(ledger).toHaveLength(1))
    expect((await it.client.get(Widget, 'a')).metadata.finalizers).toHaveLength(1)
    process.faults.loseAnswer(isFinalizer)
    await it.client.delete(Widget, 'a')
    await it.eventually(async () => expect(await it.client.find(Widget, 'a')).toBeUndefined())
    await it.quiet()
    // A cleanup is done at least once; more often only where the news of the removal came late.
    expect(new Set(deleted)).toEqual(new Set(['a']))
    if (it.name === 'virtual') expect(deleted).toHaveLength(1)
  },
)

inEveryWorld(
  'a server that asks to wait is asked again after that time, and the run goes on',
  async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    const { widgets, ledger } = ledgerOperator(Widget)
    const process = await it.start([widgets])
    const headers = { 'retry-after': '1' }
    process.faults.answer(isChildWrite, { status: 429, reason: 'TooManyRequests', headers })
    const startMs = it.host.monotonicMs()
    await it.client.create(Widget, widget('a'))
    await it.eventually(() => expect(ledger).toHaveLength(1))
    expect(it.host.monotonicMs() - startMs).toBeGreaterThanOrEqual(990)
    await it.eventually(() => expect(process.reports.map(({ result }) => result)).toEqual(['done']))
  },
)

inEveryWorld('a write that the server fails to do is tried again by the next run', async (it) => {
  const Widget = widgetIn(it)
  await it.install(Widget)
  const { widgets, ledger } = ledgerOperator(Widget)
  const process = await it.start([widgets])
  process.faults.answer(isChildWrite, { status: 500, reason: 'InternalError' })
  await it.client.create(Widget, widget('a'))
  await it.eventually(() => expect(ledger).toHaveLength(1))
  expect(process.reports[0]).toMatchObject({ result: 'failed' })
  expect((await it.client.get(ConfigMap, 'a')).data).toEqual({ text: 'a' })
})
