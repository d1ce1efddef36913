import { expect, test } from 'vitest'
import type { Observed } from './observed.ts'
import { ReplicaSet } from './replica-set.ts'

// As a real API server stored it, reduced to the relevant fields: one pod is not available yet.
const web: Observed<ReplicaSet> = {
  metadata: { name: 'web-abc', generation: 1 },
  spec: { replicas: 3 },
  status: { observedGeneration: 1, replicas: 3, readyReplicas: 2, availableReplicas: 2 },
}

test.each([
  { isDone: false, words: '2 of 3 replicas available', status: {} },
  { isDone: true, words: '3 of 3 replicas available', status: { availableReplicas: 3 } },
  { isDone: false, words: '1 of 3 replicas created', status: { replicas: 1 } },
  { isDone: false, words: 'waiting for 2 surplus replicas to stop', status: { replicas: 5 } },
  {
    isDone: false,
    words: '0 of 3 replicas created: exceeded quota',
    status: {
      replicas: 0,
      conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }],
    },
  },
  {
    isDone: false,
    words: 'waiting for the controller to observe generation 1',
    status: { observedGeneration: 0 },
  },
])('reports: $words', ({ isDone, words, status }) => {
  const changed = { ...web, status: { ...web.status, ...status } }
  expect(ReplicaSet.progress(changed)).toBe(words)
  expect(ReplicaSet.isRolledOut(changed)).toBe(isDone)
})

test('is done when scaled to zero and its pods are deleted', () => {
  const old: Observed<ReplicaSet> = {
    metadata: { generation: 1 },
    spec: { replicas: 0 },
    status: { observedGeneration: 1, replicas: 0 },
  }
  expect(ReplicaSet.isRolledOut(old)).toBe(true)
  expect(ReplicaSet.progress(old)).toBe('scaled to zero')
  expect(ReplicaSet.isRolledOut(undefined)).toBe(false)
})

test('is not rolled out without a status, even with no desired replicas', () => {
  for (const object of [{}, { spec: { replicas: 0 } }, { spec: { replicas: 0 }, status: {} }]) {
    expect(ReplicaSet.isRolledOut(object)).toBe(false)
    expect(ReplicaSet.progress(object)).toBe('no status yet')
  }
})
