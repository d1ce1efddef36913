import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Deployment } from '../kinds/index.ts'
import { listTypesOf } from '../kinds/list-types-of.ts'
import { jsonEquals } from '../schema/json-value.ts'
import { contentHash } from './content-hash.ts'

const types = listTypesOf(Deployment)

function deployment(containers: readonly object[], more: object = {}): object {
  return { spec: { replicas: 1, template: { spec: { containers } }, ...more } }
}

test('ignores the order of fields, not the order of list items', () => {
  const { content } = contentHash({ a: 1, b: { c: 'x', d: [1, 2] } })
  expect(contentHash({ b: { d: [1, 2], c: 'x' }, a: 1 }).content).toBe(content)
  expect(contentHash({ a: 1, b: { c: 'x', d: [2, 1] } }).content).not.toBe(content)
  expect(contentHash({ a: 1, b: { c: 'x', d: [1, 2] }, e: undefined }).content).toBe(content)
})

test('distinguishes values of different types with the same text', () => {
  const values = ['1', 1, true, 'true', null, 'null', '', [], {}, [''], [[]], { a: {} }, { a: [] }]
  const hashes = values.map((value) => contentHash({ value }).content)
  expect(new Set(hashes).size).toBe(values.length)
})

test('the shape depends on fields and keys of merging lists, not on values', () => {
  const { content, shape } = contentHash(deployment([{ name: 'a', image: 'x' }]), types)
  const other = contentHash(deployment([{ name: 'a', image: 'y' }]), types)
  expect([other.shape === shape, other.content === content]).toEqual([true, false])
  const renamed = contentHash(deployment([{ name: 'b', image: 'x' }]), types)
  expect(renamed.shape).not.toBe(shape)
  const fewer = contentHash(deployment([{ name: 'a' }]), types)
  expect(fewer.shape).not.toBe(shape)
  const more = contentHash(deployment([{ name: 'a', image: 'x' }], { paused: true }), types)
  expect(more.shape).not.toBe(shape)
})

test('the shape ignores lists that are replaced as a whole', () => {
  const args = (...texts: string[]): object => deployment([{ name: 'a', args: texts }])
  expect(contentHash(args('x'), types).shape).toBe(contentHash(args('y', 'z'), types).shape)
})

test('two manifests have the same content if and only if they are equal', () => {
  const json = fc.jsonValue({ maxDepth: 3 })
  fc.assert(
    fc.property(json, json, (one, other) => {
      const isSame = contentHash({ one }).content === contentHash({ one: other }).content
      expect(isSame).toBe(jsonEquals(one, other))
    }),
    { numRuns: 2000 },
  )
})
