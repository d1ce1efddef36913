import type { JsonObject } from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import { decodeTyped } from '../codec/index.ts'
import { applyBuiltinDefaults, prepareForCreate, prepareForUpdate } from './index.ts'

function decoded(kind: string, spec: JsonObject): JsonObject {
  const value = { metadata: { name: 'a' }, spec }
  const { object } = decodeTyped({ apiVersion: 'v1', kind, value })
  applyBuiltinDefaults('v1', kind, object)
  return object
}

function created(kind: string, spec: JsonObject): JsonObject {
  const object = decoded(kind, spec)
  prepareForCreate({ group: '', apiVersion: 'v1', kind, object })
  return object['spec'] as JsonObject
}

function updated(kind: string, from: JsonObject, to: JsonObject): JsonObject {
  const object = decoded(kind, to)
  prepareForUpdate({ group: '', apiVersion: 'v1', kind, object, old: decoded(kind, from) })
  return object['spec'] as JsonObject
}

const container = { name: 'c', image: 'i:1' }

describe('a pod', () => {
  it('with the deprecated AppArmor annotation gets the field and a warning', () => {
    const warnings: string[] = []
    const key = 'container.apparmor.security.beta.kubernetes.io/c'
    const object = decoded('Pod', { containers: [container] })
    object['metadata'] = { name: 'a', annotations: { [key]: 'unconfined' } }
    const warn = (text: string) => warnings.push(text)
    prepareForCreate({ group: '', apiVersion: 'v1', kind: 'Pod', object, warn })
    expect(warnings).toEqual([
      `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ])
    expect(object['spec']).toMatchObject({
      containers: [{ securityContext: { appArmorProfile: { type: 'Unconfined' } } }],
    })
  })

  it('with a negative grace period gets one second', () => {
    const grace = { terminationGracePeriodSeconds: -1 }
    const pod = { containers: [container], ...grace }
    expect(created('Pod', pod)['terminationGracePeriodSeconds']).toBe(1)
    expect(updated('Pod', pod, pod)['terminationGracePeriodSeconds']).toBe(1)
    const template = { template: { spec: pod } }
    const stored = created('ReplicationController', template)['template'] as { spec: object }
    expect(stored.spec).toMatchObject(grace)
  })

  it('keeps an empty lifecycle, but not one that contained only a disabled field', () => {
    const withLifecycle = (lifecycle: JsonObject): JsonObject => ({
      containers: [{ ...container, lifecycle }],
    })
    const lifecycleOf = (spec: JsonObject): unknown =>
      (spec['containers'] as JsonObject[])[0]?.['lifecycle']
    const empty = withLifecycle({})
    const signal = withLifecycle({ stopSignal: 'SIGTERM' })
    expect(lifecycleOf(created('Pod', empty))).toEqual({})
    expect(lifecycleOf(updated('Pod', empty, empty))).toEqual({})
    expect(lifecycleOf(created('Pod', signal))).toBeUndefined()
    expect(lifecycleOf(updated('Pod', signal, signal))).toEqual({ stopSignal: 'SIGTERM' })
  })
})

describe('a service', () => {
  const ports = [{ port: 80 }]
  const address = { clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'] }
  const plain = { ports, ...address, ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }
  const elsewhere = { type: 'ExternalName', externalName: 'a.b' }

  it('of type ExternalName leaves invalid traffic policies to validation', () => {
    const policyOf = (value: string): unknown =>
      created('Service', { ...elsewhere, internalTrafficPolicy: value })['internalTrafficPolicy']
    expect(policyOf('Local')).toBeUndefined()
    expect(policyOf('Bad')).toBe('Bad')
    expect(policyOf('')).toBe('')
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['a new address', { ...plain, clusterIP: '10.96.3.4' }, { clusterIPs: ['10.96.3.4'] }],
    ['another list', { ...plain, clusterIPs: ['10.96.3.4'] }, { clusterIP: '10.96.0.9' }],
    ['no address', { ports }, address],
    ['no list', { ports, clusterIP: '10.96.0.9' }, address],
  ])('that is updated with %s is stored like on a real server', (_, sent, expected) => {
    expect(updated('Service', plain, sent)).toMatchObject(expected)
  })

  it('loses its address when it becomes an ExternalName, although an old client sends only one field', () => {
    const spec = updated('Service', plain, { ports, clusterIP: '10.96.0.9', ...elsewhere })
    expect(spec).not.toHaveProperty('clusterIP')
    expect(spec).not.toHaveProperty('clusterIPs')
  })

  it('keeps its node ports by the names of its ports', () => {
    const named = (x?: number, y?: number): JsonObject => ({
      type: 'NodePort',
      ...address,
      ports: [
        { name: 'x', port: 80, ...(x === undefined ? {} : { nodePort: x }) },
        { name: 'y', port: 81, ...(y === undefined ? {} : { nodePort: y }) },
      ],
    })
    const portsOf = (spec: JsonObject): unknown[] =>
      (spec['ports'] as JsonObject[]).map(({ nodePort }) => nodePort)
    expect(portsOf(updated('Service', named(30_001, 30_002), named()))).toEqual([30_001, 30_002])
    expect(portsOf(updated('Service', named(30_001, 30_002), named(30_002)))).toEqual([
      30_002,
      undefined,
    ])
  })
})
