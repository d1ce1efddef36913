import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanLine, scanObject, type ScannedObject } from './scan-object.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

function decode(content: ScannedObject['content'] | undefined): unknown {
  const bytes = Buffer.alloc(content?.byteLength ?? 0)
  content?.copyTo(bytes, 0)
  return JSON.parse(bytes.toString())
}

function withoutManagedFields(object: { metadata: Record<string, unknown> }): unknown {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

test('scans a watch event of a server', () => {
  const object = {
    metadata: {
      managedFields: [{ a: ']}"' }],
      name: 'web',
      namespace: 'n',
      uid: 'u',
      resourceVersion: '7',
    },
    data: { x: '"metadata":{' },
  }
  const line = encode(JSON.stringify({ type: 'ADDED', object }))
  const frame = scanLine(line)
  expect(frame?.type).toBe('ADDED')
  const scanned = scanObject(line, frame?.objectStart ?? -1)
  expect(scanned?.identity).toEqual({ namespace: 'n', name: 'web', uid: 'u', resourceVersion: '7' })
  expect(decode(scanned?.content)).toEqual(withoutManagedFields(object))
})

test('keeps the meaning of every object except managedFields', () => {
  const name = fc.stringMatching(/^[a-z][-a-z0-9.]{0,20}$/)
  const metadata = fc
    .tuple(
      fc.shuffledSubarray(
        ['name', 'namespace', 'uid', 'resourceVersion', 'labels', 'managedFields'],
        {
          minLength: 6,
        },
      ),
      name,
      fc.jsonValue(),
      fc.dictionary(fc.string(), fc.string()),
    )
    .map(([order, text, managedFields, labels]) => {
      const values: Record<string, unknown> = { name: text, managedFields, labels }
      return Object.fromEntries(order.map((field) => [field, values[field] ?? `${field}-value`]))
    })
  const body = fc.dictionary(fc.string(), fc.jsonValue())
  const indent = fc.constantFrom('', ' ', '\t')
  fc.assert(
    fc.property(metadata, body, indent, (meta, rest, space) => {
      const object = { ...rest, metadata: meta, tail: 1 }
      const line = encode(JSON.stringify({ type: 'MODIFIED', object }, undefined, space))
      const frame = scanLine(line)
      expect(frame?.type).toBe('MODIFIED')
      const scanned = scanObject(line, frame?.objectStart ?? -1)
      expect(scanned?.identity.name).toBe(meta['name'])
      expect(scanned?.identity.resourceVersion).toBe('resourceVersion-value')
      expect(decode(scanned?.content)).toEqual(
        JSON.parse(JSON.stringify(withoutManagedFields(object))),
      )
    }),
    { numRuns: 500 },
  )
})

test('never misreads truncated or invalid JSON', () => {
  const line = JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'a', uid: 'é"\\' } } })
  const whole = encode(line)
  for (let length = 0; length < whole.length; length += 1) {
    const frame = scanLine(whole.subarray(0, length))
    expect(frame).toBeUndefined()
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      scanLine(bytes)
      scanObject(bytes, 0)
    }),
  )
})

test('falls back to the parser if a name contains escapes', () => {
  const line = encode('{"metadata":{"name":"a\\u0062"}}')
  expect(scanObject(line, 0)).toBeUndefined()
  expect(scanObject(encode('{"metadata":{}}'), 0)).toBeUndefined()
})
