import { expect, test } from 'vitest'
import { seededRandom } from './seeded-random.ts'

test('repeats itself for the same seed only', () => {
  const draw = (seed: number | string) => {
    const random = seededRandom(seed)
    return Array.from({ length: 8 }, () => random.uint32())
  }
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).toEqual(draw('7'))
  const firsts = new Set(Array.from({ length: 1000 }, (_, seed) => draw(seed).join()))
  expect(firsts.size).toBe(1000)
})

test('distributes values below a bound evenly', () => {
  const random = seededRandom('fair')
  const counts = [0, 0, 0, 0, 0]
  for (let draw = 0; draw < 50_000; draw += 1) {
    const outcome = random.below(5)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400)
})
