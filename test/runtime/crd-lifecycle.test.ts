import { expect } from 'vitest'
import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap, CustomResourceDefinition } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { recordingOperator, widget, widgetIn } from './widgets.ts'

inEveryWorld(
  'serves a kind whose CRD is installed after the start, and does not block other kinds before',
  async (world) => {
    const Widget = widgetIn(world)
    const Gadget = defineResource({
      group: world.group,
      version: 'v1',
      kind: 'Gadget',
      spec: z.object({ text: z.string() }),
    })
    await world.install(Widget)
    const gadgets = operator(Gadget).child('config', ConfigMap, ({ metadata, spec }) => ({
      metadata: { name: `gadget-${metadata.name}` },
      data: { text: spec.text },
    }))
    const { widgets, reconciled } = recordingOperator(Widget)
    await world.start([gadgets, widgets])
    await world.client.create(Widget, widget('a'))
    await world.eventually(() => expect(reconciled).toHaveLength(1))
    await world.install(Gadget)
    await world.client.create(Gadget, { metadata: { name: 'g' }, spec: { text: 'late' } })
    await world.eventually(async () =>
      expect((await world.client.get(ConfigMap, 'gadget-g')).data).toEqual({ text: 'late' }),
    )
  },
)

inEveryWorld('serves a kind again after its CRD was deleted and recreated', async (world) => {
  const Widget = widgetIn(world)
  await world.install(Widget)
  const seen: string[] = []
  const widgets = operator(Widget).reconcile(async ({ spec }) => void seen.push(spec.text))
  const process = await world.start([widgets])
  await world.client.create(Widget, widget('a', 'before'))
  await world.eventually(() => expect(seen).toEqual(['before']))
  const name = `widgets.${world.group}`
  await world.client.delete(CustomResourceDefinition, name)
  await world.eventually(async () =>
    expect(await world.client.find(CustomResourceDefinition, name)).toBeUndefined(),
  )
  // A missing kind is polled only at long intervals.
  await world.eventually(() =>
    expect(process.faults.requests.filter(({ code }) => code === 404).length).toBeGreaterThan(0),
  )
  await world.install(Widget)
  await world.client.create(Widget, widget('a', 'after'))
  await world.eventually(() => expect(seen).toEqual(['before', 'after']))
  await world.settle()
  expect(seen).toEqual(['before', 'after'])
})
