import { describe, expect, test } from 'vitest'
import type { AnyObject, OwnerReference } from '../served-kinds.ts'
import { OwnerGraph } from './owner-graph.ts'
import { verdictOn, type OwnerState } from './verdict.ts'

const owner = (uid: string): OwnerReference => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid, blockOwnerDeletion: true },
})

const object = (uid: string, options: Partial<AnyObject['metadata']> = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: uid, namespace: 'n', uid, resourceVersion: '1', ...options },
})

describe('an object', () => {
  const verdict = (
    states: readonly OwnerState[],
    options: { finalizers?: string[]; hasDependents?: boolean } = {},
  ) => {
    const { finalizers = [], hasDependents = false } = options
    const owners = new Map(states.map((state, index) => [owner(String(index)), state]))
    const { type, ...rest } = verdictOn(object('x', { finalizers }), owners, { hasDependents })
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
  ])('with owners that are %j and %j: %j', (states, options, expected) => {
    expect(verdict(states, options)).toEqual(expected)
  })
})

describe('the graph', () => {
  const graphWith = (): { graph: OwnerGraph; looked: string[] } => {
    const looked: string[] = []
    return { graph: new OwnerGraph(({ uid }) => looked.push(uid)), looked }
  }

  test('has dependents looked at when their owner is gone, whichever came first', () => {
    const { graph, looked } = graphWith()
    graph.put(object('child', { ownerReferences: [owner('parent')] }))
    graph.put(object('parent'))
    looked.length = 0
    graph.remove('parent')
    expect(looked).toEqual(['child'])
    expect(graph.dependentsOf('parent').map(({ uid }) => uid)).toEqual(['child'])
  })

  test('has an owner that waits looked at when something that blocks it is gone or lets it go', () => {
    const { graph, looked } = graphWith()
    const deletionTimestamp = '2030-01-01T00:00:00Z'
    graph.put(object('parent', { deletionTimestamp, finalizers: ['foregroundDeletion'] }))
    graph.put(object('a', { ownerReferences: [owner('parent')] }))
    graph.put(object('b', { ownerReferences: [owner('parent')] }))
    expect(graph.blockersOf('parent').map(({ uid }) => uid)).toEqual(['a', 'b'])
    graph.remove('a')
    expect(looked).toEqual(['parent'])
    graph.put(object('b'))
    expect(looked).toEqual(['parent', 'parent'])
    expect(graph.blockersOf('parent')).toEqual([])
  })
})
