import { gadget } from './custom-kinds.ts'
import type { Sequence } from './sequence.ts'
import { apply, force, merge, post, put, spec } from './steps.ts'

const everything = {
  text: 't',
  count: 1,
  ratio: 1.5,
  flag: true,
  when: '2026-01-01T00:00:00Z',
  either: 5,
  maybe: null,
  struct: { a: '1', b: '2', deep: { c: '3' } },
  atomicStruct: { a: '1' },
  map: { k: 'v', 'dotted.key/x': 'v' },
  atomicMap: { k: 'v' },
  structs: { one: { x: '1' }, two: {} },
  set: ['b', 'a', '<&>'],
  numbers: [1.5, 10, 2],
  atomicList: ['x', 'y'],
  plainList: [{ name: 'n', value: 'v' }],
  items: [{ name: 'i', value: 'v', tags: ['t'], options: { a: '1' } }, { name: 'a"b<c' }],
  ports: [{ port: 80, name: 'http' }, { port: 80, protocol: 'UDP' }, { port: 9 }],
  groups: [{ id: 2, members: [{ name: 'm', role: 'r' }] }, { id: 10 }],
  free: { any: { thing: [1, { a: 'b' }] }, empty: {} },
  halfFree: { known: 'k', unknown: { x: 1 }, inner: { a: '1', extra: '2' } },
  anything: ['list', 1],
  embedded: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'e', labels: { l: '1' } },
    spec: { a: 1 },
  },
  strictEmbedded: { apiVersion: 'v1', kind: 'X', metadata: { name: 'e' }, spec: { a: '1' } },
}

const basics: Sequence[] = [
  gadget('everything is applied', apply('one', spec(everything)), apply('one', spec(everything))),
  gadget('everything is created', post('one', spec(everything)), apply('two', spec(everything))),
  gadget('everything is applied, then nothing', apply('one', spec(everything)), apply('one', {})),
  gadget(
    'everything is applied, then an empty spec',
    apply('one', spec(everything)),
    apply('one', spec({})),
  ),
  gadget(
    'everything is created, then patched away',
    post('one', spec(everything)),
    merge('two', { spec: null }),
  ),
  gadget(
    'metadata has owners, too',
    apply('one', {
      metadata: {
        labels: { a: '1' },
        annotations: { b: '2' },
        finalizers: ['x.y/one', 'x.y/two'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u1' }],
      },
    }),
    apply('two', { metadata: { labels: { a: '1', c: '3' }, finalizers: ['x.y/one'] } }),
    apply('one', { metadata: { labels: {}, finalizers: ['x.y/two'] } }),
    merge('three', { metadata: { finalizers: null, ownerReferences: null } }),
  ),
  gadget(
    'scalars conflict',
    apply('one', spec({ text: 'a', count: 1 })),
    apply('two', spec({ text: 'b', count: 2 })),
    force('two', spec({ text: 'b', count: 2 })),
    apply('one', spec({ text: 'b', count: 1 })),
  ),
  gadget(
    'equal values are shared',
    apply('one', spec({ text: 'a' })),
    apply('two', spec({ text: 'a' })),
    apply('one', {}),
    apply('two', {}),
  ),
  gadget(
    'a shared field changes for one',
    apply('one', spec({ text: 'a' })),
    apply('two', spec({ text: 'a' })),
    apply('one', spec({ text: 'b' })),
    force('one', spec({ text: 'b' })),
  ),
  gadget(
    'fields without an owner are kept',
    post('one', spec({ text: 'a', count: 1 })),
    apply('two', spec({ flag: true })),
    apply('two', {}),
  ),
  gadget(
    'an update takes fields',
    apply('one', spec({ text: 'a', count: 1 })),
    merge('two', spec({ text: 'b' })),
    apply('one', spec({ text: 'a', count: 1 })),
    force('one', spec({ text: 'a', count: 1 })),
  ),
  gadget(
    'an update with equal values takes nothing',
    apply('one', spec({ text: 'a' })),
    merge('two', spec({ text: 'a' })),
  ),
  gadget(
    'an update removes a field',
    apply('one', spec({ text: 'a', count: 1 })),
    merge('two', spec({ text: null })),
    apply('one', spec({ text: 'a', count: 1 })),
  ),
  gadget(
    'the same name applies and updates',
    apply('one', spec({ text: 'a' })),
    merge('one', spec({ count: 1 })),
    merge('one', spec({ text: 'b' })),
    apply('one', spec({ text: 'a' })),
  ),
  gadget(
    'a conflict with an updater and an applier',
    apply('one', spec({ text: 'a' })),
    merge('two', spec({ count: 1 })),
    apply('three', spec({ text: 'b', count: 2 })),
  ),
  gadget(
    'nothing is applied',
    apply('one', {}),
    apply('one', { metadata: { labels: {} } }),
    apply('one', spec({})),
  ),
  gadget(
    'values become null',
    apply('one', spec({ maybe: 'x', text: 'y' })),
    apply('one', spec({ maybe: null, text: null })),
    apply('two', spec({ maybe: null })),
  ),
  gadget(
    'structs become null',
    apply('one', spec({ struct: { a: '1', deep: { c: '1' } }, map: { k: 'v' } })),
    apply('one', spec({ struct: null, map: null })),
    apply('two', spec({ set: null, items: null })),
  ),
  gadget(
    'defaults are shared',
    apply('one', spec({ text: 'a' })),
    apply('two', spec({ defaulted: 'd' })),
    apply('two', spec({ defaulted: 'e' })),
    apply('two', {}),
  ),
  gadget(
    'times only',
    apply('one', spec({ text: 'a' })),
    merge('two', spec({ text: 'a' })),
    apply('one', spec({ text: 'a' })),
  ),
]

const structs: Sequence[] = [
  gadget(
    'two own parts of a struct',
    apply('one', spec({ struct: { a: '1', deep: { c: '1' } } })),
    apply('two', spec({ struct: { b: '2', deep: { d: '2' } } })),
    apply('one', spec({ struct: { a: '1' } })),
    apply('one', {}),
  ),
  gadget(
    'a struct is emptied',
    apply('one', spec({ struct: { a: '1' } })),
    apply('one', spec({ struct: {} })),
    apply('one', spec({})),
  ),
  gadget(
    'an atomic struct has one owner',
    apply('one', spec({ atomicStruct: { a: '1' } })),
    apply('two', spec({ atomicStruct: { b: '2' } })),
    force('two', spec({ atomicStruct: { b: '2' } })),
    merge('three', spec({ atomicStruct: { a: '3' } })),
  ),
  gadget(
    'an atomic struct is shared and emptied',
    apply('one', spec({ atomicStruct: { a: '1' } })),
    apply('two', spec({ atomicStruct: { a: '1' } })),
    apply('one', spec({ atomicStruct: {} })),
    force('one', spec({ atomicStruct: {} })),
  ),
  gadget(
    'a map grows and shrinks',
    apply('one', spec({ map: { a: '1' } })),
    apply('two', spec({ map: { b: '2' } })),
    apply('one', spec({ map: {} })),
    apply('two', spec({})),
  ),
  gadget(
    'an atomic map',
    apply('one', spec({ atomicMap: { a: '1' } })),
    apply('two', spec({ atomicMap: { a: '1' } })),
    merge('three', spec({ atomicMap: { b: '2' } })),
    apply('one', spec({})),
  ),
  gadget(
    'a map of structs',
    apply('one', spec({ structs: { k: { x: '1' } } })),
    apply('two', spec({ structs: { k: { y: '2' }, l: {} } })),
    apply('one', spec({ structs: { k: {} } })),
    apply('two', spec({ structs: {} })),
    apply('one', {}),
  ),
  gadget(
    'emptied by an update',
    post('one', spec({ map: { a: '1' }, struct: { a: '1' }, set: ['x'] })),
    put('two', (live) => ({ ...live, spec: { map: {}, struct: {}, set: [] } })),
    put('two', (live) => ({ ...live, spec: {} })),
  ),
  gadget(
    'free data',
    apply('one', spec({ free: { a: { b: 1, c: [1] }, l: [{ x: 1 }] } })),
    apply('two', spec({ free: { a: { d: 1 }, l: [{ x: 2 }] } })),
    force('two', spec({ free: { a: { d: 1 }, l: [{ x: 2 }] } })),
    apply('one', spec({ free: { a: { b: 1 } } })),
    merge('three', spec({ free: { a: 5 } })),
    apply('one', spec({ free: { a: { b: 1 } } })),
  ),
  gadget(
    'half free data',
    apply('one', spec({ halfFree: { known: 'a', more: { x: 1 }, inner: { a: '1', z: 1 } } })),
    apply('two', spec({ halfFree: { more: { y: 1 }, inner: { z: 2 } } })),
    apply('one', spec({ halfFree: { more: {} } })),
  ),
  gadget(
    'a field of any type',
    apply('one', spec({ anything: { a: 1 } })),
    force('two', spec({ anything: [1] })),
    force('one', spec({ anything: 'x' })),
    merge('three', spec({ anything: { b: 1 } })),
    apply('one', spec({ anything: 'x' })),
  ),
  gadget(
    'a number or a text',
    apply('one', spec({ either: 1 })),
    apply('two', spec({ either: '1' })),
    force('two', spec({ either: '1' })),
  ),
  gadget(
    'an embedded object',
    apply('one', spec({ embedded: everything.embedded })),
    apply(
      'two',
      spec({
        embedded: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'e', labels: { m: '2' }, finalizers: ['f/a'] },
        },
      }),
    ),
    apply('one', {}),
  ),
  gadget(
    'an embedded object with a schema',
    apply('one', spec({ strictEmbedded: everything.strictEmbedded })),
    apply('one', spec({ strictEmbedded: { apiVersion: 'v1', kind: 'X', bogus: 1 } })),
  ),
]

/** Scalars, structs and maps of a custom resource. */
export const fieldSequences: readonly Sequence[] = [...basics, ...structs]
