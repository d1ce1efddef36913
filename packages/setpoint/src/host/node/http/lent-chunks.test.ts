import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LentChunks } from './lent-chunks.ts'

test('returns exactly the added bytes, also when more are added meanwhile', () => {
  const bytes = fc.uint8Array({ maxLength: 9000 })
  fc.assert(
    fc.property(fc.array(fc.tuple(bytes, fc.boolean()), { maxLength: 30 }), (steps) => {
      const lent = new LentChunks()
      const added: number[] = []
      const read: number[] = []
      let taken: Uint8Array | undefined
      for (const [chunk, isTaken] of steps) {
        lent.add(chunk)
        added.push(...chunk)
        // The reader is done with the previous chunk only now.
        if (taken !== undefined) read.push(...taken)
        taken = isTaken ? lent.take() : undefined
      }
      read.push(...(taken ?? []), ...lent.take())
      expect(read).toEqual(added)
    }),
    { numRuns: 50 },
  )
})

test('shrinks the buffer after a burst', () => {
  const lent = new LentChunks()
  lent.add(new Uint8Array(1_000_000))
  expect(lent.take().buffer.byteLength).toBe(1_000_000)
  lent.add(new Uint8Array(10))
  lent.take()
  lent.add(new Uint8Array(10))
  expect(lent.take().buffer.byteLength).toBe(4096)
})
