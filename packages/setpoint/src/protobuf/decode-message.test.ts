import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSetpointError } from '../errors/index.ts'
import { decodeMessage } from './decode-message.ts'
import { planOf } from './message-plan.ts'
import type { MessageTable } from './message-table.ts'
import { readObjects } from './testdata/read-objects.ts'

const recorded = readObjects()

function decode(table: MessageTable, message: Uint8Array): object {
  const bytes = Buffer.from(message)
  return decodeMessage(planOf(table), bytes, { offset: 0, length: bytes.length })
}

test.each(recorded)('decodes $name to its JSON', ({ object, message, table }) => {
  const { apiVersion, kind } = object
  expect({ apiVersion, kind, ...decode(table, message) }).toEqual(object)
})

test('decodes an object anywhere in a buffer', () => {
  const { table, message, object } = recorded[0] ?? expect.fail()
  const bytes = Buffer.concat([Buffer.from('before'), message, Buffer.from('after')])
  const { apiVersion, kind } = object
  const plan = planOf(table, { apiVersion, kind })
  expect(decodeMessage(plan, bytes, { offset: 6, length: message.length })).toEqual(object)
})

test('omits zero values that Go omits, and keeps those that it prints', () => {
  const table: MessageTable = [
    'a:i b:!i c:?i d e:! f:b g:!b h:*i i:!* j:!% k:!?m l:!y m:t n:!t',
    [''],
  ]
  const zeros = [0x08, 0, 0x10, 0, 0x18, 0, 0x22, 0, 0x2a, 0, 0x30, 0, 0x38, 0, 0x40, 0]
  const message = Uint8Array.from([...zeros, 0x6a, 0, 0x72, 0])
  const nulls = { i: null, j: null, k: null, l: null, n: null }
  expect(decode(table, message)).toEqual({ b: 0, c: 0, e: '', g: false, h: [0], ...nulls })
})

test('decodes numbers as JSON.parse does, even beyond 2^53', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      const message = Uint8Array.from([0x08, ...varint(BigInt.asUintN(64, value))])
      expect(decode(['a:?i'], message)).toEqual(JSON.parse(`{"a":${value}}`))
    }),
  )
})

test('writes times as Go does', () => {
  const at = (seconds: number): number[] => [0x08, ...varint(BigInt.asUintN(64, BigInt(seconds)))]
  const time = [0x0a, at(1767225600).length, ...at(1767225600)]
  const micro = [...at(-1), 0x10, ...varint(1_234_000n)]
  const message = Uint8Array.from([...time, 0x12, micro.length, ...micro])
  expect(decode(['a:t b:u'], message)).toEqual({
    a: '2026-01-01T00:00:00Z',
    b: '1969-12-31T23:59:59.001234Z',
  })
})

test('writes durations as Go does', () => {
  const words = [0, 1, 1_500, 2_500_000, 90_000_000_000, 3_600_500_000_000, -1_000_000_000].map(
    (nanos) => {
      const number = [0x08, ...varint(BigInt.asUintN(64, BigInt(nanos)))]
      return decode(['a:!d'], Uint8Array.from([0x0a, number.length, ...number]))
    },
  )
  const texts = ['0s', '1ns', '1.5µs', '2.5ms', '1m30s', '1h0m0.5s', '-1s']
  expect(words).toEqual(texts.map((a) => ({ a })))
})

test('handles map keys that are special in JavaScript', () => {
  const key = Buffer.from('__proto__')
  const entry = [0x0a, key.length, ...key, 0x12, 1, 0x78]
  const { a } = decode(['a:%'], Uint8Array.from([0x0a, entry.length, ...entry])) as { a: object }
  expect(Object.getOwnPropertyDescriptor(a, '__proto__')?.value).toBe('x')
  expect(Object.getPrototypeOf(a)).toBe(Object.prototype)
})

test('skips unknown fields', () => {
  const { table, message, object } = recorded[0] ?? expect.fail()
  const unknown = [0xf8, 0x3f, 5, 0xf9, 0x3f, 1, 2, 3, 4, 5, 6, 7, 8, 0xfa, 0x3f, 1, 0, 0xfd, 0x3f]
  const longer = Buffer.concat([Buffer.from(unknown), Buffer.from([1, 2, 3, 4]), message])
  expect(decode(table, longer)).toEqual(decode(table, message))
  expect(object).toMatchObject(decode(table, longer))
})

test('keeps strings of any characters and lengths', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 90 })), (texts) => {
      const fields = texts.map((text) => {
        const bytes = Buffer.from(text)
        return Buffer.from([0x0a, ...varint(BigInt(bytes.length)), ...bytes])
      })
      const decoded = decode(['a:*'], Buffer.concat(fields))
      expect(decoded).toEqual(texts.length === 0 ? {} : { a: texts })
    }),
  )
})

test('returns an error or an object for malformed bytes, and never hangs', () => {
  const change = fc.record({ at: fc.nat(), byte: fc.nat(255), length: fc.nat() })
  fc.assert(
    fc.property(fc.nat(), fc.array(change, { minLength: 1, maxLength: 3 }), (which, changes) => {
      const { table, message } = recorded[which % recorded.length] ?? expect.fail()
      let bytes = Buffer.from(message)
      for (const { at, byte, length } of changes) {
        bytes[at % bytes.length] = byte
        if (length % 4 === 0) bytes = bytes.subarray(0, Math.max(1, length % bytes.length))
      }
      try {
        expect(decode(table, bytes)).toBeTypeOf('object')
      } catch (error) {
        if (!isSetpointError(error, 'NETWORK_PROTOCOL_ERROR')) throw error
      }
    }),
    { numRuns: 2000 },
  )
})

test('refuses a message that is nested without end', () => {
  let message = Buffer.from([])
  for (let depth = 0; depth < 2000; depth += 1) {
    message = Buffer.concat([Buffer.from([0x0a, ...varint(BigInt(message.length))]), message])
  }
  expect(() => decode(['a:?r'], message)).toThrow(/nested too deeply/)
})

test('refuses a field that is longer than its message', () => {
  expect(() => decode(['a'], Uint8Array.from([0x0a, 5, 0x61]))).toThrow(/longer than its message/)
  expect(() => decode(['a:i'], Uint8Array.from([0x08, 0x80]))).toThrow(/does not end/)
  expect(() => decode(['a:i'], Uint8Array.from([0x0a, 0]))).toThrow(/has another type/)
})

function varint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return [...bytes, Number(rest)]
}
