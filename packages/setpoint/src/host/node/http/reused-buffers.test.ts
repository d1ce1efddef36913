import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReusedBuffers } from './reused-buffers.ts'

test('returns exactly the added bytes, also when more are added meanwhile', () => {
  const bytes = fc.uint8Array({ maxLength: 9000 })
  fc.assert(
    fc.property(fc.array(fc.tuple(bytes, fc.boolean()), { maxLength: 30 }), (steps) => {
      const buffers = new ReusedBuffers()
      const added: number[] = []
      const read: number[] = []
      let taken: Uint8Array | undefined
      for (const [chunk, isTaken] of steps) {
        buffers.add(chunk)
        added.push(...chunk)
        // The reader is done with the previous chunk only now.
        if (taken !== undefined) read.push(...taken)
        taken = isTaken ? buffers.take() : undefined
      }
      read.push(...(taken ?? []), ...buffers.take())
      expect(read).toEqual(added)
    }),
    { numRuns: 50 },
  )
})

test('shrinks the buffer after a burst', () => {
  const buffers = new ReusedBuffers()
  buffers.add(new Uint8Array(1_000_000))
  expect(buffers.take().buffer.byteLength).toBe(1_000_000)
  buffers.add(new Uint8Array(10))
  buffers.take()
  buffers.add(new Uint8Array(10))
  expect(buffers.take().buffer.byteLength).toBe(4096)
})
