import { expect, test } from 'vitest'
import { isLargerVolume } from './expectation.ts'

const field = 'spec.volumeClaimTemplates[0].spec.resources.requests.storage'
const storage = (expected: string, actual: string) => ({
  type: 'changed' as const,
  object: 'apps/statefulsets default/oak',
  field,
  expected: JSON.stringify(expected),
  actual: JSON.stringify(actual),
})

test.each([
  ['1Gi', '2Gi', true],
  ['1Gi', '1025Mi', true],
  ['2Gi', '1Gi', false],
  ['1Gi', '1Gi', false],
])('a volume of %s that has %s is larger: %s', (expected, actual, isLarger) => {
  expect(isLargerVolume(storage(expected, actual))).toBe(isLarger)
})

test('a missing size and other fields do not count as larger volumes', () => {
  const { expected: _, ...missing } = storage('1Gi', '2Gi')
  expect(isLargerVolume(missing)).toBe(false)
  expect(isLargerVolume({ ...storage('1', '2'), field: 'spec.replicas' })).toBe(false)
})
