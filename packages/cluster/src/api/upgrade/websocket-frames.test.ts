import fc from 'fast-check'
import { joinBytes } from 'setpoint/host'
import { describe, expect, test } from 'vitest'
import { clientFrame } from './testdata/client-frame.ts'
import { FrameReader, serverFrame, type Frame } from './websocket-frames.ts'

const plain = (frames: readonly Frame[]) =>
  frames.map(({ kind, isFinal, payload }) => [kind, isFinal, Buffer.from(payload).toString('hex')])

describe('frames of a client', () => {
  test('are read from chunks of any size', () => {
    const frame = fc.record({
      kind: fc.constantFrom('text' as const, 'binary' as const),
      payload: fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.integer({ min: 60_000, max: 70_000 }).map((length) => new Uint8Array(length).fill(7)),
      ),
    })
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 5 }),
        fc.integer({ min: 50, max: 5_000 }),
        (sent, size) => {
          const bytes = joinBytes(sent.map(({ kind, payload }) => clientFrame(kind, payload)))
          const reader = new FrameReader()
          const got: Frame[] = []
          for (let start = 0; start < bytes.length; start += size) {
            got.push(...reader.push(bytes.subarray(start, start + size)))
          }
          expect(plain(got)).toEqual(
            sent.map(({ kind, payload }) => [kind, true, Buffer.from(payload).toString('hex')]),
          )
        },
      ),
      { numRuns: 30 },
    )
  })

  test.each<[string, number[], number]>([
    ['without a mask', [0x81, 0x01, 0x61], 1002],
    ['of an unknown kind', [0x83, 0x80, 0, 0, 0, 0], 1002],
    ['with reserved bits', [0xc1, 0x80, 0, 0, 0, 0], 1002],
    ['of control in pieces', [0x09, 0x80, 0, 0, 0, 0], 1002],
    ['that are too long', [0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0], 1009],
  ])('%s are refused', (_, bytes, code) => {
    expect(() => new FrameReader().push(Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({ code }) as Error,
    )
  })
})

test('encodes the length of a server frame in the shortest form', () => {
  const head = (length: number) => [...serverFrame('binary', new Uint8Array(length)).subarray(0, 4)]
  expect(head(5)).toEqual([0x82, 5, 0, 0])
  expect(head(200)).toEqual([0x82, 126, 0, 200])
  expect(head(70_000)).toEqual([0x82, 127, 0, 0])
})
