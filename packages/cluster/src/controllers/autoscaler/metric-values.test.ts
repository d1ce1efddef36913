import { expect, test } from 'vitest'
import { MetricError, metricValues, milliText } from './metric-values.ts'

const annotation = (text: string) => metricValues({ 'setpoint.dev/metrics': text })

test.each([
  ['{"cpu": "80%"}', 'cpu', { percent: 80 }],
  ['{"cpu": "12.5%"}', 'cpu', { percent: 12.5 }],
  ['{"cpu": "400m"}', 'cpu', { milli: 400 }],
  ['{"memory": "1Gi"}', 'memory', { milli: 1_073_741_824_000 }],
  ['{"pods/requests-per-second": 12}', 'pods/requests-per-second', { milli: 12_000 }],
  ['{"cpu": "80%"}', 'memory', undefined],
  ['{}', 'toString', undefined],
])('reads from %s as %s: %j', (text, key, expected) => {
  expect(annotation(text)(key)).toEqual(expected)
})

test('has no values without the annotation', () => {
  expect(metricValues()('cpu')).toBeUndefined()
})

test.each([
  ['{', 'the annotation setpoint.dev/metrics is not JSON'],
  ['{"cpu": "much"}', 'cpu in the annotation setpoint.dev/metrics is not a quantity: much'],
])('throws for %s when a value is read', (text, message) => {
  expect(() => annotation(text)('cpu')).toThrow(new MetricError(message))
})

test.each([
  [400, 'cpu', '400m'],
  [2_000, 'cpu', '2'],
  [104_857_600_000, 'memory', '100Mi'],
  [104_857_600_000, undefined, '104857600'],
  [0, 'memory', '0'],
])('formats %j thousandths of %s as %s', (milli, resource, text) => {
  expect(milliText(milli, resource)).toBe(text)
})
