import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { errorCodes, headline, invariant, isSetpointError, SetpointError } from './index.ts'

test('has a code, a hint in the message, and a cause', () => {
  const cause = new Error('ENOENT')
  const error = new SetpointError('FILE_NOT_FOUND', 'no file a.yaml', { hint: 'create it', cause })
  expect(error.message).toBe('no file a.yaml\n  hint: create it')
  expect(error).toMatchObject({ code: 'FILE_NOT_FOUND', hint: 'create it', cause })
})

test('recognises an error of another copy of the package by its code', () => {
  const foreign = Object.assign(new Error('x'), { name: 'SetpointError', code: 'ABORTED' })
  expect(isSetpointError(foreign)).toBe(true)
  expect(isSetpointError(foreign, 'ABORTED')).toBe(true)
  expect(isSetpointError(foreign, 'CRD_INVALID')).toBe(false)
  expect(isSetpointError(new Error('x'))).toBe(false)
  expect(isSetpointError('ABORTED')).toBe(false)
})

test('throws on a violated invariant and names a bug of Setpoint', () => {
  expect(() => invariant(true, 'fine')).not.toThrow()
  expect(() => invariant(0, 'zero is a value')).not.toThrow()
  expect(() => invariant(undefined, 'lost track')).toThrow(/lost track\n {2}hint: this is a bug/)
})

test('keeps the error catalogue of the documentation equal to the codes', async () => {
  const page = new URL('../../../../docs/reference/errors.md', import.meta.url)
  const headings = [...(await readFile(page, 'utf8')).matchAll(/^## `([A-Z_]+)`$/gm)].map(
    (m) => m[1],
  )
  expect(headings).toEqual(Object.keys(errorCodes))
  expect(headings).toEqual([...headings].sort())
})

test('a failed fetch is explained by its cause, with host, port and code', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:5432')
  expect(headline(new TypeError('fetch failed', { cause: refused }))).toBe(
    'fetch failed: connect ECONNREFUSED 127.0.0.1:5432',
  )
  const cause = new AggregateError([new Error('connect ECONNREFUSED ::1:80'), refused])
  expect(headline(new TypeError('fetch failed', { cause }))).toBe(
    'fetch failed: connect ECONNREFUSED ::1:80, connect ECONNREFUSED 127.0.0.1:5432',
  )
})
