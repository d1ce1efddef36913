import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CompactedError, RevisionConflictError, Store, type StoredObject } from './index.ts'

function newStore(options: Partial<ConstructorParameters<typeof Store>[0]> = {}): Store {
  return new Store({ now: () => 0, ...options })
}

function put(store: Store, key: string, expected: number): StoredObject {
  return store.put({
    bucket: 'things',
    key,
    expected,
    schemaTag: '',
    labels: undefined,
    serialise: (revision) => `${key}@${revision}`,
  })
}

function remove(store: Store, key: string, expected: number): StoredObject {
  return store.remove({
    bucket: 'things',
    key,
    expected,
    schemaTag: '',
    labels: undefined,
    serialise: (revision) => `${key} gone@${revision}`,
  })
}

const texts = (objects: Iterable<StoredObject>): string[] => Array.from(objects, ({ text }) => text)

describe('writes', () => {
  test('get one revision each, counted over all buckets', () => {
    const store = newStore()
    const a = put(store, 'a', 0)
    const other = store.put({
      bucket: 'others',
      key: 'a',
      expected: 0,
      schemaTag: '',
      labels: undefined,
      serialise: String,
    })
    expect(other.revision).toBe(a.revision + 1)
    expect(store.revision).toBe(other.revision)
  })

  test('must expect the stored revision, and get it in the error otherwise', () => {
    const store = newStore()
    const { revision } = put(store, 'a', 0)
    expect(() => put(store, 'a', 0)).toThrow(RevisionConflictError)
    expect(() => put(store, 'a', revision - 1)).toThrow(`the stored revision is ${revision}`)
    expect(() => remove(store, 'b', 7)).toThrow('the stored revision is 0')
    expect(texts(store.list('things', ''))).toEqual([`a@${revision}`])
  })

  test('change nothing when serialisation fails', () => {
    const store = newStore()
    const before = store.revision
    const write = {
      bucket: 'things',
      key: 'a',
      expected: 0,
      schemaTag: '',
      labels: undefined,
      serialise: () => {
        throw new Error('too large')
      },
    }
    expect(() => store.put(write)).toThrow('too large')
    expect(store.revision).toBe(before)
    expect(store.get('things', 'a')).toBeUndefined()
  })
})

describe('history', () => {
  test('returns a list at a past revision, including deleted objects', () => {
    const store = newStore()
    const a = put(store, 'n/a', 0)
    const b = put(store, 'n/b', 0)
    put(store, 'n/a', a.revision)
    remove(store, 'n/b', b.revision)
    expect(texts(store.list('things', 'n/', b.revision))).toEqual([a.text, b.text])
    expect(texts(store.list('things', 'n/'))).toHaveLength(1)
  })

  test('is dropped by a compaction, and the state is kept', () => {
    const store = newStore()
    const a = put(store, 'a', 0)
    const again = put(store, 'a', a.revision)
    store.compact()
    expect(() => store.list('things', '', a.revision)).toThrow(CompactedError)
    expect(() => store.watch('things', a.revision)).toThrow(CompactedError)
    expect(texts(store.list('things', ''))).toEqual([again.text])
    expect(store.watch('things', again.revision).take()).toBeUndefined()
  })

  test('is limited by the number of events, their size and their age', () => {
    const byCount = newStore({ historyEventsMax: 10 })
    const bySize = newStore({ historyCharactersMax: 100 })
    let nowMs = 0
    const byAge = newStore({ now: () => nowMs, historyAgeMs: 10 })
    for (let index = 0; index < 100; index += 1) {
      nowMs += 1
      for (const store of [byCount, bySize, byAge]) put(store, `key-${index}`, 0)
    }
    for (const store of [byCount, bySize, byAge]) {
      const kept = store.revision - store.oldestRevision
      expect(kept).toBeGreaterThan(5)
      expect(kept).toBeLessThanOrEqual(11)
    }
  })
})

describe('a watch', () => {
  test('wakes once per wait', () => {
    const store = newStore()
    const watch = store.watch('things', store.revision)
    let wakes = 0
    watch.wait(() => (wakes += 1))
    put(store, 'a', 0)
    put(store, 'b', 0)
    expect(wakes).toBe(1)
    expect([watch.take()?.current.key, watch.take()?.current.key, watch.take()]).toEqual([
      'a',
      'b',
      undefined,
    ])
  })

  test('fails when its events were compacted', () => {
    const store = newStore({ historyEventsMax: 5 })
    const watch = store.watch('things', store.revision)
    for (let index = 0; index < 20; index += 1) put(store, `k${index}`, 0)
    expect(() => watch.take()).toThrow(CompactedError)
  })

  test('delivers a deletion with the last state and the revision of the deletion', () => {
    const store = newStore()
    const a = put(store, 'a', 0)
    const watch = store.watch('things', a.revision)
    const gone = remove(store, 'a', a.revision)
    const event = watch.take()
    expect(event).toMatchObject({ type: 'deleted', revision: gone.revision, previous: a })
    expect(event?.current.text).toBe(`a gone@${gone.revision}`)
  })
})

test('any list plus the later events results in the state, at every revision', () => {
  const operation = fc.record({
    key: fc.constantFrom('a/x', 'a/y', 'b/x', 'b/z', 'ab/x'),
    isRemoval: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const store = newStore()
      const states: [number, string[]][] = [[store.revision, []]]
      for (const { key, isRemoval } of operations) {
        const expected = store.get('things', key)?.revision ?? 0
        if (!isRemoval) put(store, key, expected)
        else if (expected > 0) remove(store, key, expected)
        states.push([store.revision, texts(store.list('things', ''))])
      }
      for (const [revision, expected] of states) {
        expect(texts(store.list('things', '', revision))).toEqual(expected)
        const state = new Map<string, string>()
        for (const object of store.list('things', '', revision)) state.set(object.key, object.text)
        const watch = store.watch('things', revision)
        for (let event = watch.take(); event !== undefined; event = watch.take()) {
          if (event.type === 'deleted') state.delete(event.current.key)
          else state.set(event.current.key, event.current.text)
        }
        const now = [...state].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
        expect(now).toEqual(texts(store.list('things', '')))
      }
    }),
    { numRuns: 200 },
  )
})

test('a snapshot has the state and the revision without history', () => {
  const store = newStore()
  const a = put(store, 'a', 0)
  put(store, 'b', 0)
  const copy = new Store({ now: () => 0 }, store.snapshot())
  expect(copy.revision).toBe(store.revision)
  expect(texts(copy.list('things', ''))).toEqual(texts(store.list('things', '')))
  expect(() => copy.watch('things', a.revision)).toThrow(CompactedError)
  expect(put(copy, 'c', 0).revision).toBe(store.revision + 1)
})
