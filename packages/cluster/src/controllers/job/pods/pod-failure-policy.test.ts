import type { Observed, Pod } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { applyFailurePolicy } from './pod-failure-policy.ts'

function failed(codes: Record<string, number>, condition?: string): Observed<Pod> {
  return {
    metadata: { name: 'p', namespace: 'ns' },
    status: {
      phase: 'Failed',
      containerStatuses: Object.entries(codes).map(([name, exitCode]) => ({
        name,
        state: { terminated: { exitCode } },
      })),
      ...(condition === undefined ? {} : { conditions: [{ type: condition, status: 'True' }] }),
    },
  }
}

const onCode = (operator: 'In' | 'NotIn', values: number[], containerName?: string) => ({
  onExitCodes: { operator, values, ...(containerName === undefined ? {} : { containerName }) },
})
const onDisruption = { onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }

test.each([
  ['no rule', [], failed({ a: 1 }), { isCounted: true }],
  [
    'an exit code that fails the Job',
    [{ action: 'FailJob' as const, ...onCode('In', [42]) }],
    failed({ a: 42 }),
    {
      action: 'FailJob',
      isCounted: true,
      message: 'Container a for pod ns/p failed with exit code 42 matching FailJob rule at index 0',
    },
  ],
  [
    'a code of another container',
    [{ action: 'FailJob' as const, ...onCode('In', [42], 'b') }],
    failed({ a: 42, b: 1 }),
    { isCounted: true },
  ],
  [
    'a code that NotIn does not list',
    [{ action: 'Count' as const, ...onCode('NotIn', [1, 2]) }],
    failed({ a: 3 }),
    { action: 'Count', isCounted: true },
  ],
  [
    'exit code 0, which never matches',
    [{ action: 'Ignore' as const, ...onCode('NotIn', [1]) }],
    failed({ a: 0 }),
    { isCounted: true },
  ],
  [
    'a condition that is ignored',
    [{ action: 'Ignore' as const, ...onDisruption }],
    failed({ a: 1 }, 'DisruptionTarget'),
    { action: 'Ignore', isCounted: false },
  ],
  [
    'the second rule, with a condition',
    [
      { action: 'Ignore' as const, ...onCode('In', [9]) },
      { action: 'FailJob' as const, ...onDisruption },
    ],
    failed({ a: 1 }, 'DisruptionTarget'),
    {
      action: 'FailJob',
      isCounted: true,
      message: 'Pod ns/p has condition DisruptionTarget matching FailJob rule at index 1',
    },
  ],
  [
    'an exit code that fails the index',
    [{ action: 'FailIndex' as const, ...onCode('In', [5]) }],
    failed({ a: 5 }),
    { action: 'FailIndex', isCounted: true },
  ],
])('%s', (...[, rules, pod, result]) => {
  expect(applyFailurePolicy({ rules }, pod)).toEqual(result)
})
