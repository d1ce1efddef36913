import { expect, test } from 'vitest'
import { careForClaim, isLeftover } from './claim-owners.ts'
import { aClaim, aPod, aSet } from './testdata/set-objects.ts'

const ofSet = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'set' }
const ofPod = (name: string) => ({ kind: 'Pod', name, uid: `uid-${name}` })
const stranger = { apiVersion: 'example.com/v1', kind: 'Other', name: 'x', uid: 'x' }
const keep = ['Retain', 'Retain'] as const

test.each([
  ['nothing goes', keep, 'db-0', [], undefined],
  ['nothing goes any more', keep, 'db-0', [ofSet], []],
  ['claims go with the set', ['Delete', 'Retain'] as const, 'db-0', [], ['StatefulSet/db']],
  [
    'claims go with the set, and it is known',
    ['Delete', 'Retain'] as const,
    'db-0',
    [ofSet],
    undefined,
  ],
  ['pods that stay keep theirs', ['Retain', 'Delete'] as const, 'db-1', [], undefined],
  [
    'pods that are scaled away take theirs',
    ['Retain', 'Delete'] as const,
    'db-2',
    [],
    ['Pod/db-2'],
  ],
  [
    'pods that are scaled away take theirs from the set',
    ['Delete', 'Delete'] as const,
    'db-2',
    [ofSet],
    ['Pod/db-2'],
  ],
  [
    'those that stay go with the set',
    ['Delete', 'Delete'] as const,
    'db-1',
    [],
    ['StatefulSet/db'],
  ],
  [
    'a pod that came back gives its claim to the set',
    ['Delete', 'Delete'] as const,
    'db-1',
    [ofPod('db-1')],
    ['StatefulSet/db'],
  ],
  [
    'an owner that does not control is replaced',
    ['Delete', 'Retain'] as const,
    'db-0',
    [{ ...ofSet, controller: false }],
    ['StatefulSet/db'],
  ],
  [
    'owners of others stay',
    ['Delete', 'Retain'] as const,
    'db-0',
    [{ ...stranger, controller: false }],
    ['Other/x', 'StatefulSet/db'],
  ],
  [
    'another controller has the say',
    ['Delete', 'Retain'] as const,
    'db-0',
    [stranger, ofSet],
    ['Other/x'],
  ],
  [
    'an earlier set of the name is left to the garbage collector',
    ['Delete', 'Retain'] as const,
    'db-0',
    [{ ...ofSet, uid: 'earlier' }],
    undefined,
  ],
])('%s', (...row) => {
  const [, [whenDeleted, whenScaled], podName, owners, wanted] = row
  const set = aSet({ persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } })
  const care = careForClaim(aClaim(...owners), set, aPod(podName))
  expect(care.owners?.map(({ kind, name }) => `${kind}/${name}`)).toEqual(wanted)
  for (const { kind, controller } of care.owners ?? []) {
    if (kind !== 'Other') expect(controller).toBe(true)
  }
})

test('a claim of an earlier pod of the name is a leftover', () => {
  expect(isLeftover(aClaim(ofPod('db-0')), 'db-0')).toBe(true)
  expect(isLeftover(aClaim(ofPod('db-1'), ofSet), 'db-0')).toBe(false)
})
