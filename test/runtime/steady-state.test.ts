import { expect } from 'vitest'
import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { widget } from './widgets.ts'

inEveryWorld(
  'a restart with many objects as they should be writes nothing and asks little',
  async (it) => {
    const Widget = defineResource({
      group: it.group,
      version: 'v1',
      kind: 'Widget',
      spec: z.object({ text: z.string() }),
    })
    await it.install(Widget)
    // What is counted does not depend on how many there are: a thousand where they are cheap.
    const count = it.name === 'virtual' ? 1_000 : 200
    const widgets = operator(Widget).child('config', ConfigMap, ({ spec }) => ({
      data: { text: spec.text },
    }))
    const first = await it.start([widgets])
    const create = async (index: number) => it.client.create(Widget, widget(`w${index}`))
    for (let index = 0; index < count; index += 20) {
      await Promise.all(Array.from({ length: 20 }, async (_, step) => create(index + step)))
    }
    await it.eventually(() =>
      expect(first.reports.filter(({ result }) => result === 'done')).toHaveLength(count),
    )
    await first.stop()
    const second = await it.start([widgets])
    await it.eventually(() => expect(second.reports).toHaveLength(count))
    await it.quiet()
    expect(second.writes()).toEqual([])
    expect(second.reports).toHaveLength(count)
    // In the virtual world an hour has passed: watches were opened again.
    expect(second.requests().length).toBeLessThanOrEqual(10)
  },
)
