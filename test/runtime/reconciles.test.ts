import { expect } from 'vitest'
import { operator } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { recordingOperator, widget, widgetIn } from './widgets.ts'

inEveryWorld(
  'thousands of updates of one object cause few reconciles, one at a time, and the last state is seen',
  async (world) => {
    const Widget = widgetIn(world)
    await world.install(Widget)
    const slowMs = 200
    const seen: number[] = []
    let active = 0
    let activeMax = 0
    const slow = operator(Widget).reconcile(async ({ metadata }, { signal }) => {
      active += 1
      activeMax = Math.max(activeMax, active)
      seen.push(metadata.generation ?? 0)
      await world.host.sleep(slowMs, signal)
      active -= 1
    })
    await world.start([slow])
    await world.client.create(Widget, widget('a'))
    await world.eventually(() => expect(seen).toEqual([1]))
    const startMs = world.host.monotonicMs()
    const updates = world.name === 'socket' ? 500 : 2_000
    const update = async (index: number) =>
      world.client.patch(Widget, 'a', { merge: { spec: { text: `text ${index}` } } })
    for (let index = 0; index < updates; index += 20) {
      await Promise.all(Array.from({ length: 20 }, async (_, step) => update(index + step)))
    }
    await world.eventually(() => expect(seen.at(-1)).toBe(1 + updates))
    const tookMs = world.host.monotonicMs() - startMs
    await world.settle()
    expect(activeMax).toBe(1)
    expect(seen).toEqual([...new Set(seen)].sort((one, other) => one - other))
    expect(seen.at(-1)).toBe(1 + updates)
    expect(seen.length).toBeLessThanOrEqual(3 + tookMs / slowMs)
  },
)

inEveryWorld('an own write of a child or of the status causes no reconcile', async (world) => {
  const Widget = widgetIn(world)
  await world.install(Widget)
  const widgets = operator(Widget)
    .child('config', ConfigMap, ({ spec }) => ({ data: { text: spec.text } }))
    .status(({ spec }) => ({ seen: spec.text }))
    .onDelete(async () => undefined)
  const process = await world.start([widgets])
  await world.client.create(Widget, widget('a'))
  await world.eventually(async () =>
    expect((await world.client.get(Widget, 'a')).status?.seen).toBe('a'),
  )
  await world.settle()
  expect(process.reports).toHaveLength(1)
  expect(process.writes()).toEqual(['widgets', 'configmaps', 'widgets/status'])
  await world.client.patch(Widget, 'a', { merge: { spec: { text: 'b' } } })
  await world.eventually(async () =>
    expect((await world.client.get(Widget, 'a')).status?.seen).toBe('b'),
  )
  await world.settle()
  expect(process.reports).toHaveLength(2)
})

inEveryWorld(
  'throttles a reconcile that always changes something to once a second',
  async (world) => {
    const Widget = widgetIn(world)
    await world.install(Widget)
    let runs = 0
    const alwaysWriting = operator(Widget).reconcile(async ({ metadata }, { client, signal }) => {
      runs += 1
      const annotations = { [`${world.group}/runs`]: String(runs) }
      await client.patch(Widget, metadata, { merge: { metadata: { annotations } }, signal })
    })
    await world.start([alwaysWriting])
    const startMs = world.host.monotonicMs()
    await world.client.create(Widget, widget('a'))
    await world.eventually(() => expect(runs).toBeGreaterThan(100))
    // A burst of a hundred, then one per second.
    await world.host.sleep(world.name === 'virtual' ? 60_000 : 1_500)
    const seconds = (world.host.monotonicMs() - startMs) / 1000
    expect(runs).toBeLessThanOrEqual(102 + seconds)
  },
)

inEveryWorld(
  'a reconcile that hangs does not block others, and its signal is aborted',
  async (world) => {
    const Widget = widgetIn(world)
    await world.install(Widget)
    const { widgets, reconciled } = recordingOperator(Widget)
    let aborts = 0
    const hanging = operator(Widget, { name: 'hanging', timeout: 300 }).reconcile(
      async ({ metadata }, { signal }) => {
        if (metadata.name !== 'bad') return
        await world.host.sleep(3_600_000, signal).catch((error: unknown) => {
          aborts += 1
          throw error
        })
      },
    )
    const process = await world.start([widgets, hanging], { gracePeriod: 0 })
    await world.client.create(Widget, widget('bad'))
    for (const name of ['a', 'b', 'c']) await world.client.create(Widget, widget(name))
    await world.eventually(() => expect(new Set(reconciled.map(({ name }) => name)).size).toBe(4))
    await world.eventually(() => {
      const ended = process.reports.filter(({ controller }) => controller === 'hanging')
      const done = ended.filter(({ result }) => result === 'done')
      expect(new Set(done.map(({ run }) => run.key)).size).toBe(3)
      expect(ended.find(({ run }) => run.key.endsWith('/bad'))).toMatchObject({
        result: 'failed',
        error: { code: 'RUN_OVERDUE' },
      })
    })
    expect(aborts).toBeGreaterThan(0)
  },
)
