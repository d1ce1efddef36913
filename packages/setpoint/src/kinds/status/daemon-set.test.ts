import { expect, test } from 'vitest'
import { DaemonSet } from './daemon-set.ts'
import type { Observed } from './observed.ts'

// As a real API server stored it, reduced to the relevant fields: one pod is not available yet.
const agent: Observed<DaemonSet> = {
  metadata: { name: 'agent', generation: 1 },
  spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } },
  status: {
    observedGeneration: 1,
    desiredNumberScheduled: 3,
    currentNumberScheduled: 3,
    updatedNumberScheduled: 3,
    numberReady: 2,
    numberAvailable: 2,
    numberMisscheduled: 0,
  },
}

test.each([
  { isDone: false, words: '2 of 3 pods available', status: {} },
  { isDone: true, words: '3 of 3 pods available', status: { numberAvailable: 3 } },
  { isDone: false, words: '1 of 3 pods updated', status: { updatedNumberScheduled: 1 } },
  {
    isDone: false,
    words: 'waiting for the controller to observe generation 1',
    status: { observedGeneration: 0 },
  },
  {
    isDone: true,
    words: 'no node needs a pod',
    status: { desiredNumberScheduled: 0, updatedNumberScheduled: 0, numberAvailable: 0 },
  },
])('reports: $words', ({ isDone, words, status }) => {
  const changed = { ...agent, status: { ...agent.status, ...status } }
  expect(DaemonSet.progress(changed)).toBe(words)
  expect(DaemonSet.isRolledOut(changed)).toBe(isDone)
})

test('asks to delete outdated pods with the strategy OnDelete', () => {
  const manual: Observed<DaemonSet> = {
    ...agent,
    spec: { updateStrategy: { type: 'OnDelete' } },
    status: { ...agent.status, updatedNumberScheduled: 1 },
  }
  expect(DaemonSet.isRolledOut(manual)).toBe(false)
  expect(DaemonSet.progress(manual)).toBe(
    '1 of 3 pods updated; OnDelete updates a pod only after it is deleted',
  )
})

test('is not rolled out before it exists', () => {
  expect(DaemonSet.isRolledOut(undefined)).toBe(false)
  expect(DaemonSet.progress(undefined)).toBe('not created yet')
})

test('is not rolled out without a status, even with no desired pods', () => {
  for (const object of [{}, { spec: {} }, { spec: {}, status: {} }]) {
    expect(DaemonSet.isRolledOut(object)).toBe(false)
    expect(DaemonSet.progress(object)).toBe('no status yet')
  }
})
