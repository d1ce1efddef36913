import { describe, expect, test } from 'vitest'
import { eventEntries } from './event-entries.ts'
import { counted, normalObject, normalText, type Known } from './normalise.ts'

const uid = '8f14e45f-ceea-467f-a9d4-1c2b3d4e5f60'
const known: Known = {
  namespace: 'wl-ab12-003',
  hashes: ['7d4b9c8f6', '5f6d'],
  ownerOf: (id) => (id === uid ? 'ReplicaSet/web-7d4b9c8f6' : undefined),
}

describe('a text without values that differ between runs', () => {
  test.each([
    ['in wl-ab12-003 only', 'in NS only'],
    ['wl-ab12-003-node', 'NS-node'],
    ['web-7d4b9c8f6-x8x2k', 'web-<hash1>-<id>'],
    ['Created pod: web-5f6d-bcdfg.', 'Created pod: web-<hash2>-<id>.'],
    ['kube-api-access-9tlxz', 'kube-api-access-<id>'],
    ['work-0-x8x2k', 'work-0-<id>'],
    ['no-hash-7d4b9c8f67', 'no-hash-7d4b9c8f67'],
    ['a-small-name', 'a-small-name'],
    [uid, '<uid of ReplicaSet/web-<hash1>>'],
    ['0f14e45f-ceea-467f-a9d4-1c2b3d4e5f60', '<uid>'],
    ['at 2026-11-16T09:00:00Z', 'at <time>'],
    ['at 2026-11-16T09:00:00.123456Z', 'at <microtime>'],
    ['at Mon, 16 Nov 2026 09:00:00 +0000', 'at <time>'],
    ['tick-29384756', 'tick-<minute>'],
    ['10.96.13.7 and 10.244.0.3', '<service-ip> and <pod-ip>'],
    ['192.0.2.1', '192.0.2.1'],
  ])('%s becomes %s', (text, normal) => {
    expect(normalText(text, known)).toBe(normal)
  })
})

test('keeps all fields of an object except uids and versions', () => {
  const object = {
    metadata: {
      name: 'web',
      uid,
      resourceVersion: '12',
      creationTimestamp: '2026-11-16T09:00:00Z',
      deletionTimestamp: null,
      managedFields: [
        { manager: 'b', operation: 'Update', subresource: 'status', time: 'x' },
        { manager: 'a', operation: 'Apply' },
        { manager: 'b', operation: 'Update', subresource: 'status', apiVersion: 'v2' },
      ],
    },
    spec: { claimRef: { uid, resourceVersion: '11' }, ports: [{ nodePort: 30123, port: 80 }] },
    endpoints: [{ addresses: ['10.244.0.2'], ready: true }, { addresses: ['10.244.0.1'] }],
  }
  expect(normalObject(object, known)).toEqual({
    metadata: {
      name: 'web',
      creationTimestamp: '<time>',
      deletionTimestamp: null,
      managers: ['a Apply', 'b Update status'],
    },
    spec: {
      claimRef: { uid: '<uid of ReplicaSet/web-<hash1>>', resourceVersion: '<version>' },
      ports: [{ nodePort: '<node-port>', port: 80 }],
    },
    endpoints: [{ addresses: ['<pod-ip>'], ready: true }, { addresses: ['<pod-ip>'] }],
  })
})

test('normalises names in keys', () => {
  const status = { disruptedPods: { 'web-7d4b9c8f6-x8x2k': '2026-11-16T09:00:00Z' } }
  expect(normalObject({ status }, known)).toEqual({
    status: { disruptedPods: { 'web-<hash1>-<id>': '<time>' } },
  })
})

test('counts equal items in an order that is independent of the input', () => {
  const items = [{ a: 2 }, { a: 1 }, { a: 2 }]
  expect(counted(items)).toEqual([
    { item: { a: 1 }, times: 1 },
    { item: { a: 2 }, times: 2 },
  ])
  expect(counted(items.toReversed())).toEqual(counted(items))
})

describe('events', () => {
  const event = (message: string, further: object = {}) => ({
    involvedObject: { kind: 'ReplicaSet', name: 'web-7d4b9c8f6' },
    type: 'Normal',
    reason: 'SuccessfulCreate',
    message,
    source: { component: 'replicaset-controller' },
    count: 1,
    ...further,
  })
  const shape = {
    about: 'ReplicaSet/web-<hash1>',
    type: 'Normal',
    reason: 'SuccessfulCreate',
    message: 'Created pod: web-<hash1>-<id>',
    by: 'replicaset-controller',
  }

  test('counts Events that differ only in generated names', () => {
    const events = [
      event('Created pod: web-7d4b9c8f6-x8x2k'),
      event('Created pod: web-7d4b9c8f6-bcdfg'),
    ]
    expect(eventEntries(events, known)).toEqual([{ event: shape, times: 2 }])
  })

  test('records warnings as once or repeated', () => {
    const warning = { type: 'Warning' }
    const name = 'Created pod: web-7d4b9c8f6-x8x2k'
    const one = event(name, warning)
    const expected = { ...shape, type: 'Warning' }
    expect(eventEntries([one], known)).toEqual([{ event: expected, times: 1 }])
    for (const events of [[one, one, one], [event(name, { ...warning, count: 7 })]]) {
      expect(eventEntries(events, known)).toEqual([{ event: expected, times: 'repeated' }])
    }
  })

  test('omits Events about write conflicts', () => {
    expect(eventEntries([event('x: the object has been modified; try again')], known)).toEqual([])
  })
})
