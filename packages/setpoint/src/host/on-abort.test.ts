import { expect, test } from 'vitest'
import { onAbort } from './on-abort.ts'

test('runs all callbacks although one throws, and reports the error', async () => {
  const stop = new AbortController()
  const ran: string[] = []
  onAbort(stop.signal, () => ran.push('first'))
  onAbort(stop.signal, () => {
    throw new Error('broken callback')
  })
  onAbort(stop.signal, () => ran.push('last'))
  // The test runner would take the error for a failure of the test.
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  const uncaught = new Promise((resolve) => process.once('uncaughtException', resolve))
  stop.abort()
  expect(await uncaught).toEqual(new Error('broken callback'))
  for (const listener of listeners) process.on('uncaughtException', listener)
  expect(ran).toEqual(['first', 'last'])
})

test('does not run a removed callback, even when another one removed it', () => {
  const stop = new AbortController()
  const ran: string[] = []
  onAbort(stop.signal, () => {
    ran.push('first')
    stopSecond()
  })
  const stopSecond = onAbort(stop.signal, () => ran.push('second'))
  stop.abort()
  expect(ran).toEqual(['first'])
})
