import { expect, test } from 'vitest'
import type { Observed } from './observed.ts'
import { PersistentVolumeClaim } from './persistent-volume-claim.ts'

// Claims as a real API server stored them, reduced to the relevant fields.
const claims: { name: string; words: string; claim: Observed<PersistentVolumeClaim> }[] = [
  {
    name: 'beta-annotation',
    words: 'waiting for a volume',
    claim: { spec: {}, status: { phase: 'Pending' } },
  },
  {
    name: 'bound',
    words: 'bound to volume bound',
    claim: {
      spec: { volumeName: 'bound', storageClassName: 'fast' },
      status: {
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        capacity: { storage: '10Gi' },
        phase: 'Bound',
      },
    },
  },
  {
    name: 'lost',
    words: 'volume gone is lost, and its data with it',
    claim: { spec: { volumeName: 'gone' }, status: { phase: 'Lost' } },
  },
  {
    name: 'pending',
    words: 'waiting for a volume of class fast',
    claim: { spec: { storageClassName: 'fast' }, status: { phase: 'Pending' } },
  },
  {
    name: 'terminating',
    words: 'bound to volume x, being deleted',
    claim: {
      metadata: { deletionTimestamp: '2025-12-31T23:59:30Z' },
      spec: { volumeName: 'x' },
      status: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, phase: 'Bound' },
    },
  },
]

test.each(claims)('reports of the claim "$name": $words', ({ claim, words }) => {
  expect(PersistentVolumeClaim.progress(claim)).toBe(words)
})

test('is bound in phase Bound only, even while it is terminating', () => {
  const bound = claims.filter(({ claim }) => PersistentVolumeClaim.isBound(claim))
  expect(bound.map(({ name }) => name)).toEqual(['bound', 'terminating'])
})

test('reports which volume a pending claim waits for', () => {
  const waitingFor = (spec: Observed<PersistentVolumeClaim>['spec']) =>
    PersistentVolumeClaim.progress({ spec, status: { phase: 'Pending' } })
  expect(waitingFor({ volumeName: 'disk-1' })).toBe('waiting for volume disk-1')
  expect(waitingFor({ storageClassName: '' })).toBe('waiting for a volume without a class')
  expect(waitingFor(undefined)).toBe('waiting for a volume')
})

test('reports an unknown phase and is not bound', () => {
  const odd = { status: { phase: 'Weird' } } as unknown as Observed<PersistentVolumeClaim>
  expect(PersistentVolumeClaim.isBound(odd)).toBe(false)
  expect(PersistentVolumeClaim.progress(odd)).toBe('in the unknown phase Weird')
})

test('describes a claim without the name of its volume', () => {
  expect(PersistentVolumeClaim.progress({ status: { phase: 'Bound' } })).toBe('bound')
  expect(PersistentVolumeClaim.progress({ status: { phase: 'Lost' } })).toBe(
    'its volume is lost, and its data with it',
  )
})

test('is not bound before it exists', () => {
  expect(PersistentVolumeClaim.isBound(undefined)).toBe(false)
  expect(PersistentVolumeClaim.progress(undefined)).toBe('not created yet')
})
