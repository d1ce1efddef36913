import { expect, test } from 'vitest'
import { IndexSet } from './index-set.ts'
import { metSuccessRule } from './success-policy.ts'

test.each([
  ['0-2', [{ succeededIndexes: '0-2' }], 'Matched rules at index 0'],
  ['0,1', [{ succeededIndexes: '0-2' }], undefined],
  ['0,1', [{ succeededIndexes: '0-2', succeededCount: 2 }], 'Matched rules at index 0'],
  ['5,6', [{ succeededIndexes: '0-2' }, { succeededCount: 2 }], 'Matched rules at index 1'],
  ['5', [{ succeededCount: 2 }], undefined],
  ['', [{ succeededCount: 0 }], undefined],
  ['5', [{ succeededIndexes: '20-30' }], undefined],
  ['5', undefined, undefined],
])('completed %j with %j', (completed, rules, message) => {
  const job = { spec: { completions: 10, ...(rules && { successPolicy: { rules } }) } }
  expect(metSuccessRule(job, IndexSet.parse(completed, 10))).toBe(message)
})
