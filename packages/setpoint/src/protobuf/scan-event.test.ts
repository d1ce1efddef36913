import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSetpointError } from '../errors/index.ts'
import { decodeMessage } from './decode-message.ts'
import { FrameSplitter } from './frame-splitter.ts'
import { planOf } from './message-plan.ts'
import { scanEvent, scanMessage } from './scan-event.ts'
import { readObjects } from './testdata/read-objects.ts'

const recorded = readObjects()

interface Metadata {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly managedFields?: unknown
}

test.each(recorded)(
  'finds the identity of $name, and drops its managedFields',
  ({ object, message, table }) => {
    const { identity, content } = scanMessage(message, { offset: 0, length: message.length })
    const { managedFields: _, ...metadata } = object.metadata as Metadata
    const { name, namespace = '', uid = '', resourceVersion = '' } = metadata
    expect(identity).toEqual({ name, namespace, uid, resourceVersion })
    const kept = Buffer.alloc(content.byteLength + 6)
    content.copyTo(kept, 3)
    const span = { offset: 3, length: content.byteLength }
    const { apiVersion, kind } = object
    const decoded = decodeMessage(planOf(table, { apiVersion, kind }), kept, span)
    expect(decoded).toEqual({ ...object, metadata })
  },
)

test('splits a stream of any chunks into events', () => {
  const events = recorded.slice(0, 20).map(({ message }) => eventOf('ADDED', message))
  const stream = Buffer.concat(events.map(framed))
  const cuts = fc.array(fc.nat(stream.length), { maxLength: 60 })
  fc.assert(
    fc.property(cuts, fc.nat(stream.length), (places, end) => {
      const splitter = new FrameSplitter()
      const edges = [0, ...places.filter((place) => place < end), end].sort((a, b) => a - b)
      const found = edges.slice(1).flatMap((to, index) =>
        // They are valid until the next chunk only.
        splitter.split(stream.subarray(edges[index], to)).map((frame) => Buffer.from(frame)),
      )
      const whole = events.filter(
        (_, index) => Buffer.concat(events.slice(0, index + 1).map(framed)).length <= end,
      )
      expect(found).toEqual(whole)
    }),
    { numRuns: 50 },
  )
})

test('refuses a frame that is larger than any object before it arrives', () => {
  const splitter = new FrameSplitter()
  expect(splitter.split(Uint8Array.from([1, 0]))).toEqual([])
  expect(() => splitter.split(Uint8Array.from([0, 1]))).toThrow(/above 16777216 bytes/)
})

test('joins a frame that is larger than the scratch buffer', () => {
  const large = Buffer.alloc(300_000, 'x')
  const splitter = new FrameSplitter()
  const bytes = framed(large)
  expect(splitter.split(bytes.subarray(0, 100_000))).toEqual([])
  expect(splitter.split(bytes.subarray(100_000))).toEqual([large])
})

test('returns the type of an event and the place of its object', () => {
  const { message } = recorded[0] ?? expect.fail()
  const event = eventOf('MODIFIED', message)
  const { type, object } = scanEvent(event)
  expect(type).toBe('MODIFIED')
  expect(event.subarray(object.offset, object.offset + object.length)).toEqual(message)
})

test('returns an error for malformed events', () => {
  const event = eventOf('ADDED', recorded[0]?.message ?? expect.fail())
  fc.assert(
    fc.property(fc.nat(event.length - 1), fc.nat(255), (at, byte) => {
      const bytes = Buffer.from(event)
      bytes[at] = byte
      try {
        const { object } = scanEvent(bytes)
        scanMessage(bytes, object)
      } catch (error) {
        if (!isSetpointError(error, 'NETWORK_PROTOCOL_ERROR')) throw error
      }
    }),
    { numRuns: 1000 },
  )
  expect(() => scanEvent(Buffer.from([0x0a, 1, 0x41]))).toThrow(/has no object/)
  expect(() => scanEvent(Buffer.from([0x12, 3, 0x0a, 1, 0x41]))).toThrow(
    /start with the magic number/,
  )
})

function eventOf(type: string, message: Buffer): Buffer {
  const envelope = Buffer.concat([Buffer.from('k8s\0\x0a\x00', 'latin1'), field(2, message)])
  return Buffer.concat([field(1, Buffer.from(type)), field(2, field(1, envelope))])
}

function field(number: number, content: Buffer): Buffer {
  const head = [(number << 3) | 2]
  let rest = content.length
  for (; rest >= 0x80; rest >>>= 7) head.push((rest & 0x7f) | 0x80)
  return Buffer.concat([Buffer.from([...head, rest]), content])
}

function framed(frame: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(frame.length)
  return Buffer.concat([head, frame])
}
