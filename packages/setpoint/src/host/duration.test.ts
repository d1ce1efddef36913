import { expect, test } from 'vitest'
import { durationMs, limitMs } from './duration.ts'

test.each([
  [0, 0],
  [250, 250],
  ['500ms', 500],
  ['1.5s', 1_500],
  ['30s', 30_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
])('reads %j as %d ms', (duration, ms) => {
  expect(durationMs(duration, 'timeout')).toBe(ms)
  expect(limitMs(duration, 'timeout')).toBe(ms)
})

test.each([-1, Number.NaN, '', '5', '5 m', '-5m', '5x', 'soon', null, undefined, {}])(
  'refuses %j, with the name of the option',
  (duration) => {
    const given = typeof duration === 'number' ? String(duration) : JSON.stringify(duration)
    const refusal = expect.objectContaining({
      code: 'DURATION_INVALID',
      message: expect.stringContaining(
        `queue.gather is ${given}, which is not a duration`,
      ) as string,
    }) as Error
    for (const read of [durationMs, limitMs]) {
      expect(() => read(duration as string, 'queue.gather')).toThrow(refusal)
    }
  },
)

test('only a limit may be infinite', () => {
  expect(limitMs(Infinity, 'timeout')).toBe(Infinity)
  expect(() => durationMs(Infinity, 'recheckAfter')).toThrow('recheckAfter is Infinity')
})
