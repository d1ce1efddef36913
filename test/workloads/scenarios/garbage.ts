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

/** What goes with its owner, what keeps it, and what is left. */
export const garbageScenarios: readonly Scenario[] = [
  {
    name: 'dependents go after their owner in the background',
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
    name: 'dependents go by default too',
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
    name: 'in the foreground an owner waits for what blocks it',
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
    name: 'in the foreground an owner does not wait for what does not block it',
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
    name: 'orphans stay without the reference',
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
    name: 'an object whose owner never was goes',
    kinds,
    steps: [dependent('a', [{ name: 'nobody', uid: unknown }]), gone('Secret/a'), { read: 'gone' }],
  },
  {
    name: 'an owner of the same name but another identity is not the owner',
    kinds,
    steps: [owner('owner'), dependent('a', [{ uid: unknown }]), gone('Secret/a'), { read: 'gone' }],
  },
  {
    name: 'one of two owners is enough, and the reference to the other goes',
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
    name: 'a chain of owners goes from one end to the other',
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
    name: 'an owner in another namespace is none, and that is told',
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
    name: 'an owner of a kind that nobody serves leaves its dependents alone',
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
    name: 'a dependent that is made after its owner went goes too',
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
