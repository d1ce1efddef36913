import { expect } from 'vitest'
import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap, CustomResourceDefinition } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { ledgerOperator, widget, widgetIn } from './widgets.ts'

inEveryWorld(
  'a kind that appears after the start is served then, and holds up nobody before',
  async (it) => {
    const Widget = widgetIn(it)
    const Gadget = defineResource({
      group: it.group,
      version: 'v1',
      kind: 'Gadget',
      spec: z.object({ text: z.string() }),
    })
    await it.install(Widget)
    const gadgets = operator(Gadget).child('config', ConfigMap, ({ metadata, spec }) => ({
      metadata: { name: `gadget-${metadata.name}` },
      data: { text: spec.text },
    }))
    const { widgets, ledger } = ledgerOperator(Widget)
    await it.start([gadgets, widgets])
    await it.client.create(Widget, widget('a'))
    await it.eventually(() => expect(ledger).toHaveLength(1))
    await it.install(Gadget)
    await it.client.create(Gadget, { metadata: { name: 'g' }, spec: { text: 'late' } })
    await it.eventually(async () =>
      expect((await it.client.get(ConfigMap, 'gadget-g')).data).toEqual({ text: 'late' }),
    )
  },
)

inEveryWorld('a kind whose definition is deleted and comes back is served again', async (it) => {
  const Widget = widgetIn(it)
  await it.install(Widget)
  const seen: string[] = []
  const widgets = operator(Widget).reconcile(async ({ spec }) => void seen.push(spec.text))
  const process = await it.start([widgets])
  await it.client.create(Widget, widget('a', 'before'))
  await it.eventually(() => expect(seen).toEqual(['before']))
  const name = `widgets.${it.group}`
  await it.client.delete(CustomResourceDefinition, name)
  await it.eventually(async () =>
    expect(await it.client.find(CustomResourceDefinition, name)).toBeUndefined(),
  )
  // Nobody is asked for a kind that is gone more than now and then.
  await it.eventually(() =>
    expect(process.faults.requests.filter(({ code }) => code === 404).length).toBeGreaterThan(0),
  )
  await it.install(Widget)
  await it.client.create(Widget, widget('a', 'after'))
  await it.eventually(() => expect(seen).toEqual(['before', 'after']))
  await it.quiet()
  expect(seen).toEqual(['before', 'after'])
})
