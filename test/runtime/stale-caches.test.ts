import { expect } from 'vitest'
import { operator } from 'setpoint'
import { inEveryWorld } from './in-every-world.ts'
import { widget, widgetIn } from './widgets.ts'

inEveryWorld(
  'does not call a successful handler again while its watch is stale, and waits for it only once',
  async (world) => {
    const Widget = widgetIn(world)
    await world.install(Widget)
    const calls: string[] = []
    const widgets = operator(Widget)
      .onUpdate(
        async ({ spec }) => {
          calls.push(spec.text)
          // The handler memory of this call is written, but the watch never shows it.
          process.faults.injectWatchFault('stall')
        },
        { id: 'record' },
      )
      .reconcile(async () => ({ recheckAfter: '20s' }))
    const process = await world.start([widgets])
    await world.client.create(Widget, widget('a'))
    await world.eventually(() => expect(process.reports).toHaveLength(1))
    await world.client.patch(Widget, 'a', { merge: { spec: { text: 'second' } } })
    await world.host.sleep(100_000)
    expect(calls).toEqual(['second'])
    const waitedMs = process.reports.map(({ durationMs }) => Math.round(durationMs / 1_000) * 1_000)
    // The last one follows from the watch, which is reopened meanwhile.
    expect(waitedMs).toEqual([0, 0, 10_000, 0, 0, 0, 0])
  },
  ['virtual'],
)
