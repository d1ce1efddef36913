import { expect } from 'vitest'
import * as z from 'zod'
import { CustomResourceDefinition, EventsEvent } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { ledgerOperator, widget, widgetIn } from './widgets.ts'

inEveryWorld(
  'an object from before its schema became stricter is reported, and the others go on',
  async (it) => {
    const Loose = widgetIn(it)
    const Widget = widgetIn(it, z.string().min(3))
    await it.install(Loose)
    await it.client.create(Loose, widget('old', 'x'))
    const crd = Widget.crd()
    await it.client.patch(CustomResourceDefinition, crd.metadata.name, {
      merge: { spec: crd.spec },
    })
    const { widgets, ledger } = ledgerOperator(Widget)
    const process = await it.start([widgets])
    await it.client.create(Widget, widget('new'))
    await it.eventually(() => expect(ledger.map(({ name }) => name)).toEqual(['new']))
    await it.eventually(async () => {
      const { status } = await it.client.get(Widget, 'old')
      expect(status?.conditions).toMatchObject([
        { type: 'Ready', status: 'False', message: expect.stringContaining('spec.text') as string },
      ])
      const events = await it.client.listAll(EventsEvent, { namespace: it.namespace })
      expect(events).toMatchObject([
        {
          type: 'Warning',
          note: expect.stringContaining('spec.text') as string,
          regarding: { kind: 'Widget', name: 'old' },
        },
      ])
    })
    await it.quiet()
    process.writes()
    await it.quiet()
    expect(process.writes()).toEqual([])
  },
)
