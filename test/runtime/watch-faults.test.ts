import { expect } from 'vitest'
import { operator } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import { isList, isWatch, type ProxiedRequest } from './proxied-request.ts'
import { generationsOf, ledgerOperator, widget, widgetIn } from './widgets.ts'
import type { OperatorProcess, World } from './world.ts'

/** A fault, around changes that it may hide. */
interface Fault {
  readonly sentence: string
  /** Before the changes. */
  readonly begin: (process: OperatorProcess, world: World) => unknown
  /** After the changes, if it does not pass by itself. */
  readonly end?: (process: OperatorProcess, world: World) => unknown
  readonly pace?: 'impatient'
  /** Whether the server forgot what was before: only then are collections read again. */
  readonly forgets?: true
}

/** A watch that goes on where another one stopped. */
const isResumed = (request: ProxiedRequest): boolean => isWatch(request) && !isList(request)

const faults: readonly Fault[] = [
  { sentence: 'watches that are reset', begin: ({ faults: proxy }) => proxy.resetWatches() },
  {
    sentence: 'watches that are reset in the middle of a line',
    begin: ({ faults: proxy }) => proxy.disturbWatches('reset-in-line'),
  },
  {
    sentence: 'watches whose connection ends in the middle of a line',
    begin: ({ faults: proxy }) => proxy.disturbWatches('hang-up-in-line'),
  },
  {
    sentence: 'watches whose answer ends in the middle of a line',
    begin: ({ faults: proxy }) => proxy.disturbWatches('end-in-line'),
  },
  {
    sentence: 'watches that go silent',
    begin: ({ faults: proxy }) => proxy.disturbWatches('stall'),
    pace: 'impatient',
  },
  {
    sentence: 'watches that the server no longer knows, by its answer',
    begin: ({ faults: proxy }) => {
      proxy.answer(isResumed, { status: 410, reason: 'Expired' }, 2)
      proxy.resetWatches()
    },
    forgets: true,
  },
  {
    sentence: 'watches that the server no longer knows, by an event',
    begin: ({ faults: proxy }) => proxy.expireWatches(),
    forgets: true,
  },
  {
    sentence: 'a restart of the API server',
    begin: (process, world) => world.restartServer(process),
  },
  {
    sentence: 'connections that are refused for a while',
    begin: ({ faults: proxy }) => proxy.close(),
    end: async ({ faults: proxy }, world) => {
      await world.host.sleep(1_000)
      await proxy.reopen()
    },
  },
  {
    sentence: 'a token that expired, with a new one in its file',
    begin: async (process) => {
      const old = await process.renewToken()
      const isOld = ({ headers }: { headers: Readonly<Record<string, string>> }): boolean =>
        headers['authorization'] === `Bearer ${old}`
      process.faults.answer(isOld, { status: 401, reason: 'Unauthorized' }, Infinity)
      process.faults.resetWatches()
    },
  },
  {
    sentence: 'a token that expired, with a new one that comes late',
    begin: ({ faults: proxy }) => {
      proxy.answer(() => true, { status: 401, reason: 'Unauthorized' }, Infinity)
      proxy.resetWatches()
    },
    end: async ({ faults: proxy }, world) => {
      await world.host.sleep(500)
      proxy.forgive()
    },
  },
  {
    sentence: 'a server that fails for a while',
    begin: ({ faults: proxy }) => {
      proxy.answer(() => true, { status: 500, reason: 'InternalError' }, 2)
      proxy.resetWatches()
    },
  },
]

const names = ['a', 'b', 'c', 'd', 'e', 'f']

for (const { sentence, begin, end, pace, forgets } of faults) {
  inEveryWorld(`no state is missed and none is seen twice after ${sentence}`, async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    const { widgets, ledger, deleted } = ledgerOperator(Widget)
    const process = await it.start([widgets], pace === undefined ? {} : { pace })
    for (const name of names) await it.client.create(Widget, widget(name))
    await it.eventually(() => expect(process.reports).toHaveLength(names.length))
    await it.eventually(() => expect(process.faults.watches).toBe(2))
    process.lists()

    await begin(process, it)
    await it.eventually(() => it.client.patch(Widget, 'a', { merge: { spec: { text: 'second' } } }))
    await it.client.patch(Widget, 'a', { merge: { spec: { text: 'third' } } })
    await it.client.delete(Widget, 'b')
    await it.client.create(Widget, widget('new'))
    await it.client.delete(ConfigMap, 'c')
    await end?.(process, it)

    await it.eventually(async () => {
      expect(ledger.findLast(({ name }) => name === 'a')).toMatchObject({ text: 'third' })
      expect(await it.client.find(Widget, 'b')).toBeUndefined()
      const { data } = await it.client.get(ConfigMap, 'a')
      expect(data).toEqual({ text: 'third' })
      expect(await it.client.find(ConfigMap, 'new')).toBeDefined()
      expect(await it.client.find(ConfigMap, 'c')).toBeDefined()
      // An entry is made when the work is done, a moment after others can see it.
      expect(generationsOf(ledger, 'c')).toHaveLength(2)
      expect(generationsOf(ledger, 'new')).toHaveLength(1)
    })
    await it.quiet()
    expect(deleted).toEqual(['b'])
    const isRising = (generations: readonly number[]): boolean =>
      generations.every((one, index) => index === 0 || one > (generations[index - 1] ?? 0))
    expect(generationsOf(ledger, 'a')).toSatisfy(isRising)
    for (const name of ['d', 'e', 'f', 'new']) expect(generationsOf(ledger, name)).toEqual([1])
    // It was run again for its child.
    expect(generationsOf(ledger, 'c')).toEqual([1, 1])
    // Collections are read again only where the server forgot; a restarted one may have, too.
    const forgotten = process.faults.requests.filter(({ code }) => code === 410)
    if (forgets === true) expect(forgotten).toHaveLength(2)
    expect(process.lists()).toBe(forgotten.length)
  })
}

inEveryWorld(
  'an object that leaves the selection is let go, although the server forgot that it did',
  async (it) => {
    const Widget = widgetIn(it)
    await it.install(Widget)
    const chosen = operator(Widget, { labelSelector: 'mine=yes' }).onDelete(async () => undefined)
    const { faults: proxy } = await it.start([chosen])
    const { spec } = widget('a')
    await it.client.create(Widget, { metadata: { name: 'a', labels: { mine: 'yes' } }, spec })
    const finalizers = async () => (await it.client.get(Widget, 'a')).metadata.finalizers ?? []
    await it.eventually(async () => expect(await finalizers()).toHaveLength(1))
    await proxy.close()
    await it.client.patch(Widget, 'a', { merge: { metadata: { labels: { mine: null } } } })
    proxy.answer(isResumed, { status: 410, reason: 'Expired' })
    await proxy.reopen()
    await it.eventually(async () => expect(await finalizers()).toEqual([]))
  },
)
