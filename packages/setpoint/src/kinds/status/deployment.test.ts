import { expect, test } from 'vitest'
import { Deployment } from './deployment.ts'
import type { Observed } from './observed.ts'

// As a real API server stored it after a complete rollout, reduced to the relevant fields.
const web: Observed<Deployment> = {
  metadata: { name: 'web', generation: 1 },
  spec: { replicas: 3 },
  status: {
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
  },
}

function webWith(change: {
  metadata?: Observed<Deployment>['metadata']
  spec?: Observed<Deployment>['spec']
  status?: Observed<Deployment>['status']
}): Observed<Deployment> {
  return {
    metadata: { ...web.metadata, ...change.metadata },
    spec: { ...web.spec, ...change.spec },
    status: { ...web.status, ...change.status },
  }
}

test('is rolled out when all replicas are updated and available', () => {
  expect(Deployment.isRolledOut(web)).toBe(true)
  expect(Deployment.progress(web)).toBe('3 of 3 replicas available')
})

test('ignores numbers of an earlier generation', () => {
  const changed = webWith({ metadata: { generation: 4 }, status: { observedGeneration: 3 } })
  expect(Deployment.isRolledOut(changed)).toBe(false)
  expect(Deployment.progress(changed)).toBe('waiting for the controller to observe generation 4')
})

test('waits for the controller without a status, even if scaled to zero', () => {
  const fresh: Observed<Deployment> = {
    metadata: { generation: 1 },
    spec: { replicas: 0 },
    status: {},
  }
  expect(Deployment.isRolledOut(fresh)).toBe(false)
  expect(Deployment.progress(fresh)).toBe('waiting for the controller to observe generation 1')
})

test.each([
  { words: '2 of 3 replicas updated', status: { updatedReplicas: 2, replicas: 4 } },
  { words: 'waiting for 1 old replica to stop', status: { replicas: 4 } },
  { words: 'waiting for 2 old replicas to stop', status: { replicas: 5 } },
  { words: '2 of 3 updated replicas available', status: { availableReplicas: 2 } },
])('reports the progress of an unfinished rollout: $words', ({ words, status }) => {
  expect(Deployment.isRolledOut(webWith({ status }))).toBe(false)
  expect(Deployment.progress(webWith({ status }))).toBe(words)
})

test('is not rolled out after it exceeded its progress deadline', () => {
  const stuck = webWith({
    status: {
      updatedReplicas: 1,
      conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
    },
  })
  expect(Deployment.isRolledOut(stuck)).toBe(false)
  expect(Deployment.progress(stuck)).toBe('progress deadline exceeded: 1 of 3 replicas updated')
})

test('ignores an exceeded deadline of an earlier generation', () => {
  const changed = webWith({
    metadata: { generation: 2 },
    status: {
      conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
    },
  })
  expect(Deployment.progress(changed)).toBe('waiting for the controller to observe generation 2')
})

test('reports an unfinished paused rollout as paused', () => {
  const paused = webWith({ spec: { paused: true }, status: { updatedReplicas: 0 } })
  expect(Deployment.progress(paused)).toBe('paused: 0 of 3 replicas updated')
  expect(Deployment.isRolledOut(webWith({ spec: { paused: true } }))).toBe(true)
})

test('reports why pods cannot be created', () => {
  const refused = webWith({
    status: {
      updatedReplicas: 0,
      conditions: [
        {
          type: 'ReplicaFailure',
          status: 'True',
          reason: 'FailedCreate',
          message: 'exceeded quota',
        },
      ],
    },
  })
  expect(Deployment.progress(refused)).toBe('0 of 3 replicas updated: exceeded quota')
})

test('is rolled out when scaled to zero and its pods are deleted', () => {
  const zero = webWith({
    spec: { replicas: 0 },
    status: { replicas: 0, updatedReplicas: 0, availableReplicas: 0 },
  })
  expect(Deployment.isRolledOut(zero)).toBe(true)
  expect(Deployment.progress(zero)).toBe('scaled to zero')
})

test('is not rolled out when absent or terminating', () => {
  const deleted = webWith({ metadata: { deletionTimestamp: '2026-01-01T00:00:30Z' } })
  expect(Deployment.isRolledOut(undefined)).toBe(false)
  expect(Deployment.progress(undefined)).toBe('not created yet')
  expect(Deployment.isRolledOut(deleted)).toBe(false)
  expect(Deployment.progress(deleted)).toBe('being deleted')
})

test('is not rolled out without a status, even with no desired replicas', () => {
  for (const object of [{}, { spec: { replicas: 0 } }, { spec: { replicas: 0 }, status: {} }]) {
    expect(Deployment.isRolledOut(object)).toBe(false)
    expect(Deployment.progress(object)).toBe('no status yet')
  }
})
