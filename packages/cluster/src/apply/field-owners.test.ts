import fc from 'fast-check'
import type { JsonObject, StructuralSchema } from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import {
  differenceOf,
  fieldSetOf,
  intersectionOf,
  pathsOf,
  unionOf,
  withoutSubtrees,
} from './fields/field-set.ts'
import { fromFieldsV1, toFieldsV1 } from './fields/fields-v1.ts'
import {
  applyConfiguration,
  keepManagerTimes,
  recordUpdate,
  resetNothing,
  structuralApplySchema,
} from './index.ts'
import {
  comparePathElements,
  keyElement,
  parsePathElement,
  valueElement,
} from './fields/path-element.ts'

const text = { type: 'string' } as const

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: text,
        map: { type: 'object', additionalProperties: text },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        items: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: text, value: text } },
        },
      },
    },
  },
}

const names = fc.constantFrom('x', 'y', 'z')

const specs = fc.record(
  {
    a: fc.constantFrom('1', '2'),
    map: fc.dictionary(fc.constantFrom('k', 'l', '__proto__', 'constructor'), names),
    set: fc.uniqueArray(names),
    items: fc
      .uniqueArray(names)
      .map((list) => list.map((name, index) => ({ name, value: String(index) }))),
  },
  { requiredKeys: [] },
)

const context = (manager: string, second: number) => ({
  schema: structuralApplySchema(schema),
  schemaOfVersion: () => undefined,
  by: {
    manager,
    apiVersion: 'g/v1',
    subresource: '',
    timeSeconds: `2026-01-01T00:00:0${second}Z`,
  },
  reset: resetNothing,
})

const objectOf = (spec: object): JsonObject => ({
  apiVersion: 'g/v1',
  kind: 'K',
  metadata: { name: 'n', uid: 'u' },
  spec: spec as JsonObject,
})

const paths = fc.array(
  fc.array(fc.constantFrom('f:a', 'f:b', 'k:{"name":"x"}', 'v:"x"', 'v:2', 'i:0'), {
    minLength: 1,
    maxLength: 3,
  }),
  { maxLength: 6 },
)

describe('sets of fields', () => {
  it('equal what their fieldsV1 describe', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = fieldSetOf(list)
        expect(fromFieldsV1(toFieldsV1(set))).toEqual(set)
        expect(fieldSetOf(pathsOf(set))).toEqual(set)
      }),
    )
  })

  it('have a consistent union, intersection and difference', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const a = fieldSetOf(left)
        const b = fieldSetOf(right)
        const both = intersectionOf(a, b)
        expect(unionOf(differenceOf(a, b), both)).toEqual(a)
        expect(unionOf(a, b)).toEqual(unionOf(b, a))
        expect(pathsOf(intersectionOf(withoutSubtrees(a, b), b))).toEqual([])
      }),
    )
  })

  it('print fields, keys, values and indices in this order, values by their type', () => {
    const sorted = [
      'f:a',
      'f:b',
      'k:{"a":"1"}',
      'k:{"b":1}',
      'v:2',
      'v:10',
      'v:"1"',
      'v:true',
      'i:2',
      'i:10',
    ]
    expect([...sorted].reverse().sort(comparePathElements)).toEqual(sorted)
  })

  it('match an element in any order of its keys', () => {
    expect(parsePathElement('k:{"b":1,"a":"<"}')).toBe(
      keyElement([
        ['a', '<'],
        ['b', 1],
      ]),
    )
    expect(parsePathElement('x:later')).toBeUndefined()
    expect(valueElement('\b"\\b')).toBe('v:"\\u0008\\"\\\\b"')
    expect(() => parsePathElement('f')).toThrow('key must be 2 characters long:')
  })
})

describe('an apply', () => {
  it('of the same configuration changes nothing, not even times', () => {
    fc.assert(
      fc.property(specs, specs, (first, second) => {
        const live = recordUpdate({
          ...context('creator', 1),
          live: undefined,
          updated: objectOf(first),
        })
        const config = { apiVersion: 'g/v1', kind: 'K', spec: second as JsonObject }
        const once = applyConfiguration({ ...context('m', 2), live, config, force: true }).object
        const twice = applyConfiguration({ ...context('m', 3), live: once, config, force: true })
        expect(keepManagerTimes(once, twice.object)).toEqual(once)
      }),
      { numRuns: 200 },
    )
  })

  it('never changes its arguments', () => {
    fc.assert(
      fc.property(specs, specs, (first, second) => {
        const live = recordUpdate({
          ...context('creator', 1),
          live: undefined,
          updated: objectOf(first),
        })
        const before = JSON.stringify(live)
        const config = { apiVersion: 'g/v1', kind: 'K', spec: second as JsonObject }
        const sent = JSON.stringify(config)
        applyConfiguration({ ...context('m', 2), live, config, force: true })
        recordUpdate({ ...context('u', 3), live, updated: objectOf(second) })
        expect(JSON.stringify(live)).toBe(before)
        expect(JSON.stringify(config)).toBe(sent)
      }),
      { numRuns: 100 },
    )
  })
})
