import { expect, test } from 'vitest'
import { formatLogLine } from './format-log-line.ts'

test('shows a log record as its message with its fields', () => {
  const line = JSON.stringify({
    level: 40,
    time: 1,
    msg: 'slow',
    operator: 'a',
    key: 'default/x',
    count: 3,
  })
  expect(formatLogLine(line)).toEqual({ level: 'warn', text: 'slow  key=default/x  count=3' })
})

test('shows the error of a log record', () => {
  const line = JSON.stringify({ level: 50, msg: 'failed', err: { message: 'no such host' } })
  expect(formatLogLine(line)).toEqual({ level: 'error', text: 'failed  (no such host)' })
})

test('leaves out the record of an ended reconcile, which is shown as a run', () => {
  expect(
    formatLogLine(
      JSON.stringify({ level: 40, msg: 'reconcile failed', result: 'failed', durationMs: 1 }),
    ),
  ).toBeUndefined()
})

test('shows output of the author unchanged', () => {
  for (const text of ['hello', '{"a":1}', '{broken', ''])
    expect(formatLogLine(text)).toEqual({ level: 'output', text })
})
