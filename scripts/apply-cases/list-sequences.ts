import { gadget, group } from './custom-kinds.ts'
import type { Sequence } from './sequence.ts'
import { apply, force, json, merge, spec } from './steps.ts'

const lists: Sequence[] = [
  gadget(
    'a set is shared',
    apply('one', spec({ set: ['a', 'b'] })),
    apply('two', spec({ set: ['b', 'c'] })),
    apply('one', spec({ set: ['a'] })),
    apply('two', spec({})),
    apply('one', spec({ set: [] })),
  ),
  gadget(
    'a set in another order',
    apply('one', spec({ set: ['a', 'b', 'c', 'd'] })),
    apply('two', spec({ set: ['d', 'x', 'b'] })),
    apply('one', spec({ set: ['d', 'c', 'b', 'a'] })),
  ),
  gadget(
    'a set of numbers',
    apply('one', spec({ numbers: [10, 2, 1.5, -1] })),
    apply('two', spec({ numbers: [2, 1e21, 0.000001] })),
    merge('three', spec({ numbers: [3] })),
  ),
  gadget(
    'a set is replaced',
    apply('one', spec({ set: ['a', 'b'] })),
    merge('two', spec({ set: ['b', 'c'] })),
    apply('one', spec({ set: ['a', 'b'] })),
    merge('two', spec({ set: null })),
  ),
  gadget(
    'an atomic list',
    apply('one', spec({ atomicList: ['a'] })),
    apply('two', spec({ atomicList: ['a', 'b'] })),
    force('two', spec({ atomicList: ['a', 'b'] })),
    apply('two', spec({ atomicList: [] })),
    apply('two', spec({})),
  ),
  gadget(
    'a list without a type is atomic',
    apply('one', spec({ plainList: [{ name: 'a' }] })),
    apply('two', spec({ plainList: [{ name: 'b' }] })),
    merge('two', spec({ plainList: [{ name: 'a', value: 'x' }] })),
  ),
  gadget(
    'keyed items',
    apply('one', spec({ items: [{ name: 'a', value: '1' }, { name: 'b' }] })),
    apply('two', spec({ items: [{ name: 'b', value: '2' }, { name: 'c' }] })),
    apply('one', spec({ items: [{ name: 'b' }] })),
    apply('two', spec({ items: [{ name: 'a' }] })),
    apply('one', spec({})),
  ),
  gadget(
    'keyed items conflict',
    apply('one', spec({ items: [{ name: 'a', value: '1', options: { a: '1' } }] })),
    apply('two', spec({ items: [{ name: 'a', value: '2', options: { a: '2', b: '2' } }] })),
    force('two', spec({ items: [{ name: 'a', value: '2', options: { a: '2', b: '2' } }] })),
  ),
  gadget(
    'keyed items in another order',
    apply('one', spec({ items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] })),
    apply('two', spec({ items: [{ name: 'c' }, { name: 'x' }, { name: 'a' }] })),
    apply('one', spec({ items: [{ name: 'c' }, { name: 'a' }] })),
  ),
  gadget(
    'items are removed by an update',
    apply(
      'one',
      spec({
        items: [
          { name: 'a', value: '1' },
          { name: 'b', tags: ['x', 'y'] },
        ],
      }),
    ),
    json('two', [{ op: 'remove', path: '/spec/items/0' }]),
    json('two', [{ op: 'remove', path: '/spec/items/0/tags/0' }]),
    apply('one', spec({ items: [{ name: 'a', value: '1' }] })),
  ),
  gadget(
    'items lose all but their key',
    apply('one', spec({ items: [{ name: 'a', value: '1', tags: ['x'], options: { a: '1' } }] })),
    apply('two', spec({ items: [{ name: 'a', options: {} }] })),
    apply('one', spec({ items: [{ name: 'a' }] })),
    apply('two', spec({ items: [] })),
  ),
  gadget(
    'two keys, one with a default',
    apply('one', spec({ ports: [{ port: 80, name: 'a' }] })),
    apply(
      'two',
      spec({
        ports: [
          { port: 80, protocol: 'TCP', name: 'a' },
          { port: 80, protocol: 'UDP' },
        ],
      }),
    ),
    apply('one', spec({ ports: [{ port: 81 }] })),
    merge('three', spec({ ports: [{ port: 81, name: 'z' }] })),
  ),
  gadget(
    'nested keyed lists',
    apply('one', spec({ groups: [{ id: 1, members: [{ name: 'a', role: 'r' }] }, { id: 2 }] })),
    apply('two', spec({ groups: [{ id: 1, members: [{ name: 'b' }] }] })),
    apply('one', spec({ groups: [{ id: 1, members: [] }] })),
    apply('two', spec({ groups: [{ id: 1 }] })),
    merge('three', spec({ groups: [] })),
  ),
  gadget(
    'tags of an item',
    apply('one', spec({ items: [{ name: 'a', tags: ['x', 'y'] }] })),
    apply('two', spec({ items: [{ name: 'a', tags: ['y', 'z'] }] })),
    apply('one', spec({ items: [{ name: 'a', tags: [] }] })),
    apply('one', spec({ items: [{ name: 'a' }] })),
  ),
  gadget(
    'twice in the configuration',
    apply('one', spec({ set: ['a', 'a'] })),
    apply('one', spec({ items: [{ name: 'a' }, { name: 'a' }] })),
    apply('one', spec({ ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] })),
  ),
  gadget(
    'an item without a key',
    apply('one', spec({ items: [{ value: 'x' }] })),
    apply('one', spec({ ports: [{ name: 'x' }] })),
    apply('one', spec({ items: [null] })),
    apply('one', spec({ items: ['x'] })),
    apply('one', spec({ set: [null] })),
    apply('one', spec({ set: [{}] })),
    apply('one', spec({ set: [['x']] })),
  ),
]

const wrong: Sequence[] = [
  gadget(
    'wrong types',
    apply('one', spec({ count: 'x' })),
    apply('one', spec({ text: 5 })),
    apply('one', spec({ flag: 'x' })),
    apply('one', spec({ struct: 'x' })),
    apply('one', spec({ items: { a: 1 } })),
    apply('one', spec({ map: { a: 1 } })),
    apply('one', spec({ text: { a: [1, 'b', null, true, 1.5] } })),
    apply('one', spec({ count: [1] })),
    apply('one', spec({ struct: { a: ['x'] } })),
    apply('one', spec({ items: [{ name: 'a', value: 1 }] })),
  ),
  gadget(
    'wrong types, more',
    apply('one', spec({ struct: [1, { a: null }] })),
    apply('one', spec({ atomicStruct: { a: 1 } })),
    apply('one', spec({ atomicList: [1] })),
    apply('one', spec({ plainList: [{ name: 'x' }, { name: 1 }] })),
    apply('one', spec({ when: 5 })),
    apply('one', spec({ flag: { a: 'b', c: 'd' } })),
    apply('one', spec({ items: 'x' })),
    apply('one', spec({ ratio: true })),
    apply('one', { spec: 'x' }),
    apply('one', { metadata: { labels: { a: 1 } } }),
  ),
  gadget(
    'undeclared fields',
    apply('one', spec({ bogus: 1 })),
    apply('one', { bogus: 1 }),
    apply('one', spec({ struct: { bogus: 1 } })),
    apply('one', spec({ items: [{ name: 'a', bogus: 1 }] })),
    apply('one', { metadata: { bogus: 1 } }),
  ),
  gadget(
    'managedFields in the configuration',
    apply('one', { metadata: { managedFields: [] } }),
    apply('one', { metadata: { managedFields: [{ manager: 'x' }] } }),
    apply('one', { metadata: { managedFields: null } }),
  ),
  gadget(
    'another kind',
    apply('one', { kind: 'Other' }),
    apply('one', { apiVersion: 'v1' }),
    apply('one', { apiVersion: `${group}/v2` }),
  ),
]

/** Lists of a custom resource, and values of wrong types. */
export const listSequences: readonly Sequence[] = [...lists, ...wrong]
