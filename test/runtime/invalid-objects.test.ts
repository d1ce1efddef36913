import { expect } from 'vitest'
import * as z from 'zod'
import { CustomResourceDefinition, EventsEvent } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { recordingOperator, widget, widgetIn } from './widgets.ts'

inEveryWorld(
  'reports an object that does not match a stricter schema, and serves the others',
  async (world) => {
    const Loose = widgetIn(world)
    const Widget = widgetIn(world, z.string().min(3))
    await world.install(Loose)
    await world.client.create(Loose, widget('old', 'x'))
    const crd = Widget.crd()
    await world.client.patch(CustomResourceDefinition, crd.metadata.name, {
      merge: { spec: crd.spec },
    })
    const { widgets, reconciled } = recordingOperator(Widget)
    const process = await world.start([widgets])
    await world.client.create(Widget, widget('new'))
    await world.eventually(() => expect(reconciled.map(({ name }) => name)).toEqual(['new']))
    await world.eventually(async () => {
      const { status } = await world.client.get(Widget, 'old')
      expect(status?.conditions).toMatchObject([
        { type: 'Ready', status: 'False', message: expect.stringContaining('spec.text') as string },
      ])
      const events = await world.client.listAll(EventsEvent, { namespace: world.namespace })
      expect(events).toMatchObject([
        {
          type: 'Warning',
          note: expect.stringContaining('spec.text') as string,
          regarding: { kind: 'Widget', name: 'old' },
        },
      ])
    })
    await world.settle()
    process.writes()
    await world.settle()
    expect(process.writes()).toEqual([])
  },
)
