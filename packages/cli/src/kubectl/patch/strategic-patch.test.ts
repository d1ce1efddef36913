import type { JsonValue } from 'setpoint/schema'
import { expect, test } from 'vitest'
import { PatchRules } from './patch-rules.ts'
import { strategicPatch } from './strategic-patch.ts'

const byName = {
  'x-kubernetes-patch-strategy': 'merge',
  'x-kubernetes-patch-merge-key': 'name',
} as const

/** As in the OpenAPI of a server. */
const rules = new PatchRules(
  {
    Env: { properties: { name: {}, value: {} } },
    Container: {
      properties: { env: { ...byName, items: { $ref: '#/components/schemas/Env' } }, args: {} },
    },
  },
  {
    properties: {
      containers: { ...byName, items: { allOf: [{ $ref: '#/components/schemas/Container' }] } },
      finalizers: { 'x-kubernetes-patch-strategy': 'merge' },
      strategy: { 'x-kubernetes-patch-strategy': 'retainKeys' },
      whole: { 'x-kubernetes-patch-strategy': 'replace' },
      labels: { additionalProperties: {} },
    },
  },
)

function patchOf(original: JsonValue, modified: JsonValue, current: JsonValue): JsonValue {
  return strategicPatch({ original, modified, current }, rules)
}

test('is empty when the live object has all fields of the file', () => {
  const file = { containers: [{ name: 'a', env: [{ name: 'X', value: '1' }] }], labels: { a: 'b' } }
  const live = {
    containers: [
      { name: 'other' },
      { name: 'a', image: 'defaulted', env: [{ name: 'X', value: '1' }, { name: 'Y' }] },
    ],
    labels: { a: 'b', c: 'd' },
    status: {},
  }
  expect(patchOf(file, file, live)).toEqual({})
})

test('changes, adds and deletes single items of a list with a merge key', () => {
  const before = { containers: [{ name: 'a', args: ['1'] }, { name: 'b' }] }
  const after = { containers: [{ name: 'a', args: ['2'] }, { name: 'c' }] }
  const live = { containers: [{ name: 'other' }, { name: 'a', args: ['1'] }, { name: 'b' }] }
  expect(patchOf(before, after, live)).toEqual({
    '$setElementOrder/containers': [{ name: 'a' }, { name: 'c' }],
    containers: [{ name: 'a', args: ['2'] }, { name: 'c' }, { $patch: 'delete', name: 'b' }],
  })
})

test('compares lists in list items', () => {
  const file = (value: string): JsonValue => ({
    containers: [{ name: 'a', env: [{ name: 'X', value }] }],
  })
  expect(patchOf(file('1'), file('2'), file('1'))).toEqual({
    '$setElementOrder/containers': [{ name: 'a' }],
    containers: [
      { name: 'a', '$setElementOrder/env': [{ name: 'X' }], env: [{ name: 'X', value: '2' }] },
    ],
  })
})

test('sends only the order when only the order differs', () => {
  const [ab, ba] = [
    { containers: [{ name: 'a' }, { name: 'b' }] },
    { containers: [{ name: 'b' }, { name: 'a' }] },
  ]
  expect(patchOf(ab, ba, ab)).toEqual({
    '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
  })
})

test('adds and removes values of a merged list of scalars', () => {
  expect(
    patchOf(
      { finalizers: ['a', 'b'] },
      { finalizers: ['b', 'c'] },
      { finalizers: ['a', 'b', 'x'] },
    ),
  ).toEqual({
    finalizers: ['c'],
    '$deleteFromPrimitiveList/finalizers': ['a'],
    '$setElementOrder/finalizers': ['b', 'c'],
  })
})

test('lists the retained keys of an object with retainKeys', () => {
  const live = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }
  expect(patchOf({}, { strategy: { type: 'Recreate' } }, live)).toEqual({
    strategy: { $retainKeys: ['type'], type: 'Recreate' },
  })
})

test('removes fields that the file no longer has, and sends replaced objects as a whole', () => {
  const before = { labels: { gone: '1', stays: '2' }, whole: { a: 1 }, top: 1 }
  const after = { labels: { stays: '2' }, whole: { b: 2 } }
  expect(patchOf(before, after, before)).toEqual({
    top: null,
    labels: { gone: null },
    whole: { b: 2 },
  })
})
