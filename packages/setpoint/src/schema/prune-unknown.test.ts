import { expect, test } from 'vitest'
import { pruneUnknown, type StructuralSchema } from './index.ts'

const schema: StructuralSchema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
}

test('unknown fields are dropped and named in sorted order, with the indexes of lists', () => {
  const listSchema: StructuralSchema = {
    type: 'object',
    properties: { spec: schema, l: { type: 'array', items: schema } },
  }
  const value = { z: 1, l: [{ spec: { b: 1 } }, { c: 2 }], spec: { spec: { a: 'x', d: { e: 1 } } } }
  expect(pruneUnknown(listSchema, value)).toEqual({
    value: { l: [{ spec: {} }, {}], spec: { spec: { a: 'x' } } },
    prunedPaths: ['l[0].spec.b', 'l[1].c', 'spec.spec.d', 'z'],
  })
})

test('a resource keeps its identity and all of its metadata at the root, and only there', () => {
  const identity = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', odd: 1 } }
  const value = { ...identity, spec: { ...identity } }
  expect(pruneUnknown(schema, value, { isResourceRoot: true })).toEqual({
    value: { ...identity, spec: {} },
    prunedPaths: ['spec.apiVersion', 'spec.kind', 'spec.metadata'],
  })
})

test('the identity of a value that is not a resource is dropped without a word', () => {
  expect(pruneUnknown(schema, { kind: 'X', other: 1 })).toEqual({
    value: {},
    prunedPaths: ['other'],
  })
})
