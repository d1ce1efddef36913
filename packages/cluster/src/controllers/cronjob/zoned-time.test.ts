import { zoneOffset } from 'setpoint'
import { expect, test } from 'vitest'
import { zonedTime } from './zoned-time.ts'

test.each([
  [undefined, '2026-07-01T09:00:00Z'],
  ['Etc/UTC', '2026-07-01T09:00:00Z'],
  ['Europe/Berlin', '2026-07-01T11:00:00+02:00'],
  ['America/New_York', '2026-07-01T05:00:00-04:00'],
  ['Asia/Kathmandu', '2026-07-01T14:45:00+05:45'],
])('formats a time in %s as %s', (timeZone, text) => {
  expect(zonedTime(Date.parse('2026-07-01T09:00:00Z'), zoneOffset(timeZone))).toBe(text)
})
