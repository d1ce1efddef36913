import { expect } from 'vitest'
import { operator, type RunReport } from 'setpoint'
import { ConfigMap, Lease, Secret } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { isWatch } from './proxied-request.ts'
import { widget, widgetIn, type WidgetDefinition } from './widgets.ts'
import type { OperatorProcess, World } from './world.ts'

inEveryWorld(
  'two operators of one resource share its watch and work independently',
  async (world) => {
    const Widget = widgetIn(world)
    await world.install(Widget)
    const one = operator(Widget, { name: 'one' }).child('config', ConfigMap, ({ spec }) => ({
      data: { text: spec.text },
    }))
    const two = operator(Widget, { name: 'two' }).child('secret', Secret, ({ spec }) => ({
      data: { text: btoa(spec.text) },
    }))
    const process = await world.start([one, two])
    await world.client.create(Widget, widget('a'))
    await world.eventually(async () => {
      expect((await world.client.get(ConfigMap, 'a')).data).toEqual({ text: 'a' })
      expect((await world.client.get(Secret, 'a')).data).toEqual({ text: btoa('a') })
    })
    await world.eventually(() => expect(process.reports).toHaveLength(2))
    process.writes()
    expect(process.faults.requests.filter(isWatch)).toHaveLength(3)
    await world.settle()
    expect(process.writes()).toEqual([])
    expect(await world.client.find(ConfigMap, 'a')).toBeDefined()
    expect(await world.client.find(Secret, 'a')).toBeDefined()
  },
)

/** Two replicas, and their writes. */
async function replicas(world: World, Widget: WidgetDefinition, hostVariant?: 'fastClock') {
  const reconciledBy: string[] = []
  const replica = (identity: string) => {
    const widgets = operator(Widget)
      .child('config', ConfigMap, ({ spec }) => ({ data: { text: spec.text } }))
      .reconcile(async () => void reconciledBy.push(identity))
    const election = { name: 'widgets', identity }
    return world.start([widgets], {
      election,
      ...(hostVariant === undefined ? {} : { hostVariant }),
    })
  }
  const one = await replica('one')
  await world.eventually(() => expect(one.running.isLeader).toBe(true))
  const two = await replica('two')
  await world.client.create(Widget, widget('a'))
  await world.eventually(async () =>
    expect((await world.client.get(ConfigMap, 'a')).data).toEqual({ text: 'a' }),
  )
  await waitForReconcile(world, one, 'a')
  expect(two.running.isLeader).toBe(false)
  return { one, two, reconciledBy }
}

/** Long enough for several renewals of the Lease. */
async function sleepForRenewals(world: World): Promise<void> {
  await world.host.sleep(world.name === 'virtual' ? 60_000 : 1_000)
}

/** A write is visible a moment before its reconcile ends. */
async function waitForReconcile(
  world: World,
  { reports }: OperatorProcess,
  name: string,
): Promise<void> {
  const isReconciled = ({ run, result }: RunReport): boolean =>
    run.key.endsWith(`/${name}`) && result === 'done'
  await world.eventually(() => expect(reports.some(isReconciled)).toBe(true))
}

async function expectTakeover(world: World, Widget: WidgetDefinition, second: OperatorProcess) {
  await world.client.create(Widget, widget('b'))
  await world.eventually(() => expect(second.running.isLeader).toBe(true))
  await world.eventually(async () =>
    expect((await world.client.get(ConfigMap, 'b')).data).toEqual({ text: 'b' }),
  )
  await waitForReconcile(world, second, 'b')
}

inEveryWorld('a standby takes over when the leader stops', async (world) => {
  const Widget = widgetIn(world)
  await world.install(Widget)
  const { one, two, reconciledBy } = await replicas(world, Widget)
  expect(reconciledBy).toEqual(['one'])
  expect(two.writes()).toEqual([])
  await one.stop()
  expect((await world.client.get(Lease, 'widgets')).spec.holderIdentity ?? '').not.toBe('one')
  await expectTakeover(world, Widget, two)
  await sleepForRenewals(world)
  // The state is as desired: the second replica reconciles it and writes nothing.
  expect(two.writes()).toEqual(['configmaps', 'widgets/status'])
  expect(reconciledBy.indexOf('two')).toBe(reconciledBy.lastIndexOf('one') + 1)
})

inEveryWorld(
  'a standby takes over when the leader loses its network, and never both write',
  async (world) => {
    const Widget = widgetIn(world)
    await world.install(Widget)
    const { one, two, reconciledBy } = await replicas(world, Widget, 'fastClock')
    await one.faults.close()
    await expectTakeover(world, Widget, two)
    // The former leader stopped before the other one started.
    expect(one.running.isLeader).toBe(false)
    await one.faults.reopen()
    one.writes()
    await world.client.patch(Widget, 'a', { merge: { spec: { text: 'changed' } } })
    await world.eventually(async () =>
      expect((await world.client.get(ConfigMap, 'a')).data).toEqual({ text: 'changed' }),
    )
    await sleepForRenewals(world)
    expect(one.writes()).toEqual([])
    expect(one.running.isLeader).toBe(false)
    expect(reconciledBy.indexOf('two')).toBe(reconciledBy.lastIndexOf('one') + 1)
  },
)

inEveryWorld(
  'a standby whose watches went silent does not use stale objects',
  async (world) => {
    const Widget = widgetIn(world)
    await world.install(Widget)
    const seen: string[] = []
    const replica = (identity: string) => {
      const widgets = operator(Widget).reconcile(
        async ({ metadata }) => void seen.push(`${identity} ${metadata.name}`),
      )
      return world.start([widgets], { election: { name: 'widgets', identity } })
    }
    const one = await replica('one')
    await world.eventually(() => expect(one.running.isLeader).toBe(true))
    const two = await replica('two')
    await world.eventually(() => expect(two.faults.watches).toBe(1))
    await world.client.create(Widget, widget('a'))
    await world.eventually(() => expect(seen).toEqual(['one a']))
    two.faults.injectWatchFault('stall')
    await world.client.delete(Widget, 'a')
    await world.client.create(Widget, widget('b'))
    await world.eventually(() => expect(seen).toEqual(['one a', 'one b']))
    await world.host.sleep(10_000)
    await one.stop()
    await world.eventually(() => expect(seen).toContain('two b'))
    expect(seen).toEqual(['one a', 'one b', 'two b'])
  },
  ['virtual'],
)
