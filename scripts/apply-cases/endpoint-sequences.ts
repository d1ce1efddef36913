import { blob, evolving, gadget, group, status, v2 } from './custom-kinds.ts'
import type { Sequence } from './sequence.ts'
import { apply, force, merge, post, put, spec } from './steps.ts'

const setMetadata = (object: object, metadata: object) => {
  const current = object as { metadata: object }
  return { ...object, metadata: { ...current.metadata, ...metadata } }
}

const endpoints: Sequence[] = [
  gadget(
    'status belongs to its endpoint',
    apply('one', { ...spec({ text: 'a' }), status: { phase: 'x' } }),
    apply(
      'ctl',
      {
        ...spec({ text: 'b' }),
        status: { phase: 'y', conditions: [{ type: 'A', status: 'True' }] },
      },
      status,
    ),
    merge('ctl', { status: { phase: 'z' } }, status),
    merge('one', { spec: { text: 'c' }, status: { phase: 'w' } }),
    apply('other', { status: { phase: 'v' } }, status),
    force('other', { status: { phase: 'v' } }, status),
  ),
  gadget(
    'status is updated',
    post('one', { ...spec({ text: 'a' }), status: { phase: 'x' } }),
    put(
      'ctl',
      (live) => ({
        ...live,
        spec: { text: 'b' },
        status: {
          phase: 'y',
          conditions: [
            { type: 'A', status: 'True' },
            { type: 'B', status: 'False' },
          ],
        },
      }),
      status,
    ),
    put(
      'ctl',
      (live) => ({ ...live, status: { phase: 'y', conditions: [{ type: 'B', status: 'True' }] } }),
      status,
    ),
    put('ctl', (live) => ({ ...live, status: {} }), status),
  ),
  gadget(
    'conditions of two controllers',
    post('one', {}),
    apply('c1', { status: { conditions: [{ type: 'A', status: 'True' }] } }, status),
    apply('c2', { status: { conditions: [{ type: 'B', status: 'True' }] } }, status),
    apply('c1', { status: { conditions: [{ type: 'A', status: 'False', reason: 'R' }] } }, status),
    apply('c2', { status: {} }, status),
    apply('c1', {}, status),
  ),
  gadget(
    'labels through the status endpoint',
    post('one', {}),
    apply('ctl', { metadata: { labels: { a: '1' } }, status: { phase: 'x' } }, status),
    merge('ctl', { metadata: { labels: { a: '1' } } }, status),
  ),
  gadget(
    'scaled by an update',
    post('one', spec({ replicas: 1 })),
    merge('hpa', spec({ replicas: 3 }), { subresource: 'scale' }),
    merge('hpa', spec({ replicas: 4 }), { subresource: 'scale' }),
    apply('one', spec({ replicas: 1 })),
    merge('one', spec({ replicas: 7 })),
    put('hpa', (live) => ({ ...live, spec: { replicas: 2 } }), { subresource: 'scale' }),
  ),
  gadget(
    'scaled against an applier',
    apply('one', spec({ replicas: 1, text: 'a' })),
    merge('hpa', spec({ replicas: 3 }), { subresource: 'scale' }),
    apply('one', spec({ replicas: 1, text: 'a' })),
    apply('one', spec({ text: 'a' })),
    force('one', spec({ replicas: 9 })),
    merge('hpa', spec({ replicas: 9 }), { subresource: 'scale' }),
  ),
  gadget(
    'scaled by apply',
    post('one', spec({ replicas: 1 })),
    apply('hpa', spec({ replicas: 3 }), { subresource: 'scale' }),
    force('hpa', spec({ replicas: 3 }), { subresource: 'scale' }),
    apply('hpa', spec({ replicas: 4 }), { subresource: 'scale' }),
  ),
  gadget(
    'two versions',
    apply('one', spec({ text: 'a', set: ['x'] })),
    apply('one', spec({ text: 'a', count: 1 }), v2),
    apply('two', spec({ text: 'b' }), v2),
    merge('three', spec({ count: 2 }), v2),
    merge('three', spec({ count: 3 })),
    apply('one', spec({ text: 'a' })),
  ),
  gadget(
    'two versions of an updater',
    post('one', spec({ text: 'a' })),
    merge('one', spec({ count: 1 }), v2),
    merge('one', spec({ text: 'b', count: 2 }), v2),
    merge('one', spec({ text: 'c', count: 3 })),
    apply('two', spec({ text: 'd', count: 4 }), v2),
  ),
  gadget(
    'two versions of status',
    post('one', {}),
    merge('ctl', { status: { phase: 'a' } }, status),
    merge('ctl', { status: { phase: 'b' } }, { ...status, ...v2 }),
    apply('ctl', { status: { phase: 'c' } }, { ...status, ...v2 }),
    merge('one', spec({ text: 'x' }), v2),
  ),
  evolving(
    'a version with more fields',
    apply('one', spec({ a: '1', list: ['x'] })),
    apply('two', spec({ b: '2' }), v2),
    merge('three', spec({ a: '2' })),
    apply('one', spec({ a: '3' })),
    merge('four', spec({ b: '4' }), v2),
  ),
  evolving(
    'a list that is atomic in one version',
    apply('one', spec({ list: ['x'] })),
    apply('two', spec({ list: ['y'] }), v2),
    merge('three', spec({ list: ['z', 'x'] }), v2),
    apply('one', spec({ list: ['x'] })),
  ),
]

const managedFieldsSequences: Sequence[] = [
  gadget(
    'managedFields are reset with an empty list',
    apply('one', spec({ text: 'a' })),
    put('two', (live) => setMetadata(live, { managedFields: [] })),
    merge('three', spec({ count: 1 })),
    apply('one', spec({ text: 'b' })),
  ),
  gadget(
    'managedFields are reset with an empty entry',
    apply('one', spec({ text: 'a' })),
    merge('two', { metadata: { managedFields: [{}] } }),
    apply('one', spec({ text: 'a' })),
    merge('two', { metadata: { managedFields: null } }),
  ),
  gadget(
    'managedFields are edited',
    apply('one', spec({ text: 'a', count: 1 })),
    put('two', (live) =>
      setMetadata(live, {
        managedFields: [
          {
            manager: 'edited',
            operation: 'Update',
            apiVersion: `${group}/v1`,
            fieldsType: 'FieldsV1',
            time: '2020-01-01T00:00:00Z',
            fieldsV1: { 'f:spec': { 'f:text': {} } },
          },
        ],
      }),
    ),
    apply('one', spec({ text: 'b', count: 2 })),
  ),
  gadget(
    'managedFields are edited wrongly',
    apply('one', spec({ text: 'a' })),
    merge('two', { metadata: { managedFields: [{ manager: 'x', operation: 'Bogus' }] } }),
    merge('two', {
      spec: { count: 1 },
      metadata: {
        managedFields: [
          { manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV2' },
        ],
      },
    }),
  ),
  gadget(
    'managers of an unknown version',
    apply('one', spec({ text: 'a' })),
    merge('two', {
      metadata: {
        managedFields: [
          {
            manager: 'old',
            operation: 'Update',
            apiVersion: `${group}/v9`,
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:spec': { 'f:text': {} } },
          },
          {
            manager: 'older',
            operation: 'Apply',
            apiVersion: `${group}/v1`,
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:spec': { 'f:count': {} } },
          },
        ],
      },
    }),
    merge('three', spec({ count: 1 })),
    apply('one', spec({ text: 'b' })),
  ),
  gadget(
    'eleven updaters',
    post('m00', spec({ map: { m00: '0' } })),
    ...Array.from({ length: 12 }, (_, index) =>
      merge(`m${String(index + 1).padStart(2, '0')}`, spec({ map: { [`m${index + 1}`]: 'x' } })),
    ),
  ),
  gadget(
    'eleven updaters of two versions',
    post('m00', spec({ map: { m00: '0' } })),
    ...Array.from({ length: 12 }, (_, index) =>
      merge(
        `m${String(index + 1).padStart(2, '0')}`,
        spec({ map: { [`m${index + 1}`]: 'x' } }),
        index % 2 === 0 ? v2 : {},
      ),
    ),
  ),
  gadget(
    'a client-side apply is upgraded',
    post('kubectl-client-side-apply', {
      metadata: {
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': `{"apiVersion":"${group}/v1","kind":"Gadget","metadata":{"annotations":{},"name":"x"},"spec":{"text":"a","count":1}}\n`,
        },
      },
      spec: { text: 'a', count: 1 },
    }),
    apply('kubectl', { metadata: { annotations: { x: 'y' } }, spec: { text: 'b', count: 1 } }),
    merge('other', spec({ count: 5 })),
    apply('kubectl', spec({ text: 'c', count: 2 })),
    apply('someone', spec({ text: 'd' })),
  ),
  gadget(
    'names of managers',
    apply('with "quotes"', spec({ text: 'a' })),
    apply('ünï<&>', spec({ text: 'b' })),
    merge('a\\b', spec({ text: 'c' })),
    apply('with "quotes"', spec({ text: 'd' })),
  ),
  gadget(
    'strange keys',
    apply(
      'one',
      spec({
        map: {
          '': 'empty',
          'a:b': '1',
          '.': '2',
          'f:x': '3',
          ä: '4',
          '😀': '5',
          '\uffee': '6',
          Z: '7',
          __proto__x: '8',
        },
      }),
    ),
    apply('two', spec({ map: { 'a:b': '2', '.': '3' } })),
  ),
  gadget(
    'strange items',
    apply(
      'one',
      spec({
        set: ['', ' ', 'ä', '"', '\\', '\n', '<', '\u2028', '\t\b'],
        items: [{ name: '' }, { name: '{"a":1}' }],
      }),
    ),
    apply('two', spec({ set: ['"'], items: [{ name: '{"a":1}', value: 'x' }] })),
    apply('three', spec({ items: [{ name: '{"a":1}', value: 'y' }] })),
  ),
]

const schemaless: Sequence[] = [
  blob(
    'data without a schema',
    apply('one', { data: { a: 1, b: { c: [1, 2], d: {} } }, list: [{ name: 'x' }] }),
    apply('two', { data: { a: 2, b: { e: null } }, list: [{ name: 'x' }] }),
    force('two', { data: { a: 2 } }),
    apply('one', { data: { b: {} } }),
    apply('one', {}),
  ),
  blob(
    'status without an endpoint',
    apply('one', { status: { phase: 'a' } }),
    merge('two', { status: { phase: 'b' } }),
    apply('one', { status: { phase: 'c' } }),
  ),
  blob(
    'values change their kind',
    apply('one', { x: { a: 1 } }),
    merge('two', { x: 5 }),
    merge('two', { x: [1] }),
    put('three', (live) => ({ ...live, x: { b: {} } })),
    apply('one', { x: { a: 1 } }),
    apply('four', { x: 'text' }),
  ),
  blob(
    'created and replaced',
    post('one', { x: { y: { z: 1 } }, l: [] }),
    put('two', (live) => ({ ...live, x: { y: {} }, l: [1] })),
    put('one', (live) => ({ ...live, x: {} })),
  ),
  blob(
    'metadata has a schema',
    apply('one', { metadata: { labels: { a: '1' }, finalizers: ['a/b'] } }),
    apply('one', { metadata: { labels: { a: 1 } } }),
    apply('one', { metadata: { bogus: 1 } }),
    merge('one', { metadata: { finalizers: null } }),
  ),
  blob(
    'nulls',
    apply('one', { a: null, b: { c: null } }),
    apply('two', { a: null }),
    apply('one', {}),
  ),
]

/** Status, scale and versions, managedFields itself, and data without a schema. */
export const endpointSequences: readonly Sequence[] = [
  ...endpoints,
  ...managedFieldsSequences,
  ...schemaless,
]
