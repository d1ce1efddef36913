import { expect, test } from 'vitest'
import { lineOf } from './line-of.ts'

test('a record of the log is its message with what it is about', () => {
  const line = JSON.stringify({
    level: 40,
    time: 1,
    msg: 'slow',
    operator: 'a',
    key: 'default/x',
    count: 3,
  })
  expect(lineOf(line)).toEqual({ level: 'warn', text: 'slow  key=default/x  count=3' })
})

test('an error in a record is told with it', () => {
  const line = JSON.stringify({ level: 50, msg: 'failed', err: { message: 'no such host' } })
  expect(lineOf(line)).toEqual({ level: 'error', text: 'failed  (no such host)' })
})

test('the end of a run is not a line: it is told as a run', () => {
  expect(
    lineOf(JSON.stringify({ level: 40, msg: 'reconcile failed', result: 'failed', durationMs: 1 })),
  ).toBeUndefined()
})

test('whatever the author prints is shown as it is', () => {
  for (const text of ['hello', '{"a":1}', '{broken', ''])
    expect(lineOf(text)).toEqual({ level: 'output', text })
})
