import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../schema/index.ts'
import { jsonPatch, type JsonPatchOperation } from './json-patch.ts'

test.for([
  ['nothing', { a: 1 }, { a: 1 }, []],
  ['an added field', {}, { a: { b: 1 } }, [{ op: 'add', path: '/a', value: { b: 1 } }]],
  ['a removed field', { a: 1, b: 2 }, { b: 2 }, [{ op: 'remove', path: '/a' }]],
  ['a changed type', { a: [1] }, { a: '1' }, [{ op: 'replace', path: '/a', value: '1' }]],
  ['a null', { a: 1 }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
  ['escapes', { 'a/b': { '~': 1 } }, { 'a/b': {} }, [{ op: 'remove', path: '/a~1b/~0' }]],
  [
    'a shorter list',
    { a: [1, 2, 3] },
    { a: [1] },
    [
      { op: 'remove', path: '/a/2' },
      { op: 'remove', path: '/a/1' },
    ],
  ],
  ['a longer list', { a: [1] }, { a: [1, 2] }, [{ op: 'add', path: '/a/-', value: 2 }]],
] as [string, JsonObject, JsonObject, JsonPatchOperation[]][])(
  'the patch for %s',
  ([, before, after, operations]) => {
    expect(jsonPatch(before, after)).toEqual(operations)
  },
)

const objects = fc.dictionary(
  fc.constantFrom('a', 'b', 'c/d', '~e'),
  fc.jsonValue(),
) as fc.Arbitrary<JsonObject>

test('applying the patch to the first object gives the second', () => {
  fc.assert(
    fc.property(objects, objects, (before, after) => {
      const plain = JSON.parse(JSON.stringify([before, after])) as [JsonObject, JsonObject]
      expect(applied(plain[0], jsonPatch(...plain))).toEqual(plain[1])
    }),
  )
})

/** A second implementation, as short as possible. */
function applied(before: JsonObject, operations: readonly JsonPatchOperation[]): JsonValue {
  const root = { value: structuredClone(before) as JsonValue }
  for (const operation of operations) {
    const names = ['value', ...operation.path.split('/').slice(1)].map((name) =>
      name.replaceAll('~1', '/').replaceAll('~0', '~'),
    )
    const last = names.pop() ?? ''
    let parent = root as unknown as Record<string, unknown>
    for (const name of names) parent = parent[name] as Record<string, unknown>
    if (operation.op === 'remove' && Array.isArray(parent)) parent.splice(Number(last), 1)
    else if (operation.op === 'remove') delete parent[last]
    else if (Array.isArray(parent) && last === '-') parent.push(operation.value)
    else parent[last] = operation.value
  }
  return root.value
}
