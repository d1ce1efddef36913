import { expect, test } from 'vitest'
import { byAge, daemonPod, isUpdated, targetNode, tolerationsOf } from './daemon-pod.ts'
import { aPod, aSet } from './testdata/daemon-objects.ts'

const keys = (tolerations: ReturnType<typeof tolerationsOf>): string[] =>
  tolerations.map(({ key = '', effect = '' }) => `${key.split('/').at(-1) ?? ''}:${effect}`)

const all = [
  'not-ready:NoExecute',
  'unreachable:NoExecute',
  'disk-pressure:NoSchedule',
  'memory-pressure:NoSchedule',
  'pid-pressure:NoSchedule',
  'unschedulable:NoSchedule',
]

test('adds the tolerations of daemons, and with hostNetwork the one for an unavailable network', () => {
  expect(keys(tolerationsOf({ containers: [] }))).toEqual(all)
  expect(keys(tolerationsOf({ containers: [], hostNetwork: true }))).toEqual([
    ...all,
    'network-unavailable:NoSchedule',
  ])
})

test('keeps other tolerations, and removes tolerationSeconds from a daemon toleration', () => {
  const own = { key: 'dedicated', operator: 'Exists' } as const
  const ending = {
    key: 'node.kubernetes.io/not-ready',
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 5,
  } as const
  const tolerations = tolerationsOf({ containers: [], tolerations: [own, ending] })
  expect(keys(tolerations)).toEqual(['dedicated:', ...all])
  expect(tolerations[1]).not.toHaveProperty('tolerationSeconds')
})

test('requires one node and replaces the required node affinity of the template', () => {
  const zone = { matchExpressions: [{ key: 'zone', operator: 'Exists' as const }] }
  const preferred = [{ weight: 1, preference: zone }]
  const nodeAffinity = {
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [zone] },
  }
  const set = aSet({}, { affinity: { nodeAffinity } })
  const annotations = { 'deprecated.daemonset.template.generation': '7' }
  const numbered = { ...set, metadata: { ...set.metadata, annotations } }
  const { metadata, spec } = daemonPod(numbered, 'abc', 'a')
  expect(metadata).toEqual({
    generateName: 'agent-',
    labels: {
      app: 'agent',
      'pod-template-generation': '7',
      'controller-revision-hash': 'abc',
    },
  })
  expect(spec.affinity?.nodeAffinity).toEqual({
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] },
      ],
    },
  })
})

test('targets the node of a scheduled pod, or else the node of its affinity', () => {
  expect(targetNode(aPod('p', 'a'))).toBe('a')
  expect(targetNode(aPod('p', 'a', { isUnplaced: true }))).toBe('a')
  const { affinity: _, ...spec } = aPod('p', 'a', { isUnplaced: true }).spec
  expect(targetNode({ ...aPod('p', 'a'), spec })).toBeUndefined()
})

test('compares pods by the template hash or by the deprecated template generation', () => {
  const set = aSet()
  expect(isUpdated(aPod('p', 'a'), set, 'new')).toBe(true)
  expect(isUpdated(aPod('p', 'a'), set, 'other')).toBe(false)
  const pod = aPod('p', 'a')
  const labels = { 'pod-template-generation': '7' }
  const numbered = { ...pod, metadata: { ...pod.metadata, labels } }
  const annotations = { 'deprecated.daemonset.template.generation': '7' }
  const old = { ...set, metadata: { ...set.metadata, annotations } }
  expect(isUpdated(numbered, old, 'other')).toBe(true)
  expect(isUpdated(numbered, set, 'other')).toBe(false)
})

test('sorts scheduled pods before others, then by age, then by name', () => {
  const pods = [
    aPod('d', 'a', { isUnplaced: true }),
    aPod('c', 'a', { second: 2 }),
    aPod('b', 'a', { second: 1 }),
    aPod('a', 'a', { second: 2 }),
  ]
  expect(pods.toSorted(byAge).map(({ metadata }) => metadata.name)).toEqual(['b', 'a', 'c', 'd'])
})
