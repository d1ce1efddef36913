import { describe, expect, test } from 'vitest'
import type { AnyObject, OwnerReference } from '../served-kinds.ts'
import { OwnerGraph } from './owner-graph.ts'
import { dependentAction, type OwnerState } from './dependent-action.ts'

const owner = (uid: string): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: uid,
  uid,
  blockOwnerDeletion: true,
})

const object = (uid: string, options: Partial<AnyObject['metadata']> = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: uid, namespace: 'n', uid, resourceVersion: '1', ...options },
})

describe('garbage collection of an object', () => {
  const actionFor = (
    states: readonly OwnerState[],
    options: { finalizers?: string[]; hasDependents?: boolean } = {},
  ) => {
    const { finalizers = [], hasDependents = false } = options
    const owners = new Map(states.map((state, index) => [owner(String(index)), state]))
    const { type, ...rest } = dependentAction(object('x', { finalizers }), owners, {
      hasDependents,
    })
    const released = 'owners' in rest ? rest.owners.map(({ uid }) => uid) : undefined
    return [type, 'propagation' in rest ? rest.propagation : released]
  }

  test.each<[OwnerState[], object, unknown[]]>([
    [['solid'], {}, ['keep', undefined]],
    [['solid', 'absent'], {}, ['release', ['1']]],
    [['solid', 'waiting', 'absent'], {}, ['release', ['2', '1']]],
    [['absent'], {}, ['delete', 'Background']],
    [['absent', 'absent'], {}, ['delete', 'Background']],
    [['absent'], { finalizers: ['orphan'] }, ['delete', 'Orphan']],
    [['absent'], { finalizers: ['foregroundDeletion'] }, ['delete', 'Foreground']],
    [['waiting'], {}, ['delete', 'Background']],
    [['waiting'], { hasDependents: true }, ['delete', 'Foreground']],
  ])('with the owners %j and %j: %j', (states, options, expected) => {
    expect(actionFor(states, options)).toEqual(expected)
  })
})

describe('the graph', () => {
  const graphWith = (): { graph: OwnerGraph; enqueued: string[] } => {
    const enqueued: string[] = []
    return { graph: new OwnerGraph(({ uid }) => enqueued.push(uid)), enqueued }
  }

  test('enqueues the dependents of a deleted owner, in either order of creation', () => {
    const { graph, enqueued } = graphWith()
    graph.put(object('child', { ownerReferences: [owner('parent')] }))
    graph.put(object('parent'))
    enqueued.length = 0
    graph.remove('parent')
    expect(enqueued).toEqual(['child'])
    expect(graph.dependentsOf('parent').map(({ uid }) => uid)).toEqual(['child'])
  })

  test('enqueues a waiting owner when a blocking dependent is deleted or releases it', () => {
    const { graph, enqueued } = graphWith()
    const deletionTimestamp = '2030-01-01T00:00:00Z'
    graph.put(object('parent', { deletionTimestamp, finalizers: ['foregroundDeletion'] }))
    graph.put(object('a', { ownerReferences: [owner('parent')] }))
    graph.put(object('b', { ownerReferences: [owner('parent')] }))
    expect(graph.blockersOf('parent').map(({ uid }) => uid)).toEqual(['a', 'b'])
    graph.remove('a')
    expect(enqueued).toEqual(['parent'])
    graph.put(object('b'))
    expect(enqueued).toEqual(['parent', 'parent'])
    expect(graph.blockersOf('parent')).toEqual([])
  })
})
