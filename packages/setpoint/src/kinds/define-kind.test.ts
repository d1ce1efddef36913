import { expect, expectTypeOf, test } from 'vitest'
import { defineKind } from './define-kind.ts'
import type { InferResource, Kind } from './kind.ts'
import type { StoredMetadata } from './metadata.ts'

interface Certificate {
  apiVersion: 'cert-manager.io/v1'
  kind: 'Certificate'
  metadata: StoredMetadata<'Namespaced'>
  spec: { secretName: string }
}

const identity = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  plural: 'certificates',
  scope: 'Namespaced',
} as const

test('derives group and version from the apiVersion', () => {
  expect(defineKind<Certificate>(identity)).toEqual({
    ...identity,
    group: 'cert-manager.io',
    version: 'v1',
    subresources: [],
  })
})

test('has an empty group for the core group', () => {
  interface Thing {
    apiVersion: 'v1'
    kind: 'Thing'
    metadata: StoredMetadata<'Cluster'>
  }
  const Thing = defineKind<Thing>({
    apiVersion: 'v1',
    kind: 'Thing',
    plural: 'things',
    scope: 'Cluster',
    subresources: ['status'],
  })
  expect(Thing).toMatchObject({ group: '', version: 'v1', subresources: ['status'] })
})

test.each(['', '/v1', 'a/', 'a/b/c'])('refuses the apiVersion %j', (apiVersion) => {
  const define = () =>
    defineKind<{ apiVersion: string; kind: string; metadata: StoredMetadata<'Namespaced'> }>({
      ...identity,
      apiVersion,
    })
  expect(define).toThrow('which is neither "version" nor "group/version"')
  expect(define).toThrow(expect.objectContaining({ code: 'DEFINITION_INVALID' }))
})

test.each([{ plural: 'Certificates' }, { plural: '' }, { plural: undefined }, { scope: 'Global' }])(
  'refuses an identity with %j',
  (change) => {
    const wrong = { ...identity, ...change } as unknown as typeof identity
    expect(() => defineKind<Certificate>(wrong)).toThrow(
      expect.objectContaining({
        code: 'DEFINITION_INVALID',
        message: expect.stringMatching(/^kind Certificate has (plural|scope) /) as string,
      }),
    )
  },
)

test('carries the type of its objects and literal names', () => {
  const Certificate = defineKind<Certificate>(identity)
  expectTypeOf<InferResource<typeof Certificate>>().toEqualTypeOf<Certificate>()
  expectTypeOf(Certificate.kind).toEqualTypeOf<'Certificate'>()
  expectTypeOf(Certificate.apiVersion).toEqualTypeOf<'cert-manager.io/v1'>()
  expectTypeOf(Certificate).toExtend<Kind<Certificate>>()
})

test('does not compile when the identity contradicts the type of the objects', () => {
  // @ts-expect-error the objects have another kind
  defineKind<Certificate>({ ...identity, kind: 'Issuer' })
  // @ts-expect-error the objects have a namespace
  defineKind<Certificate>({ ...identity, scope: 'Cluster' })
  // @ts-expect-error the objects have another apiVersion
  defineKind<Certificate>({ ...identity, apiVersion: 'cert-manager.io/v2' })
  expect.assertions(0)
})
