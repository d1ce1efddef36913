import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { errorCodes, invariant, isSetpointError, SetpointError } from './index.ts'

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
