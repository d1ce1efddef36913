import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeMessage } from './decode-message.ts'
import { encodeObject } from './encode-message.ts'
import { type MessagePlan, planOf } from './message-plan.ts'
import type { MessageTable } from './message-table.ts'
import { scanEnvelope } from './scan-event.ts'
import { readObjects } from './testdata/read-objects.ts'

const recorded = readObjects()

const identity = { apiVersion: 'v1', kind: 'Test' }

function planFor(table: MessageTable): MessagePlan {
  return planOf(table, identity)
}

/** The object that a server would read. */
function roundTrip(table: MessageTable, object: object): unknown {
  const plan = planFor(table)
  const body = encodeObject(plan, object)
  if (body === undefined) return undefined
  const bytes = Buffer.from(body)
  const { apiVersion, kind, ...read } = decodeMessage(plan, bytes, scanEnvelope(bytes)) as Record<
    string,
    unknown
  >
  expect({ apiVersion, kind }).toEqual(identity)
  return read
}

/** The part of an object that a user would write: no times and no server-written fields. */
function manifestOf(object: object): Record<string, unknown> {
  const { metadata, spec, data, stringData, rules, subjects, roleRef, webhooks } = object as Record<
    string,
    unknown
  >
  const { name, namespace, labels, annotations, ownerReferences, finalizers } = metadata as Record<
    string,
    unknown
  >
  const written = { name, namespace, labels, annotations, ownerReferences, finalizers }
  return { metadata: written, spec, data, stringData, rules, subjects, roleRef, webhooks }
}

test.each(recorded)('encodes $name so that it is decoded unchanged', ({ object, table }) => {
  const manifest = manifestOf(object)
  const read = roundTrip(table, manifest)
  if (read === undefined) return
  expect(read).toMatchObject(JSON.parse(JSON.stringify(withoutZeros(manifest))) as object)
})

test('encodes nearly all recorded objects', () => {
  const without = recorded
    .filter(({ object, table }) => roundTrip(table, manifestOf(object)) === undefined)
    .map(({ name }) => name)
  expect(without).toMatchInlineSnapshot(`
    [
      "ControllerRevision rev",
      "CustomResourceDefinition widgets.example.com",
      "Lease lease-held",
      "Pod pod-requests",
    ]
  `)
})

/** Go omits zeros when it prints. */
function withoutZeros(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutZeros)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([, one]) => one !== '' && one !== 0 && one !== false && one !== null,
  )
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutZeros(one)]))
}

test('encodes 32-bit numbers and leaves others to JSON', () => {
  fc.assert(
    fc.property(fc.integer(), (value) => {
      expect(roundTrip(['a:?i'], { a: value })).toEqual({ a: value })
    }),
  )
  for (const a of [2 ** 31, -(2 ** 31) - 1, 1.5, NaN, Infinity, '1', true]) {
    expect(roundTrip(['a:?i'], { a })).toBeUndefined()
  }
})

test('encodes strings of any length and content', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.nat(20_000), (text, times) => {
      const long = 'x'.repeat(times) + text
      expect(roundTrip(['a:! b:!m', ['c:!']], { a: text, b: { c: long } })).toEqual({
        a: text,
        b: { c: long },
      })
    }),
  )
})

test.each([
  ['a field that the table lacks', ['a'], { b: 'x' }],
  ['a text that is a number', ['a'], { a: 5 }],
  ['a boolean that is a number', ['a:b'], { a: 1 }],
  ['a list that is none', ['a:*'], { a: 'x' }],
  ['a list with a hole', ['a:*'], { a: ['x', null] }],
  ['a map that is a list', ['a:%'], { a: ['x'] }],
  ['a map with a number', ['a:%'], { a: { x: 1 } }],
  ['a message that is a text', ['a:m', ['b']], { a: 'x' }],
  ['an object with a class', ['a:m', ['b']], { a: new Date(0) }],
  ['a time', ['a:t'], { a: '2026-01-01T00:00:00Z' }],
  ['a duration', ['a:d'], { a: '5s' }],
  ['any JSON', ['a:j'], { a: {} }],
  ['a number that is a boolean or a text', ['a:o'], { a: true }],
  ['an amount that is none', ['a:q'], { a: 'much' }],
  ['bytes that are not base64', ['a:y'], { a: 'a_b=' }],
  ['bytes whose end is missing', ['a:y'], { a: 'YQ' }],
  ['another kind', ['a'], { kind: 'Other', a: 'x' }],
] as const)('requires JSON instead: %s', (_, table, object) => {
  expect(roundTrip(table as unknown as MessageTable, object)).toBeUndefined()
})

test('omits undefined and null, and keeps empty values', () => {
  const table: MessageTable = ['a b:?m c:?m d:*m e:%m', ['x'], ['x'], ['x'], ['x']]
  const object = { a: undefined, b: null, c: {}, d: [{}], e: { k: {} } }
  expect(roundTrip(table, object)).toEqual({ c: {}, d: [{}], e: { k: {} } })
})

test('encodes quantities, int-or-strings, bytes, string lists and inlined fields', () => {
  const table: MessageTable = ['a:%q b:?o c:?o d:y e:%l f:^m', ['g:?m h', ['i:?i']]]
  const object = {
    a: { cpu: '500m', memory: '1Gi', pods: 4 },
    b: 80,
    c: '25%',
    d: 'aGVsbG8=',
    e: { k: ['x', 'y'] },
    g: { i: -1 },
    h: 'z',
  }
  expect(roundTrip(table, object)).toEqual({ ...object, a: { ...object.a, pods: '4' } })
})
