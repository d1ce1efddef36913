import { expect, test } from 'vitest'
import { planClaimOwners, isStaleClaim } from './claim-owners.ts'
import { aClaim, aPod, aSet } from './testdata/set-objects.ts'

const ofSet = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'set' }
const ofPod = (name: string) => ({ kind: 'Pod', name, uid: `uid-${name}` })
const otherOwner = { apiVersion: 'example.com/v1', kind: 'Other', name: 'x', uid: 'x' }
const keep = ['Retain', 'Retain'] as const

test.each([
  ['Retain adds no owner', keep, 'db-0', [], undefined],
  ['Retain removes the owner', keep, 'db-0', [ofSet], []],
  [
    'whenDeleted: Delete makes the set the owner',
    ['Delete', 'Retain'] as const,
    'db-0',
    [],
    ['StatefulSet/db'],
  ],
  [
    'whenDeleted: Delete keeps the set as the owner',
    ['Delete', 'Retain'] as const,
    'db-0',
    [ofSet],
    undefined,
  ],
  [
    'whenScaled: Delete leaves claims of remaining pods alone',
    ['Retain', 'Delete'] as const,
    'db-1',
    [],
    undefined,
  ],
  [
    'whenScaled: Delete makes a pod that is scaled down the owner',
    ['Retain', 'Delete'] as const,
    'db-2',
    [],
    ['Pod/db-2'],
  ],
  [
    'a pod that is scaled down replaces the set as the owner',
    ['Delete', 'Delete'] as const,
    'db-2',
    [ofSet],
    ['Pod/db-2'],
  ],
  [
    'the set owns the claims of remaining pods',
    ['Delete', 'Delete'] as const,
    'db-1',
    [],
    ['StatefulSet/db'],
  ],
  [
    'the set replaces a pod that was scaled up again',
    ['Delete', 'Delete'] as const,
    'db-1',
    [ofPod('db-1')],
    ['StatefulSet/db'],
  ],
  [
    'an owner reference without controller is replaced',
    ['Delete', 'Retain'] as const,
    'db-0',
    [{ ...ofSet, controller: false }],
    ['StatefulSet/db'],
  ],
  [
    'owner references to other objects are kept',
    ['Delete', 'Retain'] as const,
    'db-0',
    [{ ...otherOwner, controller: false }],
    ['Other/x', 'StatefulSet/db'],
  ],
  [
    'another controller has precedence',
    ['Delete', 'Retain'] as const,
    'db-0',
    [otherOwner, ofSet],
    ['Other/x'],
  ],
  [
    'a reference to an earlier set of the name is left to the garbage collector',
    ['Delete', 'Retain'] as const,
    'db-0',
    [{ ...ofSet, uid: 'earlier' }],
    undefined,
  ],
])('%s', (...row) => {
  const [, [whenDeleted, whenScaled], podName, owners, expected] = row
  const set = aSet({ persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } })
  const plan = planClaimOwners(aClaim(...owners), set, aPod(podName))
  expect(plan.owners?.map(({ kind, name }) => `${kind}/${name}`)).toEqual(expected)
  for (const { kind, controller } of plan.owners ?? []) {
    if (kind !== 'Other') expect(controller).toBe(true)
  }
})

test('a claim that an earlier pod of the same name owns is stale', () => {
  expect(isStaleClaim(aClaim(ofPod('db-0')), 'db-0')).toBe(true)
  expect(isStaleClaim(aClaim(ofPod('db-1'), ofSet), 'db-0')).toBe(false)
})
