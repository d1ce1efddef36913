import { expect, test } from 'vitest'
import { parseRequest } from '../http/request-info.ts'
import { checkTimeout } from './request-timeout.ts'

const check = (timeout: string): void =>
  checkTimeout(parseRequest('GET', `/api/v1/pods?timeout=${timeout}`))

test.each(['1s', '1h2m3.5s', '-1s', '0', '.5ms', ''])('accepts the timeout "%s"', (text) => {
  expect(() => check(text)).not.toThrow()
})

test.each([
  ['abc', 'invalid duration "abc"'],
  ['5', 'missing unit in duration "5"'],
  ['5x', 'unknown unit "x" in duration "5x"'],
  ['-', 'invalid duration "-"'],
])('refuses the timeout "%s" with the message of Go', (text, why) => {
  expect(() => check(text)).toThrow(`invalid timeout specified in the request URL - time: ${why}`)
})

test('ignores the timeout of a watch', () => {
  const info = parseRequest('GET', '/api/v1/pods?watch=1&timeout=abc')
  expect(() => checkTimeout(info)).not.toThrow()
})
