import { expect } from 'vitest'
import { operator, type RunReport } from 'setpoint'
import { ConfigMap, Lease, Secret } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { isWatch } from './proxied-request.ts'
import { widget, widgetIn, type WidgetDefinition } from './widgets.ts'
import type { OperatorProcess, World } from './world.ts'

inEveryWorld(
  'two operators on one resource share its watch and do not disturb each other',
  async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    const one = operator(Widget, { name: 'one' }).child('config', ConfigMap, ({ spec }) => ({
      data: { text: spec.text },
    }))
    const two = operator(Widget, { name: 'two' }).child('secret', Secret, ({ spec }) => ({
      data: { text: btoa(spec.text) },
    }))
    const process = await it.start([one, two])
    await it.client.create(Widget, widget('a'))
    await it.eventually(async () => {
      expect((await it.client.get(ConfigMap, 'a')).data).toEqual({ text: 'a' })
      expect((await it.client.get(Secret, 'a')).data).toEqual({ text: btoa('a') })
    })
    await it.eventually(() => expect(process.reports).toHaveLength(2))
    process.writes()
    expect(process.faults.requests.filter(isWatch)).toHaveLength(3)
    await it.quiet()
    expect(process.writes()).toEqual([])
    expect(await it.client.find(ConfigMap, 'a')).toBeDefined()
    expect(await it.client.find(Secret, 'a')).toBeDefined()
  },
)

/** Two replicas, and who wrote what. */
async function replicas(it: World, Widget: WidgetDefinition, pace?: 'hurried') {
  const authors: string[] = []
  const replica = (identity: string) => {
    const widgets = operator(Widget)
      .child('config', ConfigMap, ({ spec }) => ({ data: { text: spec.text } }))
      .reconcile(async () => void authors.push(identity))
    const election = { name: 'widgets', identity }
    return it.start([widgets], { election, ...(pace === undefined ? {} : { pace }) })
  }
  const one = await replica('one')
  await it.eventually(() => expect(one.running.isLeader).toBe(true))
  const two = await replica('two')
  await it.client.create(Widget, widget('a'))
  await it.eventually(async () =>
    expect((await it.client.get(ConfigMap, 'a')).data).toEqual({ text: 'a' }),
  )
  await hasDone(it, one, 'a')
  expect(two.running.isLeader).toBe(false)
  return { one, two, authors }
}

/** Long enough for several renewals of the Lease; an hour of them would tell no more. */
async function aWhile(it: World): Promise<void> {
  await it.host.sleep(it.name === 'virtual' ? 60_000 : 1_000)
}

/** What others can see is there a moment before the run that made it is over. */
async function hasDone(it: World, { reports }: OperatorProcess, name: string): Promise<void> {
  const isIt = ({ run, result }: RunReport): boolean =>
    run.key.endsWith(`/${name}`) && result === 'done'
  await it.eventually(() => expect(reports.some(isIt)).toBe(true))
}

async function takesOver(it: World, Widget: WidgetDefinition, second: OperatorProcess) {
  await it.client.create(Widget, widget('b'))
  await it.eventually(() => expect(second.running.isLeader).toBe(true))
  await it.eventually(async () =>
    expect((await it.client.get(ConfigMap, 'b')).data).toEqual({ text: 'b' }),
  )
  await hasDone(it, second, 'b')
}

inEveryWorld('of two replicas one works, and the other takes over when it stops', async (it) => {
  const Widget = widgetIn(it)
  await it.install(Widget)
  const { one, two, authors } = await replicas(it, Widget)
  expect(authors).toEqual(['one'])
  expect(two.writes()).toEqual([])
  await one.stop()
  expect((await it.client.get(Lease, 'widgets')).spec.holderIdentity ?? '').not.toBe('one')
  await takesOver(it, Widget, two)
  await aWhile(it)
  // What the first one did is as it should be: the second looks at it and writes nothing.
  expect(two.writes()).toEqual(['configmaps', 'widgets/status'])
  expect(authors.indexOf('two')).toBe(authors.lastIndexOf('one') + 1)
})

inEveryWorld(
  'of two replicas the other takes over when one is cut off, and never both write',
  async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    const { one, two, authors } = await replicas(it, Widget, 'hurried')
    await one.faults.close()
    await takesOver(it, Widget, two)
    // The one that was cut off noticed before the other began.
    expect(one.running.isLeader).toBe(false)
    await one.faults.reopen()
    one.writes()
    await it.client.patch(Widget, 'a', { merge: { spec: { text: 'changed' } } })
    await it.eventually(async () =>
      expect((await it.client.get(ConfigMap, 'a')).data).toEqual({ text: 'changed' }),
    )
    await aWhile(it)
    expect(one.writes()).toEqual([])
    expect(one.running.isLeader).toBe(false)
    expect(authors.indexOf('two')).toBe(authors.lastIndexOf('one') + 1)
  },
)

inEveryWorld(
  'a replica whose watches went silent while it stood by does not act on what is gone',
  async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    const seen: string[] = []
    const replica = (identity: string) => {
      const widgets = operator(Widget).reconcile(
        async ({ metadata }) => void seen.push(`${identity} ${metadata.name}`),
      )
      return it.start([widgets], { election: { name: 'widgets', identity } })
    }
    const one = await replica('one')
    await it.eventually(() => expect(one.running.isLeader).toBe(true))
    const two = await replica('two')
    await it.eventually(() => expect(two.faults.watches).toBe(1))
    await it.client.create(Widget, widget('a'))
    await it.eventually(() => expect(seen).toEqual(['one a']))
    two.faults.disturbWatches('stall')
    await it.client.delete(Widget, 'a')
    await it.client.create(Widget, widget('b'))
    await it.eventually(() => expect(seen).toEqual(['one a', 'one b']))
    await it.host.sleep(10_000)
    await one.stop()
    await it.eventually(() => expect(seen).toContain('two b'))
    expect(seen).toEqual(['one a', 'one b', 'two b'])
  },
  ['virtual'],
)
