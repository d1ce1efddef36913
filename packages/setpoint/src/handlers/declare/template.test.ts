import fc from 'fast-check'
import { expect, test } from 'vitest'
import { template } from './template.ts'

const service = `
apiVersion: v1
kind: Service
metadata:
  name: "{name}"
  labels:
    "{group}/app": web-{name}-{port}
spec:
  selector: { app: "{name}" }
  ports:
    - port: {port}
      name: http
  raw: "{{name}} {not a name}"
  list: {ports}
`

test('inserts text into text, and replaces a placeholder that is a whole value by the value', () => {
  const values = { name: 'shop', group: 'example.com', port: 80, ports: [1, 2] }
  expect(template(service, values)).toEqual({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'shop', labels: { 'example.com/app': 'web-shop-80' } },
    spec: {
      selector: { app: 'shop' },
      ports: [{ port: 80, name: 'http' }],
      raw: '{name} {not a name}',
      list: [1, 2],
    },
  })
})

test('finds values by path', () => {
  const volume = { metadata: { name: 'data' }, spec: { size: '1G' } }
  expect(template('a: "{metadata.name}"\nb: {spec.size}', volume)).toEqual({ a: 'data', b: '1G' })
})

test('never lets a value change the structure', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const text = 'a: "{v}"\nb:\n  - x-{v}\n  - {v}\n'
      expect(template(text, { v: value })).toEqual({ a: value, b: [`x-${value}`, value] })
    }),
  )
  expect(template('a: "{v}"', { v: '"\nb: 1 {v}' })).toEqual({ a: '"\nb: 1 {v}' })
})

test('reports the line of a missing value and of a value that is not text', () => {
  expect(() => template('a: 1\nb:\n  c: "{size}"\n', {})).toThrow(/no value for \{size\} in line 3/)
  expect(() => template('a: {toString}', {})).toThrow(/no value for \{toString\} in line 1/)
  expect(() => template('a: x{b}', { b: {} })).toThrow(/\{b\} in line 1 .* is not text/)
  expect(() => template('a: [', {})).toThrow(/invalid template/)
  expect(() => template('- a', {})).toThrow(/not an object/)
})
