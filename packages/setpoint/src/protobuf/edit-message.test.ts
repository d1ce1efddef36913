import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeMessage } from './decode-message.ts'
import { editObject, type FieldEdit } from './edit-message.ts'
import { encodeObject } from './encode-message.ts'
import { planOf } from './message-plan.ts'
import type { MessageTable } from './message-table.ts'
import { scanEnvelope } from './scan-event.ts'
import { readObjects } from './testdata/read-objects.ts'

const recorded = readObjects()

const identity = { apiVersion: 'v1', kind: 'Test' }

/** The object that a server would read. */
function edited(table: MessageTable, message: Uint8Array, edits: readonly FieldEdit[]): unknown {
  const plan = planOf(table, identity)
  // An object lies anywhere in a block of others.
  const bytes = Buffer.concat([Buffer.from('before'), message, Buffer.from('after')])
  const body = editObject(plan, { bytes, offset: 6, length: message.length }, edits)
  if (body === undefined) return undefined
  const sent = Buffer.from(body)
  const { apiVersion, kind, ...read } = decodeMessage(plan, sent, scanEnvelope(sent)) as Record<
    string,
    unknown
  >
  expect({ apiVersion, kind }).toEqual(identity)
  return read
}

function messageOf(table: MessageTable, object: object): Uint8Array {
  const body = encodeObject(planOf(table, identity), object) ?? expect.fail()
  const { offset, length } = scanEnvelope(Buffer.from(body))
  return body.subarray(offset, offset + length)
}

/** The strings and numbers of an object, with their paths. */
function leaves(
  value: unknown,
  path: readonly string[] = [],
): { path: readonly string[]; leaf: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ path, leaf: value }]
  return Object.entries(value).flatMap(([name, one]) => leaves(one, [...path, name]))
}

/** A copy of an object with another value at one path. */
function withValue(object: object, path: readonly string[], value: unknown): object {
  const copy = structuredClone(object)
  let place = copy as Record<string, unknown>
  for (const name of path.slice(0, -1)) place = place[name] as Record<string, unknown>
  place[path.at(-1) ?? ''] = value
  return copy
}

/** Types that protobuf encodes differently from JSON: times, quantities, bytes. */
const isPlain = /^(?![\d.]+[a-zA-Z]*$)(?!\d{4}-\d\d-\d\dT)(?!\d+(\.\d+)?[nµm]?s)/

test.each(recorded)(
  'changes any string or number of $name, and nothing else',
  ({ object, message, table }) => {
    const { apiVersion, kind, ...fields } = object as Record<string, unknown>
    const candidates = leaves(fields).filter(
      ({ path, leaf }) =>
        (typeof leaf === 'number' || (typeof leaf === 'string' && isPlain.test(leaf))) &&
        !path.includes('managedFields') &&
        !path.includes('data'),
    )
    void [apiVersion, kind]
    fc.assert(
      fc.property(
        fc.constantFrom(...candidates),
        fc.integer({ min: 1 }),
        ({ path, leaf }, number) => {
          const value = typeof leaf === 'number' ? number : `text ${number}`
          const read = edited(table, message, [{ path, value }])
          if (read !== undefined) expect(read).toEqual(withValue(fields, path, value))
        },
      ),
      { numRuns: 20 },
    )
  },
)

const table: MessageTable = [
  'metadata:!m spec:!m status:!m',
  ['name labels:%'],
  [
    'replicas:?i names:* ports:*m sizes:*i 8source:^m',
    ['port:?i name'],
    ['kept file:?m', ['path']],
  ],
  ['phase'],
]

const object = {
  metadata: { name: 'web', labels: { app: 'web', tier: 'front' } },
  spec: {
    replicas: 1,
    names: ['a', 'b'],
    ports: [{ port: 80 }, { port: 443, name: 'tls' }],
    sizes: [1, 2],
    kept: 'x',
  },
  status: { phase: 'Ready' },
}

test.each<[string, FieldEdit, object]>([
  [
    'sets a field',
    { path: ['spec', 'replicas'], value: 5 },
    { spec: { ...object.spec, replicas: 5 } },
  ],
  ['a field goes', { path: ['status'], value: null }, { status: undefined }],
  [
    'replaces an entry of a map',
    { path: ['metadata', 'labels', 'app'], value: 'api' },
    { metadata: { name: 'web', labels: { app: 'api', tier: 'front' } } },
  ],
  [
    'adds an entry to a map',
    { path: ['metadata', 'labels', 'a/b'], value: 'c' },
    { metadata: { name: 'web', labels: { ...object.metadata.labels, 'a/b': 'c' } } },
  ],
  [
    'removes an entry of a map',
    { path: ['metadata', 'labels', 'tier'], value: null },
    { metadata: { name: 'web', labels: { app: 'web' } } },
  ],
  [
    'changes a part of an item of a list',
    { path: ['spec', 'ports', '1', 'port'], value: 8443 },
    { spec: { ...object.spec, ports: [{ port: 80 }, { port: 8443, name: 'tls' }] } },
  ],
  [
    'replaces an item of a list in place',
    { path: ['spec', 'ports', '0'], value: { port: 8080 } },
    { spec: { ...object.spec, ports: [{ port: 8080 }, { port: 443, name: 'tls' }] } },
  ],
  [
    'appends an item to a list',
    { path: ['spec', 'names', '-'], value: 'c' },
    { spec: { ...object.spec, names: ['a', 'b', 'c'] } },
  ],
  [
    'replaces a number in a list',
    { path: ['spec', 'sizes', '0'], value: 7 },
    { spec: { ...object.spec, sizes: [7, 2] } },
  ],
  [
    'replaces a whole list',
    { path: ['spec', 'names'], value: ['z'] },
    { spec: { ...object.spec, names: ['z'] } },
  ],
  [
    'sets a field of an inlined message',
    { path: ['spec', 'file'], value: { path: '/x' } },
    { spec: { ...object.spec, file: { path: '/x' } } },
  ],
])('%s', (_, edit, expected) => {
  const read = edited(table, messageOf(table, object), [edit])
  expect(read).toEqual({ ...object, ...expected })
})

test('makes several edits together', () => {
  const read = edited(table, messageOf(table, object), [
    { path: ['spec', 'ports', '0', 'name'], value: 'plain' },
    { path: ['spec', 'ports', '-'], value: { port: 9 } },
    { path: ['spec', 'replicas'], value: 2 },
    { path: ['status'], value: null },
  ])
  const ports = [{ port: 80, name: 'plain' }, { port: 443, name: 'tls' }, { port: 9 }]
  expect(read).toEqual({ metadata: object.metadata, spec: { ...object.spec, replicas: 2, ports } })
})

test('sends unknown fields back unchanged', () => {
  const newer: MessageTable = [
    'metadata:!m spec:!m status:!m 7extra',
    ['name labels:%'],
    [
      'replicas:?i names:* ports:*m sizes:*i 8source:^m 20added:?m',
      ['port:?i name 9more'],
      ['kept file:?m', ['path']],
      ['deep'],
    ],
    ['phase'],
  ]
  const ports = [{ port: 80, more: 'kept' }]
  const sent = {
    ...object,
    extra: 'kept',
    spec: { ...object.spec, ports, added: { deep: 'kept' } },
  }
  const plan = planOf(table, identity)
  const bytes = Buffer.from(messageOf(newer, sent))
  const edit = { path: ['spec', 'ports', '0', 'port'], value: 81 }
  const body = Buffer.from(
    editObject(plan, { bytes, offset: 0, length: bytes.length }, [edit]) ?? expect.fail(),
  )
  expect(decodeMessage(planOf(newer), body, scanEnvelope(body))).toEqual({
    ...sent,
    spec: { ...sent.spec, ports: [{ port: 81, more: 'kept' }] },
  })
})

test.each<[string, FieldEdit]>([
  ['a field that the table lacks', { path: ['spec', 'other'], value: 1 }],
  ['a value of another type', { path: ['spec', 'replicas'], value: 'many' }],
  ['an item that is not there', { path: ['spec', 'ports', '2', 'port'], value: 1 }],
  ['an item that goes', { path: ['spec', 'ports', '0'], value: null }],
  ['a field of a message that is not there', { path: ['spec', 'file', 'path'], value: 'x' }],
  ['a field below a text', { path: ['metadata', 'name', 'x'], value: 'x' }],
  ['a field below an entry of a map', { path: ['metadata', 'labels', 'app', 'x'], value: 'x' }],
  ['no value', { path: ['spec', 'replicas'], value: undefined }],
])('requires a patch instead: %s', (_, edit) => {
  expect(edited(table, messageOf(table, object), [edit])).toBeUndefined()
})

test('returns an error for malformed bytes, and never hangs', () => {
  const { message, table: recordedTable } = recorded[0] ?? expect.fail()
  fc.assert(
    fc.property(fc.nat(message.length - 1), fc.nat(255), (at, byte) => {
      const broken = Uint8Array.from(message)
      broken[at] = byte
      try {
        edited(recordedTable, broken, [{ path: ['metadata', 'name'], value: 'x' }])
      } catch (error) {
        expect(error).toMatchObject({ code: 'NETWORK_PROTOCOL_ERROR' })
      }
    }),
  )
})
