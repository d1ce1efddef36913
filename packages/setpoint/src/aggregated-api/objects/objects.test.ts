import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../schema/index.ts'
import { applyPatch } from './apply-patch.ts'
import { listChunk } from './list-chunk.ts'
import { objectSelection } from './object-selection.ts'
import type { ServedJson } from './served-objects.ts'
import { shortAge } from './short-age.ts'

const json = 'application/json-patch+json'
const merge = 'application/merge-patch+json'

test.each<[type: string, before: JsonObject, change: [patch: JsonValue, after: JsonValue]]>([
  [merge, { a: 1, b: { c: 2 } }, [{ b: { c: null, d: 3 } }, { a: 1, b: { d: 3 } }]],
  [merge, { a: [1, 2] }, [{ a: [3] }, { a: [3] }]],
  [merge, {}, [{ a: { b: null, c: 1 } }, { a: { c: 1 } }]],
  [json, { a: 1 }, [[{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }]],
  [json, { a: [1, 3] }, [[{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }]],
  [json, { a: [1] }, [[{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }]],
  [json, { a: [1, 2] }, [[{ op: 'remove', path: '/a/0' }], { a: [2] }]],
  [json, { 'b/c': 1 }, [[{ op: 'replace', path: '/b~1c', value: 2 }], { 'b/c': 2 }]],
  [json, { a: 1, b: {} }, [[{ op: 'move', from: '/a', path: '/b/c' }], { b: { c: 1 } }]],
  [json, { a: 1 }, [[{ op: 'copy', from: '/a', path: '/b' }], { a: 1, b: 1 }]],
  [json, { a: 1 }, [[{ op: 'test', path: '/a', value: 1 }], { a: 1 }]],
])('a patch of type %s changes %j by %j', (type, before, [patch, after]) => {
  expect(applyPatch(before, type, patch)).toEqual(after)
})

test.each<[type: string, patch: JsonValue, code: number]>([
  [json, [{ op: 'test', path: '/a', value: 2 }], 422],
  [json, [{ op: 'remove', path: '/none' }], 422],
  [json, [{ op: 'replace', path: '/none', value: 1 }], 422],
  [json, [{ op: 'add', path: '/list/7', value: 1 }], 422],
  [json, [{ op: 'add', path: '/none/deep', value: 1 }], 422],
  [json, [{ op: 'remove', path: '' }], 400],
  [json, [{ op: 'add', path: '/b' }], 400],
  [json, [{ op: 'add', path: 'b', value: 1 }], 400],
  [json, [{ op: 'shout', path: '/a' }], 400],
  [json, { op: 'add' }, 400],
  ['application/strategic-merge-patch+json', {}, 415],
  ['application/apply-patch+yaml', {}, 415],
])('a patch of type %s is refused: %j', (type, patch, code) => {
  expect(() => applyPatch({ a: 1, list: [1] }, type, patch)).toThrow(
    expect.objectContaining({ code }) as Error,
  )
})

test.each([
  [-5000, '<invalid>'],
  [-1000, '0s'],
  [119_000, '119s'],
  [120_000, '2m'],
  [150_000, '2m30s'],
  [3_600_000, '60m'],
  [4 * 3_600_000 + 300_000, '4h5m'],
  [9 * 3_600_000 + 300_000, '9h'],
  [50 * 3_600_000, '2d2h'],
  [100 * 86_400_000, '100d'],
  [800 * 86_400_000, '2y70d'],
])('an age of %d ms is printed as %s', (ageMs, text) => {
  expect(shortAge(ageMs)).toBe(text)
})

function named(
  name: string,
  labels: Record<string, string> = {},
  namespace = 'default',
): ServedJson {
  return { metadata: { name, namespace, labels } }
}

test.each<[selector: string, labels: Record<string, string>, isSelected: boolean]>([
  ['', {}, true],
  ['a=b', { a: 'b' }, true],
  ['a==b,c=d', { a: 'b' }, false],
  ['a!=b', {}, true],
  ['a in (b, c),d', { a: 'c', d: '' }, true],
  ['a notin (b)', { a: 'b' }, false],
  ['!a', { a: '' }, false],
  ['example.com/a', { 'example.com/a': '1' }, true],
  ['a>3', { a: '4' }, true],
  ['a<3', { a: '4' }, false],
])('the label selector %j and the labels %j: %s', (selector, labels, isSelected) => {
  const query = new URLSearchParams({ labelSelector: selector })
  const { hasLabels } = objectSelection(query, { namespace: undefined, name: '' })
  expect(hasLabels(named('x', labels))).toBe(isSelected)
})

test.each(['a=b=c', 'a in b', '=b', 'a,,b', 'a in (b'])(
  'the selector %j is refused',
  (selector) => {
    const query = new URLSearchParams({ labelSelector: selector })
    expect(() => objectSelection(query, { namespace: undefined, name: '' })).toThrow(
      expect.objectContaining({ code: 400 }) as Error,
    )
  },
)

test('field selectors select names and namespaces', () => {
  const selected = (fieldSelector: string) =>
    objectSelection(new URLSearchParams({ fieldSelector }), { namespace: undefined, name: '' })
  expect(selected('metadata.name=a').name).toBe('a')
  expect(selected('metadata.name!=a').isInScope(named('a'))).toBe(false)
  expect(selected('metadata.namespace=b').isInScope(named('a', {}, 'b'))).toBe(true)
  expect(() => selected('metadata.name')).toThrow("can't understand")
})

test('a token continues after the last key, even if that object is gone', () => {
  const items = ['a', 'b', 'c'].map((name) => named(name))
  const first = listChunk(items, { limit: '2', token: null })
  expect(first).toMatchObject({ items: items.slice(0, 2), remainingItemCount: 1 })
  const rest = items.filter(({ metadata }) => metadata.name !== 'b')
  const { items: left } = listChunk(rest, { limit: '2', token: first.continue ?? '' })
  expect(left).toEqual([named('c')])
  expect(() => listChunk(items, { limit: '2', token: '%%' })).toThrow('continue key is not valid')
  expect(() => listChunk(items, { limit: '-1', token: null })).toThrow('limit')
})
