import { expect, test } from 'vitest'
import { hashText, hashWord } from './hash-text.ts'

test.each([
  ['', 0, '17wdrqx', 'ztntfp'],
  ['spec', 0, '7a61tk', '3bi6da'],
  ['spec', 4, '1sa19fg', '3bi6da'],
  ['{"size":"1G"}', 0, 'wt2lcq', '79943k'],
])('hashes %j with seed %i as before, because annotations store it', (...row) => {
  const [text, seed, high, low] = row
  const hash = hashText(text, seed)
  expect([hashWord(hash.high), hashWord(hash.low)]).toEqual([high, low])
})
