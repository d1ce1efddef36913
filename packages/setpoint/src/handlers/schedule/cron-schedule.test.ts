import { expect, test } from 'vitest'
import { cronSchedule } from './cron-schedule.ts'

function nexts(text: string, after: string, timeZone?: string): (string | undefined)[] {
  const schedule = cronSchedule(text, timeZone)
  const found: (string | undefined)[] = []
  let atMs = Date.parse(after)
  for (let count = 0; count < 3; count += 1) {
    const next = schedule.next(atMs)
    if (next === undefined) return [...found, undefined]
    found.push(new Date(next).toISOString().slice(0, 16))
    atMs = next
  }
  return found
}

test('is never due beyond the range of dates', () => {
  expect(cronSchedule('0 0 * * *').next(Infinity)).toBeUndefined()
})

test.each([
  [
    '*/5 * * * *',
    '2026-01-01T00:02:00Z',
    ['2026-01-01T00:05', '2026-01-01T00:10', '2026-01-01T00:15'],
  ],
  [
    '0 12 * * *',
    '2026-01-01T12:00:00Z',
    ['2026-01-02T12:00', '2026-01-03T12:00', '2026-01-04T12:00'],
  ],
  ['@hourly', '2026-01-01T23:30:00Z', ['2026-01-02T00:00', '2026-01-02T01:00', '2026-01-02T02:00']],
  [
    '0 0 1 jan-mar/2 ?',
    '2026-01-15T00:00:00Z',
    ['2026-03-01T00:00', '2027-01-01T00:00', '2027-03-01T00:00'],
  ],
  [
    '30 9 * * Mon,fri',
    '2026-01-01T00:00:00Z',
    ['2026-01-02T09:30', '2026-01-05T09:30', '2026-01-09T09:30'],
  ],
  // With both a day and a weekday, either one matches.
  [
    '0 0 13 * 5',
    '2026-02-01T00:00:00Z',
    ['2026-02-06T00:00', '2026-02-13T00:00', '2026-02-20T00:00'],
  ],
  // With a step, a star is a list like any other.
  [
    '0 0 */10 * 1',
    '2026-06-01T00:00:00Z',
    ['2026-06-08T00:00', '2026-06-11T00:00', '2026-06-15T00:00'],
  ],
  [
    '0 0 */10 * *',
    '2026-06-01T00:00:00Z',
    ['2026-06-11T00:00', '2026-06-21T00:00', '2026-07-01T00:00'],
  ],
  [
    '50/5 8 * * *',
    '2026-06-01T08:51:00Z',
    ['2026-06-01T08:55', '2026-06-02T08:50', '2026-06-02T08:55'],
  ],
  [
    '0 0 29 2 *',
    '2026-01-01T00:00:00Z',
    ['2028-02-29T00:00', '2032-02-29T00:00', '2036-02-29T00:00'],
  ],
  ['0 0 31 2 *', '2026-01-01T00:00:00Z', [undefined]],
  [
    '@every 90m',
    '2026-01-01T00:00:30Z',
    ['2026-01-01T01:30', '2026-01-01T03:00', '2026-01-01T04:30'],
  ],
])('%s after %s', (text, after, expected) => {
  expect(nexts(text, after)).toEqual(expected)
})

test.each([
  // In Berlin the clocks skip from 2 to 3 on 29 March, and repeat 2 to 3 on 25 October.
  [
    '30 2 * * *',
    '2026-03-28T00:00:00Z',
    ['2026-03-28T01:30', '2026-03-30T00:30', '2026-03-31T00:30'],
  ],
  [
    '30 2 * * *',
    '2026-10-24T22:00:00Z',
    ['2026-10-25T00:30', '2026-10-25T01:30', '2026-10-26T01:30'],
  ],
  [
    '0 0 * * *',
    '2026-03-28T12:00:00Z',
    ['2026-03-28T23:00', '2026-03-29T22:00', '2026-03-30T22:00'],
  ],
  [
    '0 9 1 * *',
    '2026-03-02T00:00:00Z',
    ['2026-04-01T07:00', '2026-05-01T07:00', '2026-06-01T07:00'],
  ],
])('%s after %s in Berlin', (text, after, expected) => {
  expect(nexts(text, after, 'Europe/Berlin')).toEqual(expected)
})

test.each([
  ['0 3 * * 0', '2026-09-05T12:00:00Z', 'America/Santiago', '2026-09-06T06:00'],
  ['0 3 * * 5', '2026-04-23T08:00:00Z', 'Africa/Cairo', '2026-05-01T00:00'],
])('%s after %s in %s, where that day has no midnight', (...row) => {
  const [text, after, zone, expected] = row
  expect(nexts(text, after, zone)[0]).toBe(expected)
})

test.each([
  ['* * 99 * *', /the day "99" must be within 1 and 31/],
  ['*/0 * * * *', /minute/],
  ['5-1 * * * *', /minute/],
  ['* * * * mo', /weekday/],
  ['* * * *', /it has 4 fields/],
  ['0 0 * * * *', /it has 6 fields/],
  ['@sometimes', /it has 1 fields/],
  ['@every day', /is not a duration/],
])('%s is refused', (text, message) => {
  expect(() => cronSchedule(text)).toThrow(message)
})

test('refuses an unknown time zone', () => {
  expect(() => cronSchedule('0 0 * * *', 'Mars/North')).toThrow(/"Mars\/North" is not a time zone/)
})
