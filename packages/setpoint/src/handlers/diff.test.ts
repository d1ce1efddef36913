import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasFields, jsonEquals, setField } from '../schema/json-value.ts'
import { type Diff, diffOf } from './diff.ts'

/** Applies a diff. */
function applied(before: unknown, diff: Diff): unknown {
  let value = structuredClone(before)
  for (const { op, path, new: next } of diff) {
    if (path.length === 0) {
      value = next
      continue
    }
    let parent = value as Record<string, unknown>
    for (const name of path.slice(0, -1)) {
      parent = Object.getOwnPropertyDescriptor(parent, name)?.value as Record<string, unknown>
    }
    const last = path.at(-1) ?? ''
    if (op === 'remove') Reflect.deleteProperty(parent, last)
    else setField(parent as never, last, next as never)
  }
  return value
}

const name = fc.constantFrom('a', 'b', 'labels', 'example.com/x', '__proto__', 'constructor')
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, 0, 1, '', 'text'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries) as unknown),
  ),
}))

test('turns the old value into the new one, and is empty only for equal values', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const diff = diffOf(before, after)
      expect(jsonEquals(applied(before, diff), after)).toBe(true)
      expect(diff.length === 0).toBe(jsonEquals(before, after))
    }),
    { numRuns: 500 },
  )
})

test('has the old and the new value, as deep as both have fields', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      for (const { op, old, new: next } of diffOf(before, after)) {
        expect(op).toBe(old === undefined ? 'add' : next === undefined ? 'remove' : 'change')
        expect(hasFields(old) && hasFields(next)).toBe(false)
      }
    }),
  )
})

test('compares lists as a whole and fields one by one', () => {
  const before = { spec: { size: '1G', tags: ['a'] }, metadata: { labels: { x: '1' } } }
  const after = { spec: { size: '2G', tags: ['a', 'b'], mode: 'rw' }, metadata: {} }
  expect(diffOf(before, after)).toEqual([
    { op: 'change', path: ['spec', 'size'], old: '1G', new: '2G' },
    { op: 'change', path: ['spec', 'tags'], old: ['a'], new: ['a', 'b'] },
    { op: 'add', path: ['spec', 'mode'], old: undefined, new: 'rw' },
    { op: 'remove', path: ['metadata', 'labels'], old: { x: '1' }, new: undefined },
  ])
})
