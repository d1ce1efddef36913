import { expect, test } from 'vitest'
import { claimsOf, hasIdentity, hasStorage, ordinalOf, statefulPod } from './stateful-pod.ts'
import { aPod, aSet } from './testdata/set-objects.ts'

const volumeClaimTemplates = [
  {
    apiVersion: 'v1' as const,
    kind: 'PersistentVolumeClaim' as const,
    metadata: { name: 'data', labels: { tier: 'store' }, annotations: { a: 'b' } },
    spec: { accessModes: ['ReadWriteOnce' as const] },
  },
]

test.each([
  ['db-0', 0],
  ['db-12', 12],
  ['db-x', undefined],
  ['other-0', undefined],
  ['db-1-0', undefined],
  ['db-99999999999', undefined],
])('parses the ordinal of %s as %s', (name, ordinal) => {
  expect(ordinalOf(aSet(), name)).toBe(ordinal)
})

test('builds a pod with its ordinal, revision, hostname and claims', () => {
  const set = aSet({
    volumeClaimTemplates,
    template: {
      metadata: { labels: { app: 'db' }, annotations: { note: 'x' } },
      spec: {
        containers: [{ name: 'main', image: 'db' }],
        volumes: [
          { name: 'tmp', emptyDir: {} },
          { name: 'data', emptyDir: {} },
        ],
      },
    },
  })
  expect(statefulPod(set, 3, 'db-rev')).toEqual({
    metadata: {
      name: 'db-3',
      generateName: 'db-',
      annotations: { note: 'x' },
      labels: {
        app: 'db',
        'apps.kubernetes.io/pod-index': '3',
        'controller-revision-hash': 'db-rev',
        'statefulset.kubernetes.io/pod-name': 'db-3',
      },
    },
    spec: {
      hostname: 'db-3',
      subdomain: 'dbs',
      containers: [{ name: 'main', image: 'db' }],
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'data-db-3' } },
        { name: 'tmp', emptyDir: {} },
      ],
    },
  })
})

test('names claims after template and pod, and adds the labels of the selector', () => {
  expect(claimsOf(aSet({ volumeClaimTemplates }), 1)).toEqual([
    {
      template: 'data',
      claim: {
        metadata: {
          name: 'data-db-1',
          namespace: 'default',
          labels: { tier: 'store', app: 'db' },
          annotations: { a: 'b' },
        },
        spec: { accessModes: ['ReadWriteOnce'] },
      },
    },
  ])
})

test('detects that an adopted pod lacks labels and claims', () => {
  const set = aSet({ volumeClaimTemplates })
  const pod = aPod('db-0')
  expect([hasIdentity(pod), hasStorage(set, 0, pod)]).toEqual([false, false])
  const labels = { 'statefulset.kubernetes.io/pod-name': 'db-0' }
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }]
  const right = { ...aPod('db-0', { labels }), spec: { containers: [], volumes } }
  expect([hasIdentity(right), hasStorage(set, 0, right)]).toEqual([true, true])
})
