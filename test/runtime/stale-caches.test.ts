import { expect } from 'vitest'
import { operator } from 'setpoint'
import { inEveryWorld } from './in-every-world.ts'
import { widget, widgetIn } from './widgets.ts'

inEveryWorld(
  'a handler that succeeded is not called again while a watch hangs and shows the past, and no run waits for it twice',
  async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    const told: string[] = []
    const widgets = operator(Widget)
      .onUpdate(
        async ({ spec }) => {
          told.push(spec.text)
          // What is noted about this call is written, and never seen.
          process.faults.disturbWatches('stall')
        },
        { id: 'tell' },
      )
      .reconcile(async () => ({ recheckAfter: '20s' }))
    const process = await it.start([widgets])
    await it.client.create(Widget, widget('a'))
    await it.eventually(() => expect(process.reports).toHaveLength(1))
    await it.client.patch(Widget, 'a', { merge: { spec: { text: 'second' } } })
    await it.host.sleep(100_000)
    expect(told).toEqual(['second'])
    const waitedMs = process.reports.map(({ durationMs }) => Math.round(durationMs / 1_000) * 1_000)
    expect(waitedMs).toEqual([0, 0, 10_000, 0, 0, 0])
  },
  ['virtual'],
)
