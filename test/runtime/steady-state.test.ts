import { expect } from 'vitest'
import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { widget } from './widgets.ts'

inEveryWorld(
  'a restart with many objects in a steady state writes nothing and sends few requests',
  async (world) => {
    const Widget = defineResource({
      group: world.group,
      version: 'v1',
      kind: 'Widget',
      spec: z.object({ text: z.string() }),
    })
    await world.install(Widget)
    // The counts do not depend on the number of objects: a thousand where they are cheap.
    const count = world.name === 'virtual' ? 1_000 : 200
    const widgets = operator(Widget).child('config', ConfigMap, ({ spec }) => ({
      data: { text: spec.text },
    }))
    const first = await world.start([widgets])
    const create = async (index: number) => world.client.create(Widget, widget(`w${index}`))
    for (let index = 0; index < count; index += 20) {
      await Promise.all(Array.from({ length: 20 }, async (_, step) => create(index + step)))
    }
    await world.eventually(() =>
      expect(first.reports.filter(({ result }) => result === 'done')).toHaveLength(count),
    )
    await first.stop()
    const second = await world.start([widgets])
    await world.eventually(() => expect(second.reports).toHaveLength(count))
    await world.settle()
    expect(second.writes()).toEqual([])
    expect(second.reports).toHaveLength(count)
    // In virtual time an hour has passed: watches were reopened.
    expect(second.requests().length).toBeLessThanOrEqual(10)
  },
)
