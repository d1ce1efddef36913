import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommandError } from '../command/index.ts'
import { formatError } from './format-error.ts'

const folder = '/srv/project'

function thrown(message: string, frames: readonly string[]): Error {
  const error = new Error(message)
  error.stack = [`Error: ${message}`, ...frames.map((frame) => `    at ${frame}`)].join('\n')
  return error
}

test('shows the first stack frame in the author’s sources', () => {
  const error = thrown('no such key', [
    `read (${join(folder, 'node_modules/setpoint/dist/index.js')}:1:2)`,
    'async node:internal/process/task_queues:95:5',
    `Object.run (file://${join(folder, 'src/operator.ts')}:12:7)`,
    `file://${join(folder, 'src/other.ts')}:3:4`,
  ])
  expect(formatError(error, folder)).toEqual({ message: 'no such key', at: 'src/operator.ts:12:7' })
})

test('shows a wrapped error with its cause and the location of the cause', () => {
  const cause = thrown('refused', [`call (${join(folder, 'src/dns.ts')}:5:1)`])
  const error = new Error('the record is not there', { cause })
  expect(formatError(error, folder)).toEqual({
    message: 'the record is not there: refused',
    at: 'src/dns.ts:5:1',
  })
})

test('finds the location in folders with spaces and non-ASCII letters', () => {
  const odd = '/projects/pröject (it\u2019s mine)'
  const error = thrown('no', [`async Object.run (${odd}/src/operator.ts:12:7)`])
  expect(formatError(error, odd).at).toBe('src/operator.ts:12:7')
})

test('shows the hint of a CommandError', () => {
  const error = new CommandError('no default export', { hint: 'write one' })
  expect(formatError(error, folder).message).toBe('no default export (write one)')
})

test('shows a thrown value that is not an Error without a location', () => {
  expect(formatError('broken', folder)).toEqual({ message: 'broken', at: undefined })
})
