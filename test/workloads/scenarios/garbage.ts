import type { JsonObject } from 'setpoint/schema'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['ConfigMap', 'Secret']

interface Reference {
  readonly name?: string
  readonly uid?: string
  readonly blocks?: boolean
}

const owner = (name: string, metadata: JsonObject = {}): Step => ({
  create: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } },
})
const reference = ({
  name = 'owner',
  uid = `{uid of ConfigMap/${name}}`,
  blocks,
}: Reference): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid,
  ...(blocks === undefined ? {} : { blockOwnerDeletion: blocks }),
})
const dependent = (name: string, references: Reference[], metadata: JsonObject = {}): Step => ({
  create: {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, ownerReferences: references.map(reference), ...metadata },
  },
})
const gone = (target: string): Step => ({ until: target, is: 'absent', withinSeconds: 60 })
const unknown = '11111111-2222-4333-8444-555555555555'

/** Garbage collection: what is deleted with its owner, what blocks it, and what is kept. */
export const garbageScenarios: readonly Scenario[] = [
  {
    name: 'background deletion deletes dependents after their owner',
    kinds,
    steps: [
      owner('owner'),
      dependent('a', [{}]),
      { remove: 'ConfigMap/owner', propagation: 'Background' },
      gone('Secret/a'),
      { read: 'gone' },
    ],
  },
  {
    name: 'default deletion deletes dependents',
    kinds,
    steps: [
      owner('owner'),
      dependent('a', [{}]),
      { remove: 'ConfigMap/owner' },
      gone('Secret/a'),
      { read: 'gone' },
    ],
  },
  {
    name: 'foreground deletion waits for blocking dependents',
    kinds,
    steps: [
      owner('owner'),
      dependent('a', [{ blocks: true }], { finalizers: ['example.com/hold'] }),
      { remove: 'ConfigMap/owner', propagation: 'Foreground' },
      { read: 'waiting' },
      { patch: 'Secret/a', with: { metadata: { finalizers: null } } },
      gone('ConfigMap/owner'),
      { read: 'gone' },
    ],
  },
  {
    name: 'foreground deletion does not wait for other dependents',
    kinds,
    steps: [
      owner('owner'),
      dependent('a', [{ blocks: false }], { finalizers: ['example.com/hold'] }),
      { remove: 'ConfigMap/owner', propagation: 'Foreground' },
      gone('ConfigMap/owner'),
      { read: 'the dependent is left' },
    ],
  },
  {
    name: 'orphan deletion removes the owner reference',
    kinds,
    steps: [
      owner('owner'),
      owner('other'),
      dependent('a', [{}, { name: 'other' }]),
      dependent('b', [{}]),
      { remove: 'ConfigMap/owner', propagation: 'Orphan' },
      gone('ConfigMap/owner'),
      { read: 'orphaned' },
    ],
  },
  {
    name: 'deletes an object whose owner never existed',
    kinds,
    steps: [dependent('a', [{ name: 'absent', uid: unknown }]), gone('Secret/a'), { read: 'gone' }],
  },
  {
    name: 'an owner of the same name with another uid is not the owner',
    kinds,
    steps: [owner('owner'), dependent('a', [{ uid: unknown }]), gone('Secret/a'), { read: 'gone' }],
  },
  {
    name: 'keeps an object with one of two owners and removes the other reference',
    kinds,
    steps: [
      owner('owner'),
      owner('other'),
      dependent('a', [{}, { name: 'other' }]),
      { remove: 'ConfigMap/owner' },
      { read: 'one owner' },
      { remove: 'ConfigMap/other' },
      gone('Secret/a'),
      { read: 'no owner' },
    ],
  },
  {
    name: 'deletes a chain of owners',
    kinds,
    steps: [
      owner('owner'),
      {
        create: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'middle', ownerReferences: [reference({})] },
        },
      },
      dependent('a', [{ name: 'middle' }]),
      { remove: 'ConfigMap/owner' },
      gone('Secret/a'),
      { read: 'gone' },
    ],
  },
  {
    name: 'reports an owner reference to another namespace',
    kinds,
    steps: [
      dependent('a', [
        { name: 'kube-root-ca.crt', uid: '{uid of ConfigMap/kube-root-ca.crt/kube-system}' },
      ]),
      { passSeconds: 3 },
      { read: 'after a while' },
    ],
  },
  {
    name: 'keeps dependents of an owner whose kind is not served',
    kinds,
    steps: [
      {
        create: {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: {
            name: 'a',
            ownerReferences: [
              { apiVersion: 'example.com/v1', kind: 'Nothing', name: 'x', uid: unknown },
            ],
          },
        },
      },
      { passSeconds: 3 },
      { read: 'after a while' },
    ],
  },
  {
    name: 'deletes a dependent that is created after its owner was deleted',
    kinds,
    steps: [
      owner('owner', { finalizers: ['example.com/hold'] }),
      { remove: 'ConfigMap/owner', propagation: 'Foreground' },
      dependent('late', [{ blocks: true }]),
      { read: 'in deletion' },
      { patch: 'ConfigMap/owner', with: { metadata: { finalizers: null } } },
      gone('Secret/late'),
      { read: 'gone' },
    ],
  },
]
