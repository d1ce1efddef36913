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

describe('the best volume for a claim', () => {
  const sizes = [volume('big', '10Gi'), volume('small', '1Gi'), volume('right', '2048Mi')]

  test('is the smallest volume that is large enough', () => {
    expect(chosen(sizes)).toBe('right')
  })

  test.each<[string, object]>([
    ['of another class', { storageClassName: 'other' }],
    ['with fewer access modes', { accessModes: ['ReadOnlyMany'] }],
    ['with another volume mode', { volumeMode: 'Block' }],
    ['with a claimRef to another claim', { claimRef: { namespace: 'n', name: 'other' } }],
  ])('is none %s', (_, spec) => {
    expect(chosen([volume('v', '2Gi', spec)])).toBeUndefined()
  })

  test('is a volume that the claim selects', () => {
    expect(chosen(sizes, { selector: { matchLabels: { name: 'big' } } })).toBe('big')
  })

  test('is a volume with a claimRef to it, even while it waits for its first consumer', () => {
    const meant = volume('meant', '20Gi', { claimRef: { namespace: 'n', name: 'data' } })
    expect(chosen([...sizes, meant], {}, true)).toBe('meant')
    expect(chosen(sizes, {}, true)).toBeUndefined()
  })
})

test('a volume with the uid of its claim does not match another claim of the same name', () => {
  const claimRef = { namespace: 'n', name: 'data', uid: 'u' }
  expect(isFor(volume('v', '1Gi', { claimRef }), claim())).toBe(true)
  expect(isFor(volume('v', '1Gi', { claimRef: { ...claimRef, uid: 'x' } }), claim())).toBe(false)
  expect(isFor(volume('v', '1Gi', { claimRef: { ...claimRef, namespace: 'm' } }), claim())).toBe(
    false,
  )
})
