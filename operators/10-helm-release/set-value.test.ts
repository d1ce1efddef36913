import { expect, test } from 'vitest'
import { setLiteral, setValue } from './set-value.ts'

test.for([
  ['image.tag', '1.27', { image: { tag: '1.27' } }],
  ['replicas', '3', { replicas: 3 }],
  ['port', '"80"', { port: '80' }],
  ['zip', '0123', { zip: '0123' }],
  ['debug', 'true', { debug: true }],
  ['image', 'null', { image: null }],
  ['args', '{a,2}', { args: ['a', 2] }],
  ['hosts[1].name', 'b', { hosts: [null, { name: 'b' }] }],
  [
    String.raw`nodeSelector.kubernetes\.io/os`,
    'linux',
    { nodeSelector: { 'kubernetes.io/os': 'linux' } },
  ],
] as const)('%s=%s is set as helm --set does', ([path, text, expected]) => {
  expect(setValue({}, path, text)).toEqual(expected)
})

test('other values stay', () => {
  const values = { a: { b: 1, c: 2 }, list: ['x', 'y'] }
  expect(setValue(values, 'a.b', '3')).toEqual({ a: { b: 3, c: 2 }, list: ['x', 'y'] })
  expect(setValue(values, 'list[1]', 'z')).toEqual({ a: { b: 1, c: 2 }, list: ['x', 'z'] })
  expect(values.list).toEqual(['x', 'y'])
})

test('a literal stays a text', () => {
  expect(setLiteral({}, 'a', '{"b": [1]}')).toEqual({ a: '{"b": [1]}' })
})

test('a path must begin with a name, and its indices are small', () => {
  expect(() => setValue({}, '[0]', 'a')).toThrow('does not begin with a name')
  expect(() => setValue({}, 'a[999999999]', 'a')).toThrow('index of 65536 or more')
})
