import { expect, test } from 'vitest'
import { inOrder, type RevisionObject } from '../revisions/template-revision.ts'
import { equalRevision, newRevision, revisionsToDelete, withRevision } from './set-revision.ts'
import type { StatefulSetObject } from './stateful-pod.ts'
import { aPod, aSet } from './testdata/set-objects.ts'

function stored(set: StatefulSetObject, revision: number, second = 0): RevisionObject {
  const { metadata, data } = newRevision(set, revision, 0)
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      ...metadata,
      namespace: 'default',
      uid: metadata.name,
      resourceVersion: '1',
      creationTimestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
    },
    data: data as NonNullable<RevisionObject['data']>,
    revision,
  }
}

const image = (tag: string): StatefulSetObject =>
  aSet({
    template: {
      metadata: { labels: { app: 'db' } },
      spec: { containers: [{ name: 'main', image: `db:${tag}` }] },
    },
  })
const names = (revisions: readonly RevisionObject[]): number[] =>
  revisions.map(({ revision }) => revision)

test('gives a revision the name that a real control plane gave it', () => {
  const container = {
    args: ['<x>', 'é'],
    image: 'web:1',
    imagePullPolicy: 'IfNotPresent' as const,
    livenessProbe: {
      failureThreshold: 3,
      periodSeconds: 10,
      successThreshold: 1,
      timeoutSeconds: 1,
      httpGet: { path: '/', port: 80, scheme: 'HTTP' as const },
    },
    name: 'main',
    ports: [{ containerPort: 80, protocol: 'TCP' as const }],
    resources: { requests: { cpu: '100m' } },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File' as const,
  }
  const template = {
    metadata: { labels: { app: 'web' }, annotations: { x: 'a<b>&c' } },
    spec: {
      containers: [container],
      dnsPolicy: 'ClusterFirst' as const,
      restartPolicy: 'Always' as const,
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      volumes: [{ emptyDir: {}, name: 't' }],
    },
  }
  const set = aSet({ template })
  const named = { ...set, metadata: { ...set.metadata, name: 'web', annotations: { a: 'b' } } }
  expect(newRevision(named, 1, 0).metadata).toEqual({
    name: 'web-685d664d8b',
    labels: { app: 'web', 'controller.kubernetes.io/hash': '685d664d8b' },
    annotations: { a: 'b' },
  })
  expect(newRevision(named, 1, 1).metadata.name).not.toBe('web-685d664d8b')
})

test('restores the template of a revision', () => {
  const [one, two] = [image('1'), image('2')]
  expect(withRevision(two, stored(one, 1))).toEqual(one)
})

test('finds the newest revision with the same template', () => {
  const all = [stored(image('1'), 1), stored(image('2'), 2), stored(image('1'), 3)]
  expect(equalRevision(image('1'), all)?.revision).toBe(3)
  expect(equalRevision(image('2'), all)?.revision).toBe(2)
  expect(equalRevision(image('3'), all)).toBeUndefined()
})

test('orders revisions by number, then by age', () => {
  const all = [stored(image('1'), 3), stored(image('2'), 1, 9), stored(image('3'), 1, 5)]
  expect(inOrder(all).map(({ metadata }) => metadata.creationTimestamp.slice(17, 19))).toEqual([
    '05',
    '09',
    '00',
  ])
})

test.each([
  [0, [1, 2, 3]],
  [2, [1]],
  [5, []],
])('with a limit of %i, deletes %j of three unused revisions', (revisionHistoryLimit, gone) => {
  const all = [1, 2, 3, 4, 5].map((number) => stored(image(String(number)), number))
  const [, , , used, newest] = all
  const labels = { 'controller-revision-hash': used?.metadata.name ?? '' }
  const inUse = { names: [newest?.metadata.name ?? ''], pods: [aPod('db-0', { labels })] }
  expect(names(revisionsToDelete(aSet({ revisionHistoryLimit }), all, inUse))).toEqual(gone)
})
