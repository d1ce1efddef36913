import { expect } from 'vitest'
import { operator } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { ledgerOperator, widget, widgetIn } from './widgets.ts'

inEveryWorld(
  'thousands of updates of one object while its reconcile is slow cause few runs, one at a time, and the last is seen',
  async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    const slowMs = 200
    const seen: number[] = []
    let active = 0
    let activeMax = 0
    const slow = operator(Widget).reconcile(async ({ metadata }, { signal }) => {
      active += 1
      activeMax = Math.max(activeMax, active)
      seen.push(metadata.generation ?? 0)
      await it.host.sleep(slowMs, signal)
      active -= 1
    })
    await it.start([slow])
    await it.client.create(Widget, widget('a'))
    await it.eventually(() => expect(seen).toEqual([1]))
    const startMs = it.host.monotonicMs()
    const updates = it.name === 'socket' ? 500 : 2_000
    const update = async (index: number) =>
      it.client.patch(Widget, 'a', { merge: { spec: { text: `text ${index}` } } })
    for (let index = 0; index < updates; index += 20) {
      await Promise.all(Array.from({ length: 20 }, async (_, step) => update(index + step)))
    }
    await it.eventually(() => expect(seen.at(-1)).toBe(1 + updates))
    const tookMs = it.host.monotonicMs() - startMs
    await it.quiet()
    expect(activeMax).toBe(1)
    expect(seen).toEqual([...new Set(seen)].sort((one, other) => one - other))
    expect(seen.at(-1)).toBe(1 + updates)
    expect(seen.length).toBeLessThanOrEqual(3 + tookMs / slowMs)
  },
)

inEveryWorld(
  'an own write, of a child or of the status, does not run the object again',
  async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    const widgets = operator(Widget)
      .child('config', ConfigMap, ({ spec }) => ({ data: { text: spec.text } }))
      .status(({ spec }) => ({ seen: spec.text }))
      .onDelete(async () => undefined)
    const process = await it.start([widgets])
    await it.client.create(Widget, widget('a'))
    await it.eventually(async () =>
      expect((await it.client.get(Widget, 'a')).status?.seen).toBe('a'),
    )
    await it.quiet()
    expect(process.reports).toHaveLength(1)
    expect(process.writes()).toEqual(['widgets', 'configmaps', 'widgets/status'])
    await it.client.patch(Widget, 'a', { merge: { spec: { text: 'b' } } })
    await it.eventually(async () =>
      expect((await it.client.get(Widget, 'a')).status?.seen).toBe('b'),
    )
    await it.quiet()
    expect(process.reports).toHaveLength(2)
  },
)

inEveryWorld(
  'a reconcile that always changes something is slowed down to once a second',
  async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    let runs = 0
    const restless = operator(Widget).reconcile(async ({ metadata }, { client, signal }) => {
      runs += 1
      const annotations = { [`${it.group}/runs`]: String(runs) }
      await client.patch(Widget, metadata, { merge: { metadata: { annotations } }, signal })
    })
    await it.start([restless])
    const startMs = it.host.monotonicMs()
    await it.client.create(Widget, widget('a'))
    await it.eventually(() => expect(runs).toBeGreaterThan(100))
    // A hundred at once, then one a second: that many in all, however long it took.
    await it.host.sleep(it.name === 'virtual' ? 60_000 : 1_500)
    const seconds = (it.host.monotonicMs() - startMs) / 1000
    expect(runs).toBeLessThanOrEqual(102 + seconds)
  },
)

inEveryWorld(
  'a reconcile that hangs does not stop others, and its signal is aborted',
  async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    const { widgets, ledger } = ledgerOperator(Widget)
    let aborts = 0
    const hanging = operator(Widget, { name: 'hanging', timeout: 300 }).reconcile(
      async ({ metadata }, { signal }) => {
        if (metadata.name !== 'bad') return
        await it.host.sleep(3_600_000, signal).catch((error: unknown) => {
          aborts += 1
          throw error
        })
      },
    )
    const process = await it.start([widgets, hanging], { gracePeriod: 0 })
    await it.client.create(Widget, widget('bad'))
    for (const name of ['a', 'b', 'c']) await it.client.create(Widget, widget(name))
    await it.eventually(() => expect(new Set(ledger.map(({ name }) => name)).size).toBe(4))
    await it.eventually(() => {
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
