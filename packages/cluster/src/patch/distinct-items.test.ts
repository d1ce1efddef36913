import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distinct } from './distinct-items.ts'

/** The server's algorithm, which compares each item with each. */
function comparedWithEach(given: readonly number[]): number[] {
  const items = [...given]
  for (let first = 0; first < items.length; first += 1) {
    for (let other = first + 1; other < items.length; other += 1) {
      if (items[first] !== items[other]) continue
      const last = items.pop()
      if (other < items.length && last !== undefined) items[other] = last
      other -= 1
    }
  }
  return items
}

test('removes repeated items and fills the gaps as a comparison of each with each', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 30 }), (items) => {
      expect(distinct([...items])).toEqual(comparedWithEach(items))
    }),
    { numRuns: 2000 },
  )
})
