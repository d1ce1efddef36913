import { expect, test } from 'vitest'
import { differencesBetween } from './differences.ts'
import type { Entry } from './recording.ts'

const read = (name: string, status: object, times = 1): Entry => ({
  read: 'created',
  kind: 'Pod',
  times,
  object: { metadata: { name }, status: { ...status } },
})
const eventOf = (reason: string): Entry => ({ event: { about: 'Pod/a', reason }, times: 1 })

test('finds no differences between equal recordings in any order', () => {
  const entries = [read('a', { phase: 'Pending' }), read('b', {}), eventOf('Created')]
  expect(differencesBetween(entries, entries.toReversed())).toEqual([])
})

test('reports only the paths that differ', () => {
  const expected = [read('a', { phase: 'Pending', ready: [1, 2] }), read('b', {})]
  const actual = [read('a', { phase: 'Running', ready: [1, 3] }), read('b', {})]
  expect(differencesBetween(expected, actual)).toEqual([
    'created: Pod',
    '  a',
    '    .object.status.phase: real "Pending", ours "Running"',
    '    .object.status.ready[1]: real 2, ours 3',
  ])
})

test('reports an entry of only one recording as a whole', () => {
  expect(differencesBetween([eventOf('Created')], [eventOf('Killed')])).toEqual([
    'events',
    '  only real: {"event":{"about":"Pod/a","reason":"Created"},"times":1}',
    '  only ours: {"event":{"about":"Pod/a","reason":"Killed"},"times":1}',
  ])
})

test('reports a missing field and another count', () => {
  expect(differencesBetween([read('a', { n: 1 }, 2)], [read('a', {}, 3)])).toEqual([
    'created: Pod',
    '  a',
    '    .object.status.n: real 1, ours nothing',
    '    .times: real 2, ours 3',
  ])
})
