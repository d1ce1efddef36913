import { describe, expect, test } from 'vitest'
import { bestVolume, isFor, type ClaimObject, type VolumeObject } from './binding-rules.ts'

const claim = (spec: object = {}): ClaimObject =>
  ({
    metadata: { namespace: 'n', name: 'data', uid: 'u' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'disk',
      resources: { requests: { storage: '2Gi' } },
      ...spec,
    },
  }) as unknown as ClaimObject

const volume = (name: string, storage: string, spec: object = {}): VolumeObject =>
  ({
    metadata: { name, labels: { name } },
    spec: {
      capacity: { storage },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'disk',
      ...spec,
    },
    status: { phase: 'Available' },
  }) as unknown as VolumeObject

const chosen = (volumes: VolumeObject[], spec?: object, isWaiting = false): string | undefined =>
  bestVolume(claim(spec), volumes, { isWaiting })?.metadata.name

describe('a claim gets', () => {
  const sizes = [volume('big', '10Gi'), volume('small', '1Gi'), volume('right', '2048Mi')]

  test('the smallest volume that is large enough', () => {
    expect(chosen(sizes)).toBe('right')
  })

  test.each<[string, object]>([
    ['of another class', { storageClassName: 'other' }],
    ['with fewer access modes', { accessModes: ['ReadOnlyMany'] }],
    ['of another form', { volumeMode: 'Block' }],
    ['that is meant for another claim', { claimRef: { namespace: 'n', name: 'other' } }],
  ])('none %s', (_, spec) => {
    expect(chosen([volume('v', '2Gi', spec)])).toBeUndefined()
  })

  test('the one that it selects', () => {
    expect(chosen(sizes, { selector: { matchLabels: { name: 'big' } } })).toBe('big')
  })

  test('one that is meant for it, even while it waits for its first consumer', () => {
    const meant = volume('meant', '20Gi', { claimRef: { namespace: 'n', name: 'data' } })
    expect(chosen([...sizes, meant], {}, true)).toBe('meant')
    expect(chosen(sizes, {}, true)).toBeUndefined()
  })
})

test('a volume that knew the identity of its claim is not for another of its name', () => {
  const claimRef = { namespace: 'n', name: 'data', uid: 'u' }
  expect(isFor(volume('v', '1Gi', { claimRef }), claim())).toBe(true)
  expect(isFor(volume('v', '1Gi', { claimRef: { ...claimRef, uid: 'x' } }), claim())).toBe(false)
  expect(isFor(volume('v', '1Gi', { claimRef: { ...claimRef, namespace: 'm' } }), claim())).toBe(
    false,
  )
})
