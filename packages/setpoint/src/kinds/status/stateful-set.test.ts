import { expect, test } from 'vitest'
import type { Observed } from './observed.ts'
import { StatefulSet } from './stateful-set.ts'

type Spec = Observed<StatefulSet>['spec']
type Status = Observed<StatefulSet>['status']

// As a real API server stored it, reduced to the relevant fields, with all three pods ready.
function database(spec: Spec, status: Status): Observed<StatefulSet> {
  return {
    metadata: { name: 'db', generation: 1 },
    spec: {
      replicas: 3,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      ...spec,
    },
    status: {
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      ...status,
    },
  }
}

const partitioned: Spec = {
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
}
const manual: Spec = { updateStrategy: { type: 'OnDelete' } }

test.each([
  { isDone: true, words: '3 of 3 pods ready', spec: {}, status: {} },
  { isDone: false, words: '1 of 3 pods ready', spec: {}, status: { readyReplicas: 1 } },
  { isDone: false, words: '2 of 3 pods updated', spec: {}, status: { updatedReplicas: 2 } },
  {
    isDone: false,
    words: 'waiting for the controller to observe generation 1',
    spec: {},
    status: { observedGeneration: 0 },
  },
  {
    isDone: false,
    words: '1 of 2 pods updated above partition 1',
    spec: partitioned,
    status: { updatedReplicas: 1 },
  },
  {
    isDone: true,
    words: '3 of 3 pods ready, updated down to partition 1',
    spec: partitioned,
    status: { updatedReplicas: 2 },
  },
  {
    isDone: true,
    words: '3 of 3 pods ready, updated down to partition 5',
    spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 5 } } } as const,
    status: { updatedReplicas: 0 },
  },
  {
    isDone: false,
    words: '2 of 3 pods updated; OnDelete updates a pod only after it is deleted',
    spec: manual,
    status: { updatedReplicas: 2 },
  },
  { isDone: true, words: '3 of 3 pods ready', spec: manual, status: {} },
  {
    isDone: true,
    words: 'scaled to zero',
    spec: { replicas: 0 },
    status: { replicas: 0, readyReplicas: 0, updatedReplicas: 0 },
  },
])('reports: $words', ({ isDone, words, spec, status }) => {
  expect(StatefulSet.progress(database(spec, status))).toBe(words)
  expect(StatefulSet.isRolledOut(database(spec, status))).toBe(isDone)
})

test('is not rolled out before it exists', () => {
  expect(StatefulSet.isRolledOut(undefined)).toBe(false)
  expect(StatefulSet.progress(undefined)).toBe('not created yet')
})

test('is not rolled out without a status, even with no desired pods', () => {
  for (const object of [{}, { spec: { replicas: 0 } }, { spec: { replicas: 0 }, status: {} }]) {
    expect(StatefulSet.isRolledOut(object)).toBe(false)
    expect(StatefulSet.progress(object)).toBe('no status yet')
  }
})
