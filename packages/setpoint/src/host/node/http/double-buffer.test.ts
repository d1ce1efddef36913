import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DoubleBuffer } from './double-buffer.ts'

test('returns exactly the added bytes, even when more are added later', () => {
  const bytes = fc.uint8Array({ maxLength: 9000 })
  fc.assert(
    fc.property(fc.array(fc.tuple(bytes, fc.boolean()), { maxLength: 30 }), (steps) => {
      const buffer = new DoubleBuffer()
      const added: number[] = []
      const read: number[] = []
      let taken: Uint8Array | undefined
      for (const [chunk, isTaken] of steps) {
        buffer.add(chunk)
        added.push(...chunk)
        // The reader is done with the previous chunk only now.
        if (taken !== undefined) read.push(...taken)
        taken = isTaken ? buffer.take() : undefined
      }
      read.push(...(taken ?? []), ...buffer.take())
      expect(read).toEqual(added)
    }),
    { numRuns: 50 },
  )
})

test('shrinks the buffer after a burst', () => {
  const buffer = new DoubleBuffer()
  buffer.add(new Uint8Array(1_000_000))
  expect(buffer.take().buffer.byteLength).toBe(1_000_000)
  buffer.add(new Uint8Array(10))
  buffer.take()
  buffer.add(new Uint8Array(10))
  expect(buffer.take().buffer.byteLength).toBe(4096)
})
