import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonEquals } from '../schema/json-value.ts'
import type { Essence } from './essence.ts'
import { isSameEssence } from './essence.ts'
import type { ChangeHandler } from './declare/handler-declaration.ts'
import { changeFor } from './match.ts'
import {
  advanceMemory,
  lastHandledState,
  type Memory,
  readMemory,
  settleMemory,
  writtenMemory,
} from './memory.ts'

const handler = (id: string, on: 'create' | 'update', path: string[] = []): ChangeHandler => ({
  id,
  on,
  path,
  isNarrow: path.length > 0,
  options: {},
  run: async () => undefined,
})

const handlers = [
  handler('create-1', 'create'),
  handler('create-2', 'create'),
  handler('all', 'update'),
  handler('all-2', 'update'),
  handler('size', 'update', ['spec', 'size']),
]

/** No filters. */
const unfiltered = {
  handlers,
  matches: () => true,
  accepts: (_: ChangeHandler, filter: () => boolean) => filter(),
}

interface Call {
  readonly id: string
  readonly old: unknown
  readonly new: unknown
  readonly isDone: boolean
}

/** The life of an object: its state at each reconcile, and the handlers that fail then. */
const life = fc.array(
  fc.record({
    size: fc.integer({ min: 1, max: 3 }),
    mode: fc.integer({ min: 1, max: 2 }),
    failing: fc.subarray(handlers.map(({ id }) => id)),
    restarts: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
)

function essence(size: number, mode: number): Essence {
  return { metadata: {}, spec: { size, mode } }
}

/** One reconcile, as the runtime does it, without writes. */
function reconcileOnce(
  memory: Memory | undefined,
  now: Essence,
  log: { calls: Call[]; failing?: string[] },
) {
  const { calls, failing = [] } = log
  const at = { ...unfiltered, essence: now }
  let current = advanceMemory(memory, at)
  const round = (): void => {
    for (const each of handlers) {
      if (current?.progress?.[each.id] === undefined) continue
      const isDone = !failing.includes(each.id)
      calls.push({ ...changeFor(each, lastHandledState(current, each), now), id: each.id, isDone })
      if (!isDone) continue
      const { [each.id]: _, ...progress } = current.progress
      current = { ...current, progress }
    }
  }
  round()
  if (current?.isCreating === true && Object.keys(current.progress ?? {}).length === 0) {
    current = advanceMemory(settleMemory(current), at)
    round()
  }
  return current && settleMemory(current)
}

test('passes every handler every change since its last success', () => {
  fc.assert(
    fc.property(life, (states) => {
      const calls: Call[] = []
      let memory: Memory | undefined
      let now = essence(0, 0)
      for (const { size, mode, failing, restarts } of states) {
        now = essence(size, mode)
        memory = reconcileOnce(memory, now, { calls, failing })
        if (restarts && memory !== undefined)
          memory = readMemory(writtenMemory(memory, handlers).text)
      }
      memory = reconcileOnce(memory, now, { calls })
      const first = essence(states[0]?.size ?? 0, states[0]?.mode ?? 0)
      for (const { id, on, path } of handlers.filter((each) => each.on === 'update')) {
        const part = (value: Essence): unknown =>
          path.length === 0 ? value : (value['spec'] as { size: number }).size
        let last = part(first)
        for (const call of calls.filter((each) => each.id === id)) {
          expect(call.old).toEqual(last)
          if (call.isDone) last = call.new
        }
        expect(on).toBe('update')
        expect(last).toEqual(part(now))
      }
      // After the last reconcile only the handled state remains.
      expect(memory).toEqual({ handled: now })
    }),
    { numRuns: 500 },
  )
})

test('handles a creation exactly once per handler, before any update', () => {
  fc.assert(
    fc.property(life, (states) => {
      const calls: Call[] = []
      let memory: Memory | undefined
      let now = essence(0, 0)
      for (const { size, mode, failing } of [...states, ...states.slice(-1)]) {
        now = essence(size, mode)
        memory = reconcileOnce(memory, now, { calls, failing })
      }
      reconcileOnce(memory, now, { calls })
      const done = calls.filter(({ isDone }) => isDone).map(({ id }) => id)
      for (const id of ['create-1', 'create-2']) {
        expect(done.filter((each) => each === id)).toHaveLength(1)
      }
      const lastCreate = calls.findLastIndex(({ id }) => id.startsWith('create'))
      const firstUpdate = calls.findIndex(({ id }) => !id.startsWith('create'))
      if (firstUpdate !== -1) expect(firstUpdate).toBeGreaterThan(lastCreate)
    }),
  )
})

test('has nothing to do for an unchanged object', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (size, mode) => {
      const memory = { handled: essence(size, mode) }
      expect(advanceMemory(memory, { ...unfiltered, essence: essence(size, mode) })).toBe(memory)
    }),
  )
})

test('replaces a state that is too large by hashes that still detect a change', () => {
  const large: Essence = { metadata: {}, spec: { text: 'x'.repeat(70_000) } }
  const other: Essence = { metadata: {}, spec: { text: 'y'.repeat(70_000) } }
  const memory: Memory = {
    handled: large,
    target: other,
    progress: { a: { attempts: 1, nextMs: 5, from: large } },
  }
  const { text, isTooLarge } = writtenMemory(memory, handlers)
  expect(isTooLarge).toBe(true)
  expect(text.length).toBeLessThan(200)
  const read = readMemory(text)
  expect(isSameEssence(read?.handled ?? '', large)).toBe(true)
  expect(isSameEssence(read?.handled ?? '', other)).toBe(false)
  expect(isSameEssence(read?.target ?? '', other)).toBe(true)
  expect(read?.progress?.['a']).toMatchObject({ attempts: 1, nextMs: 5 })
})

test('ignores a memory that this code did not write', () => {
  for (const text of [undefined, '', 'null', '{', '[]', '{}', '{"handled":5}', '{"handled":{}}']) {
    expect(readMemory(text)).toBeUndefined()
  }
  const memory = { handled: essence(1, 2) }
  expect(jsonEquals(readMemory(writtenMemory(memory, handlers).text), memory)).toBe(true)
})
