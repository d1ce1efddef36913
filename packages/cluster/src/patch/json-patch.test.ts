import fc from 'fast-check'
import { jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../status/index.ts'
import { applyJsonPatch, applyMergePatch } from './index.ts'

const appendix: readonly (readonly [string, JsonObject, JsonValue, JsonObject])[] = [
  ['A.1', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
  [
    'A.2',
    { foo: ['bar', 'baz'] },
    [{ op: 'add', path: '/foo/1', value: 'qux' }],
    { foo: ['bar', 'qux', 'baz'] },
  ],
  ['A.3', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
  [
    'A.4',
    { foo: ['bar', 'qux', 'baz'] },
    [{ op: 'remove', path: '/foo/1' }],
    { foo: ['bar', 'baz'] },
  ],
  [
    'A.5',
    { baz: 'qux', foo: 'bar' },
    [{ op: 'replace', path: '/baz', value: 'boo' }],
    { baz: 'boo', foo: 'bar' },
  ],
  [
    'A.6',
    { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  ],
  [
    'A.7',
    { foo: ['all', 'grass', 'cows', 'eat'] },
    [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    { foo: ['all', 'cows', 'eat', 'grass'] },
  ],
  [
    'A.8',
    { baz: 'qux', foo: ['a', 2, 'c'] },
    [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    { baz: 'qux', foo: ['a', 2, 'c'] },
  ],
  [
    'A.10',
    { foo: 'bar' },
    [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    { foo: 'bar', child: { grandchild: {} } },
  ],
  [
    'A.11',
    { foo: 'bar' },
    [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
    { foo: 'bar', baz: 'qux' },
  ],
  ['A.14', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
  [
    'A.16',
    { foo: ['bar'] },
    [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
    { foo: ['bar', ['abc', 'def']] },
  ],
]

const refused: readonly (readonly [string, JsonObject, JsonValue])[] = [
  ['A.9: a test that fails', { baz: 'qux' }, [{ op: 'test', path: '/baz', value: 'bar' }]],
  ['A.12: a missing target', { foo: 'bar' }, [{ op: 'add', path: '/baz/bat', value: 'qux' }]],
  [
    'A.15: a number is not its text',
    { '/': 9, '~1': 10 },
    [{ op: 'test', path: '/~01', value: '10' }],
  ],
]

describe('RFC 6902, appendix A', () => {
  it.each(appendix)('%s', (...[, target, patch, expected]) => {
    expect(applyJsonPatch(target, patch)).toEqual(expected)
  })

  it.each(refused)('%s', (_name, target, patch) => {
    expect(() => applyJsonPatch(target, patch)).toThrow(ApiError)
  })
})

const mergeAppendix: readonly (readonly [JsonObject, JsonValue, JsonObject])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

describe('RFC 7386, appendix A', () => {
  it.each(mergeAppendix)('%j with %j', (target, patch, expected) => {
    expect(applyMergePatch(target, patch)).toEqual(expected)
  })
})

const json = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.integer(),
    fc.string({ maxLength: 3 }),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', '~/', 'constructor', '__proto__'), tie('value'), {
    maxKeys: 4,
  }),
}))

/** The merge patch that turns one object into the other. */
function difference(from: JsonObject, to: JsonObject): JsonObject {
  const entries: [string, JsonValue][] = []
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) entries.push([key, null])
  for (const [key, value] of Object.entries(to)) {
    const own = Object.hasOwn(from, key) ? from[key] : undefined
    if (isObject(own) && isObject(value)) entries.push([key, difference(own, value)])
    else if (own === undefined || !jsonEquals(own, value)) entries.push([key, value])
  }
  return Object.fromEntries(entries)
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

describe('any objects', () => {
  it('a merge patch of the difference results in the other object', () => {
    fc.assert(
      fc.property(json.object, json.object, (from, to) => {
        expect(jsonEquals(applyMergePatch(from, difference(from, to)), to)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('a JSON patch applies completely or not at all, and never modifies its input', () => {
    fc.assert(
      fc.property(json.object, json.value, (target, value) => {
        const before = JSON.stringify(target)
        const patch = [
          { op: 'add', path: '/a', value },
          { op: 'test', path: '/a', value: 'something else entirely' },
        ]
        expect(() => applyJsonPatch(target, patch)).toThrow(ApiError)
        expect(JSON.stringify(target)).toBe(before)
      }),
      { numRuns: 200 },
    )
  })
})

describe('the order of fields after a JSON patch', () => {
  const ordered = (operations: JsonValue): string =>
    JSON.stringify(applyJsonPatch({ z: 1, b: { y: 1, a: { x: 1, c: 1 } } }, operations))

  it.each([
    ['is kept in values that no path leads through', [], '{"b":{"y":1,"a":{"x":1,"c":1}},"z":1}'],
    [
      'is alphabetical in values that a path leads through',
      [{ op: 'add', path: '/b/n', value: 1 }],
      '{"b":{"a":{"x":1,"c":1},"n":1,"y":1},"z":1}',
    ],
    [
      'is that of the printed value in a copy into itself',
      [{ op: 'copy', from: '/b', path: '/b/n' }],
      '{"b":{"a":{"x":1,"c":1},"n":{"a":{"x":1,"c":1},"y":1},"y":1},"z":1}',
    ],
    [
      'is alphabetical in all of a tested value',
      [{ op: 'test', path: '/b', value: { a: { c: 1, x: 1 }, y: 1 } }],
      '{"b":{"a":{"c":1,"x":1},"y":1},"z":1}',
    ],
  ])('%s', (_, operations, expected) => {
    expect(ordered(operations)).toBe(expected)
  })
})
