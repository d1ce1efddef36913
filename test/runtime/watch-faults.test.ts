import { expect } from 'vitest'
import { operator } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { isList, isWatch, type ProxiedRequest } from './proxied-request.ts'
import { generationsOf, recordingOperator, widget, widgetIn } from './widgets.ts'
import type { OperatorProcess, World } from './world.ts'

/** A fault during which changes are made. */
interface Fault {
  readonly title: string
  /** Before the changes. */
  readonly begin: (process: OperatorProcess, world: World) => unknown
  /** Ends the fault after the changes, if it does not end by itself. */
  readonly end?: (process: OperatorProcess, world: World) => unknown
  readonly hostVariant?: 'shortWatchTimeout'
  /** Whether the server no longer has the revision: only then is a relist expected. */
  readonly isRevisionExpired?: true
}

/** A watch from a revision. */
const isResumed = (request: ProxiedRequest): boolean => isWatch(request) && !isList(request)

const faults: readonly Fault[] = [
  { title: 'watches that are reset', begin: ({ faults: proxy }) => proxy.resetWatches() },
  {
    title: 'watches that are reset in the middle of a line',
    begin: ({ faults: proxy }) => proxy.injectWatchFault('reset-in-line'),
  },
  {
    title: 'watches whose connection ends in the middle of a line',
    begin: ({ faults: proxy }) => proxy.injectWatchFault('close-in-line'),
  },
  {
    title: 'watches whose response ends in the middle of a line',
    begin: ({ faults: proxy }) => proxy.injectWatchFault('end-in-line'),
  },
  {
    title: 'silent watches',
    begin: ({ faults: proxy }) => proxy.injectWatchFault('stall'),
    hostVariant: 'shortWatchTimeout',
  },
  {
    title: 'watches with an expired revision, as a 410 response',
    begin: ({ faults: proxy }) => {
      proxy.respond(isResumed, { status: 410, reason: 'Expired' }, 2)
      proxy.resetWatches()
    },
    isRevisionExpired: true,
  },
  {
    title: 'watches with an expired revision, as an ERROR event',
    begin: ({ faults: proxy }) => proxy.expireWatches(),
    isRevisionExpired: true,
  },
  {
    title: 'a restart of the API server',
    begin: (process, world) => world.restartServer(process),
  },
  {
    title: 'connections that are refused for a while',
    begin: ({ faults: proxy }) => proxy.close(),
    end: async ({ faults: proxy }, world) => {
      await world.host.sleep(1_000)
      await proxy.reopen()
    },
  },
  {
    title: 'an expired token with a new one in its file',
    begin: async (process) => {
      const old = await process.renewToken()
      const isOld = ({ headers }: { headers: Readonly<Record<string, string>> }): boolean =>
        headers['authorization'] === `Bearer ${old}`
      process.faults.respond(isOld, { status: 401, reason: 'Unauthorized' }, Infinity)
      process.faults.resetWatches()
    },
  },
  {
    title: 'an expired token whose replacement comes late',
    begin: ({ faults: proxy }) => {
      proxy.respond(() => true, { status: 401, reason: 'Unauthorized' }, Infinity)
      proxy.resetWatches()
    },
    end: async ({ faults: proxy }, world) => {
      await world.host.sleep(500)
      proxy.clearRules()
    },
  },
  {
    title: 'a server that fails for a while',
    begin: ({ faults: proxy }) => {
      proxy.respond(() => true, { status: 500, reason: 'InternalError' }, 2)
      proxy.resetWatches()
    },
  },
]

const names = ['a', 'b', 'c', 'd', 'e', 'f']

for (const { title, begin, end, hostVariant, isRevisionExpired } of faults) {
  inEveryWorld(`misses no state and sees none twice after ${title}`, async (world) => {
    const Widget = widgetIn(world)
    await world.install(Widget)
    const { widgets, reconciled, deleted } = recordingOperator(Widget)
    const process = await world.start([widgets], hostVariant === undefined ? {} : { hostVariant })
    for (const name of names) await world.client.create(Widget, widget(name))
    await world.eventually(() => expect(process.reports).toHaveLength(names.length))
    await world.eventually(() => expect(process.faults.watches).toBe(2))
    process.lists()

    await begin(process, world)
    await world.eventually(() =>
      world.client.patch(Widget, 'a', { merge: { spec: { text: 'second' } } }),
    )
    await world.client.patch(Widget, 'a', { merge: { spec: { text: 'third' } } })
    await world.client.delete(Widget, 'b')
    await world.client.create(Widget, widget('new'))
    await world.client.delete(ConfigMap, 'c')
    await end?.(process, world)

    await world.eventually(async () => {
      expect(reconciled.findLast(({ name }) => name === 'a')).toMatchObject({ text: 'third' })
      expect(await world.client.find(Widget, 'b')).toBeUndefined()
      const { data } = await world.client.get(ConfigMap, 'a')
      expect(data).toEqual({ text: 'third' })
      expect(await world.client.find(ConfigMap, 'new')).toBeDefined()
      expect(await world.client.find(ConfigMap, 'c')).toBeDefined()
      // An entry is added at the end of a reconcile, a moment after its writes are visible.
      expect(generationsOf(reconciled, 'c')).toHaveLength(2)
      expect(generationsOf(reconciled, 'new')).toHaveLength(1)
    })
    await world.settle()
    expect(deleted).toEqual(['b'])
    const isRising = (generations: readonly number[]): boolean =>
      generations.every((one, index) => index === 0 || one > (generations[index - 1] ?? 0))
    expect(generationsOf(reconciled, 'a')).toSatisfy(isRising)
    for (const name of ['d', 'e', 'f', 'new']) expect(generationsOf(reconciled, name)).toEqual([1])
    // Its child caused another reconcile.
    expect(generationsOf(reconciled, 'c')).toEqual([1, 1])
    // A relist is expected only for an expired revision, and possible after a restart of the
    // server.
    const expired = process.faults.requests.filter(({ code }) => code === 410)
    if (isRevisionExpired === true) expect(expired).toHaveLength(2)
    expect(process.lists()).toBe(expired.length)
  })
}

inEveryWorld(
  'releases an object that is deselected while the revision of the watch expires',
  async (world) => {
    const Widget = widgetIn(world)
    await world.install(Widget)
    const chosen = operator(Widget, { labelSelector: 'mine=yes' }).onDelete(async () => undefined)
    const { faults: proxy } = await world.start([chosen])
    const { spec } = widget('a')
    await world.client.create(Widget, { metadata: { name: 'a', labels: { mine: 'yes' } }, spec })
    const finalizers = async () => (await world.client.get(Widget, 'a')).metadata.finalizers ?? []
    await world.eventually(async () => expect(await finalizers()).toHaveLength(1))
    await proxy.close()
    await world.client.patch(Widget, 'a', { merge: { metadata: { labels: { mine: null } } } })
    proxy.respond(isResumed, { status: 410, reason: 'Expired' })
    await proxy.reopen()
    await world.eventually(async () => expect(await finalizers()).toEqual([]))
  },
)
