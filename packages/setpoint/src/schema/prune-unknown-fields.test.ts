import { expect, test } from 'vitest'
import { pruneUnknown, type StructuralSchema } from './index.ts'

const schema: StructuralSchema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
}

test('drops unknown fields and lists them in sorted order, with list indexes', () => {
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

test('keeps the identity and all metadata of a resource at its root, and only there', () => {
  const identity = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', odd: 1 } }
  const value = { ...identity, spec: { ...identity } }
  expect(pruneUnknown(schema, value, { isResourceRoot: true })).toEqual({
    value: { ...identity, spec: {} },
    prunedPaths: ['spec.apiVersion', 'spec.kind', 'spec.metadata'],
  })
})

test('drops the identity of a value that is not a resource without listing it', () => {
  expect(pruneUnknown(schema, { kind: 'X', other: 1 })).toEqual({
    value: {},
    prunedPaths: ['other'],
  })
})
