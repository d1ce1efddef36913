import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type VirtualHost, virtualHost } from 'setpoint/host'
import { Store } from '../store/index.ts'
import { DataDirectory } from './data-directory.ts'
import { journalLine } from './journal-lines.ts'
import { headerOf } from './journal-records.ts'
import { recover, type RecoveredState, UnreadableStateError } from './recover.ts'

const identity = { tokenKey: 'key', authority: { cert: 'cert', key: 'key' } }
const path = '/data'

/** The state as text, to compare two of them. */
function stateOf(store: Store): string {
  const { revision, buckets } = store.snapshot()
  const filled = Object.entries(buckets).filter(([, objects]) => objects.length > 0)
  return JSON.stringify([revision, filled.sort(([left], [right]) => (left < right ? -1 : 1))])
}

function restored({ snapshot, entries }: RecoveredState): Store {
  const store = new Store({ now: () => 0 }, snapshot)
  store.replay(entries)
  return store
}

type Action = { readonly bucket: string; readonly key: string; readonly text: string | undefined }

/** Writes or deletes an object; a deletion of a missing one does nothing. */
function act(store: Store, { bucket, key, text }: Action): void {
  const expected = store.get(bucket, key)?.revision ?? 0
  const labels = text === undefined || text.length < 3 ? undefined : { a: text }
  const write = { bucket, key, expected, schemaTag: 't', labels }
  if (text !== undefined) store.put({ ...write, serialise: () => text })
  else if (expected > 0) store.remove({ ...write, serialise: () => 'gone' })
}

async function filesOf(host: VirtualHost): Promise<Map<string, Uint8Array>> {
  const names = await host.listDirectory(path)
  const files = new Map<string, Uint8Array>()
  for (const name of names) {
    if (name !== 'identity.json') files.set(name, await host.readFile(`${path}/${name}`))
  }
  return files
}

async function opened(host: VirtualHost, logCharactersMax?: number): Promise<DataDirectory> {
  return DataDirectory.open(path, { host, journals: host, logCharactersMax })
}

const actions = fc.array(
  fc.record({
    bucket: fc.constantFrom('/pods', 'apps/deployments'),
    key: fc.constantFrom('a', 'b', 'ns/c'),
    text: fc.option(fc.string({ unit: 'binary', maxLength: 6 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 12 },
)

test('a log that is cut at any byte gives the state after its last complete change', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (history) => {
      using host = virtualHost({ seed: 1 })
      const store = new Store({ now: () => 0 })
      const directory = await opened(host)
      await directory.begin(store, identity)
      const log = 'log-00000001'
      const begun = (await filesOf(host)).get(log)?.length ?? 0
      const states = new Map([[begun, stateOf(store)]])
      for (const action of history) {
        act(store, action)
        states.set((await filesOf(host)).get(log)?.length ?? 0, stateOf(store))
      }
      const files = await filesOf(host)
      const bytes = files.get(log) ?? new Uint8Array()
      let expected = stateOf(new Store({ now: () => 0 }))
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        expected = states.get(cut) ?? expected
        const state = recover(new Map([...files, [log, bytes.subarray(0, cut)]]))
        expect(state && stateOf(restored(state))).toBe(expected)
      }
      await directory.close()
    }),
    { numRuns: 20 },
  )
})

test('a process that is killed at any byte of a snapshot recovers from the files before it', async () => {
  using host = virtualHost({ seed: 1 })
  const store = new Store({ now: () => 0 })
  const directory = await opened(host, 400)
  await directory.begin(store, identity)
  for (let index = 0; index < 3; index += 1) {
    act(store, { bucket: '/pods', key: `p${index}`, text: 'text' })
  }
  await host.settle()
  const before = await filesOf(host)
  expect([...before.keys()]).toEqual(['log-00000001', 'snapshot-00000001'])
  for (let index = 3; index < 9; index += 1) {
    act(store, { bucket: '/pods', key: `p${index}`, text: 'text' })
  }
  const full = await host.readFile(`${path}/log-00000001`)
  await host.settle()
  const after = await filesOf(host)
  expect([...after.keys()]).toEqual(['log-00000002', 'snapshot-00000002'])
  const snapshot = after.get('snapshot-00000002') ?? new Uint8Array()
  const expected = stateOf(store)
  for (let cut = 0; cut <= snapshot.length; cut += 1) {
    const files = new Map([...before, ...after, ['log-00000001', full]])
    files.set('snapshot-00000002', snapshot.subarray(0, cut))
    const state = recover(files)
    expect(state && stateOf(restored(state))).toBe(expected)
  }
  await directory.close()
})

test('a changed byte is refused, or changes nothing', async () => {
  using host = virtualHost({ seed: 1 })
  const store = new Store({ now: () => 0 })
  const directory = await opened(host)
  act(store, { bucket: '/pods', key: 'first', text: 'one' })
  await directory.begin(store, identity)
  act(store, { bucket: '/pods', key: 'second', text: 'two' })
  act(store, { bucket: '/pods', key: 'third', text: 'three' })
  const files = await filesOf(host)
  const expected = stateOf(store)
  for (const [name, bytes] of files) {
    // The last line break of a log cannot be distinguished from a line that was cut off.
    for (let at = 0; at < bytes.length - 1; at += 1) {
      const changed = Uint8Array.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0x01
      try {
        const state = recover(new Map([...files, [name, changed]]))
        expect(state && stateOf(restored(state))).toBe(expected)
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableStateError)
      }
    }
  }
  await directory.close()
})

test('an opened directory continues after a cut line, with its history', async () => {
  using host = virtualHost({ seed: 1 })
  const store = new Store({ now: () => 0 })
  const first = await opened(host)
  await first.begin(store, identity)
  act(store, { bucket: '/pods', key: 'a', text: 'one' })
  await first.close()
  const log = `${path}/log-00000001`
  const bytes = await host.readFile(log)
  await host.writeFile(log, new Uint8Array([...bytes, 0x61, 0x62]))
  const second = await opened(host)
  expect(second.recovered?.identity).toEqual(identity)
  const again = restored(
    second.recovered ?? { snapshot: store.snapshot(), entries: [], generation: 0 },
  )
  await second.begin(again, identity)
  act(again, { bucket: '/pods', key: 'b', text: 'two' })
  expect(again.watch('/pods', 1).take()).toMatchObject({ revision: 2, type: 'created' })
  await second.close()
  const third = await opened(host)
  expect(third.recovered && stateOf(restored(third.recovered))).toBe(stateOf(again))
  await third.close()
})

test('a write that cannot be appended fails and changes nothing', async () => {
  using host = virtualHost({ seed: 1 })
  const store = new Store({ now: () => 0 })
  let isFull = false
  const journals = {
    lockDirectory: host.lockDirectory,
    openJournal: async (name: string) => {
      const file = await host.openJournal(name)
      const append = (text: string): void => {
        if (isFull) throw new Error('no space left on device')
        file.append(text)
      }
      return { ...file, append }
    },
  }
  const directory = await DataDirectory.open(path, { host, journals })
  await directory.begin(store, identity)
  const before = stateOf(store)
  isFull = true
  expect(() => act(store, { bucket: '/pods', key: 'a', text: 'one' })).toThrow('no space left')
  expect(stateOf(store)).toBe(before)
  isFull = false
  act(store, { bucket: '/pods', key: 'a', text: 'one' })
  await directory.close()
})

test('a directory is used by one cluster at a time', async () => {
  using host = virtualHost({ seed: 1 })
  const directory = await opened(host)
  await expect(opened(host)).rejects.toMatchObject({ code: 'CLUSTER_DATA_IN_USE' })
  await directory.close()
  await (await opened(host)).close()
})

test.each([
  ['other files', { '/data/notes.txt': 'hello' }, 'it is not empty'],
  [
    'a newer format',
    {
      '/data/identity.json': '{}',
      '/data/snapshot-00000001': journalLine({ ...headerOf('snapshot', 1), version: 2 }),
    },
    'version 2 of the format',
  ],
  ['no snapshot', { '/data/identity.json': '{}', '/data/log-00000001': 'a\nb\n' }, 'no complete'],
])('a directory with %s is refused, with what to do', async (_, files, why) => {
  using host = virtualHost({ seed: 1, files })
  await expect(opened(host)).rejects.toMatchObject({
    code: 'CLUSTER_DATA_UNREADABLE',
    message: expect.stringContaining(why) as string,
    hint: expect.stringContaining('move it away') as string,
  })
})

test('a first start that was killed before it was complete begins again', async () => {
  const files = {
    '/data/identity.json': '{}',
    '/data/log-00000001': '',
    '/data/snapshot-00000001': 'x',
  }
  using host = virtualHost({ seed: 1, files })
  const store = new Store({ now: () => 0 })
  const directory = await opened(host)
  expect(directory.recovered).toBeUndefined()
  await directory.begin(store, identity)
  act(store, { bucket: '/pods', key: 'a', text: 'one' })
  await directory.close()
  const again = await opened(host)
  expect(again.recovered && stateOf(restored(again.recovered))).toBe(stateOf(store))
  await again.close()
})
