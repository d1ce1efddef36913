import { expect, test } from 'vitest'
import { sourceLine } from './source-line.ts'

function thrown(error: Error, ...frames: readonly string[]): Error {
  return Object.assign(error, { stack: [`${error.name}: text`, 'at first', ...frames].join('\n') })
}

const operators = '    at desired (file:///shop/src/operators.ts:12:5)'

test.for([
  [thrown(new TypeError('x'), operators), 'src/operators.ts:12:5'],
  [thrown(new RangeError('x'), '    at /app/main.js:1:200'), 'app/main.js:1:200'],
  [
    thrown(
      new TypeError('x'),
      '    at JSON.parse (<anonymous>)',
      '    at a (node:internal/x:1:2)',
      '    at b (/app/node_modules/zod/index.js:3:4)',
      '    at async c (/app/src/my.ts?t=5:7:8)',
    ),
    'src/my.ts:7:8',
  ],
  [thrown(new TypeError('x')), undefined],
  [thrown(new TypeError('fetch failed', { cause: new Error('refused') }), operators), undefined],
  [thrown(new Error('no room'), operators), undefined],
  ['text', undefined],
] as const)('finds the place of a programming error: %s', ([error, expected]) => {
  expect(sourceLine(error)).toBe(expected)
})
