import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { assertRoundTrip } from '../testing/index.ts'
import { defineResource } from './index.ts'

const Database = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Database',
  spec: z.object({
    storage: z.object({ size: z.int32().min(1), unit: z.enum(['Gi', 'Ti']).default('Gi') }),
    replicas: z.int32().min(0).default(1),
  }),
  status: z.object({ endpoint: z.string() }),
  conditions: ['Ready'],
  columns: { Replicas: '.spec.replicas', Size: '.spec.storage.size' },
  versions: {
    v1beta1: {
      spec: z.object({
        size: z.string().regex(/^[1-9][0-9]{0,3}(Gi|Ti)$/),
        replicas: z.int32().min(0).default(1),
      }),
      status: z.object({ address: z.string() }),
      deprecated: 'example.com/v1beta1 Database is deprecated; use v1',
      up: ({ spec, status }) => ({
        spec: {
          storage: {
            size: Number(spec.size.slice(0, -2)),
            unit: spec.size.endsWith('Ti') ? 'Ti' : 'Gi',
          },
          replicas: spec.replicas,
        },
        ...(status === undefined ? {} : { status: { endpoint: status.address } }),
      }),
      down: ({ spec, status }) => ({
        spec: { size: `${spec.storage.size}${spec.storage.unit}`, replicas: spec.replicas },
        ...(status === undefined ? {} : { status: { address: status.endpoint } }),
      }),
    },
    v1alpha1: {
      spec: z.object({ gigabytes: z.int32().min(1) }),
      served: false,
      up: ({ spec }) => ({ spec: { storage: { size: spec.gigabytes } } }),
      down: ({ spec }) => ({ spec: { gigabytes: spec.storage.size } }),
    },
  },
})

const old = {
  apiVersion: 'example.com/v1beta1',
  kind: 'Database',
  metadata: { name: 'a', labels: { team: 'x' } },
  spec: { size: '5Ti' },
  status: {
    address: 'db.example.com',
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        reason: 'Up',
        message: '',
      },
    ],
  },
} as const

describe('a resource with several versions', () => {
  test('has a CRD with one storage version, all schemas and the inherited columns', () => {
    const { versions, conversion } = Database.crd().spec
    expect(versions.map(({ name, served, storage }) => ({ name, served, storage }))).toEqual([
      { name: 'v1', served: true, storage: true },
      { name: 'v1beta1', served: true, storage: false },
      { name: 'v1alpha1', served: false, storage: false },
    ])
    expect(versions[1]).toMatchObject({
      deprecated: true,
      deprecationWarning: 'example.com/v1beta1 Database is deprecated; use v1',
      additionalPrinterColumns: [{ name: 'Replicas' }, { name: 'Age' }],
    })
    // Without a webhook a server would drop the fields that the other version does not have.
    expect(conversion?.strategy).toBe('Webhook')
  })

  test('enables scaling in the versions that have the fields for it', () => {
    const status = z.object({ replicas: z.int32() })
    const Scaled = defineResource({
      group: 'example.com',
      version: 'v2',
      kind: 'Scaled',
      spec: z.object({ size: z.int32() }),
      status,
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' },
      versions: {
        v1: {
          spec: z.object({ count: z.int32() }),
          status,
          up: ({ spec }) => ({ spec: { size: spec.count } }),
          down: ({ spec }) => ({ spec: { count: spec.size } }),
        },
      },
    })
    expect(Scaled.crd().spec.versions.map(({ subresources }) => subresources)).toEqual([
      {
        status: {},
        scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' },
      },
      { status: {} },
    ])
  })

  test('takes the address of the webhook from the options', () => {
    const conversionWebhook = { service: { name: 'hooks', namespace: 'system', path: '/convert' } }
    expect(Database.crd({ conversionWebhook }).spec.conversion?.webhook?.clientConfig).toEqual(
      conversionWebhook,
    )
    expect(() => Database.crd({ conversionWebhook: { url: 'http://x' } })).toThrow(
      /the CRD databases\.example\.com:\n.*url/,
    )
  })

  test('stores objects in another version during a migration', () => {
    const spec = z.object({ a: z.string() })
    const Migrating = defineResource({
      group: 'example.com',
      version: 'v2',
      kind: 'Migrating',
      spec,
      versions: { v1: { spec, storage: true, up: (from) => from, down: (from) => from } },
    })
    const stored = Migrating.crd().spec.versions.filter(({ storage }) => storage)
    expect(stored.map(({ name }) => name)).toEqual(['v1'])
  })

  test('converts up with defaults, status and conditions', () => {
    expect(Database.convert(old as never, 'v1')).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Database',
      metadata: { name: 'a', labels: { team: 'x' } },
      spec: { storage: { size: 5, unit: 'Ti' }, replicas: 1 },
      status: { endpoint: 'db.example.com', conditions: old.status.conditions },
    })
  })

  test('converts between two other versions through its own', () => {
    expect(Database.convert(old as never, 'v1alpha1')).toMatchObject({
      apiVersion: 'example.com/v1alpha1',
      spec: { gigabytes: 5 },
    })
  })

  test('lets a conversion change labels and annotations and nothing else of the metadata', () => {
    const spec = z.object({ a: z.string() })
    const Labelled = defineResource({
      group: 'example.com',
      version: 'v2',
      kind: 'Labelled',
      spec,
      versions: {
        v1: {
          spec,
          up: (from) => ({
            ...from,
            metadata: { annotations: { was: 'v1', gone: null }, name: 'other' } as never,
          }),
          down: (from) => from,
        },
      },
    })
    const metadata = { name: 'a', annotations: { kept: 'yes', gone: 'soon' } }
    const v1 = { apiVersion: 'example.com/v1', metadata, spec: { a: 'x' } }
    expect(Labelled.convert(v1 as never, 'v2').metadata).toEqual({
      name: 'a',
      annotations: { kept: 'yes', was: 'v1' },
    })
  })

  test('finds an extra field in a conversion, which the compiler does not find', () => {
    const spec = z.object({ port: z.int32().optional() })
    const Typo = defineResource({
      group: 'example.com',
      version: 'v2',
      kind: 'Typo',
      spec,
      versions: {
        v1: {
          spec,
          up: (from) => ({ spec: { ...from.spec, prot: 1 } }),
          down: (from) => ({ spec: { port: from.spec.port } }),
        },
      },
    })
    const v1 = { apiVersion: 'example.com/v1', metadata: { name: 'a' }, spec: {} }
    expect(() => Typo.convert(v1 as never, 'v2')).toThrow(/v2 has no field spec\.prot/)
    // An optional field may be passed on although it is absent.
    const v2 = { ...v1, apiVersion: 'example.com/v2' }
    expect(Typo.convert(v2 as never, 'v1').spec).toEqual({})
  })

  test('names the object and the versions of a failed conversion, and the reason', () => {
    const wrong = { ...old, apiVersion: 'example.com/v3' }
    expect(() => Database.convert(wrong as never, 'v1')).toThrow(
      /cannot be converted from "example\.com\/v3" to "v1"\n {2}hint: .*v1, v1beta1, v1alpha1/,
    )
    const Broken = defineResource({
      group: 'example.com',
      version: 'v2',
      kind: 'Broken',
      spec: z.object({ b: z.string() }),
      versions: {
        v1: {
          spec: z.object({ a: z.string() }),
          up: () => ({ spec: {} as never }),
          down: () => {
            throw new Error('not implemented')
          },
        },
      },
    })
    const v1 = { apiVersion: 'example.com/v1', metadata: { name: 'x' }, spec: { a: '' } }
    expect(() => Broken.convert(v1 as never, 'v2')).toThrow(
      /Broken "x" could not be converted from example\.com\/v1 to v2: .*spec\.b: Required value/s,
    )
    const v2 = { apiVersion: 'example.com/v2', metadata: { name: 'x' }, spec: { b: '' } }
    expect(() => Broken.convert(v2 as never, 'v1')).toThrow(/not implemented/)
  })
})

describe('assertRoundTrip', () => {
  const define = (down: (spec: { a: string; b: number }) => { a: string }) =>
    defineResource({
      group: 'example.com',
      version: 'v2',
      kind: 'Trip',
      spec: z.object({ a: z.string(), b: z.int32().default(7) }),
      versions: {
        v1: {
          spec: z.object({ a: z.string() }),
          up: ({ spec, metadata }) => ({
            spec: { a: spec.a, b: Number(metadata.annotations?.['b'] ?? 7) },
          }),
          down: ({ spec }) => ({
            spec: down(spec),
            metadata: { annotations: { b: String(spec.b) } },
          }),
        },
      },
    })

  test('passes when an annotation keeps what the other version does not have', () => {
    expect(() => assertRoundTrip(define(({ a }) => ({ a })))).not.toThrow()
  })

  test('shows an object that loses a field', () => {
    const lossy = define(({ a }) => ({ a: a.slice(0, 2) }))
    expect(() => assertRoundTrip(lossy, { runs: 50, seed: 3 })).toThrow(
      /Trip loses something from v2 to v1 and back:\n {2}before .*\n {2}as v1 .*\n {2}after/,
    )
  })

  test('detects labels and annotations that a conversion removes', () => {
    const spec = z.object({ a: z.string() })
    const Careless = defineResource({
      group: 'example.com',
      version: 'v2',
      kind: 'Careless',
      spec,
      versions: {
        v1: {
          spec,
          up: (from) => from,
          down: (from) => ({ spec: from.spec, metadata: { labels: { 'example.com/kept': null } } }),
        },
      },
    })
    expect(() => assertRoundTrip(Careless)).toThrow(/loses something/)
  })

  test('tries given samples too', () => {
    const sensitive = define(({ a }) => ({ a: a === 'special' ? 'lost' : a }))
    const sample = { apiVersion: 'example.com/v2', metadata: {}, spec: { a: 'special' } }
    expect(() => assertRoundTrip(sensitive, { samples: [sample] })).toThrow(/loses something/)
  })

  test('asks for samples when it finds no random value', () => {
    const spec = z.object({ code: z.string().regex(/^[0-9]{17}-[A-Z]{9}$/) })
    const Coded = defineResource({
      group: 'example.com',
      version: 'v2',
      kind: 'Coded',
      spec,
      versions: { v1: { spec, up: (from) => from, down: (from) => from } },
    })
    expect(() => assertRoundTrip(Coded)).toThrow(/no sample.*hint: pass samples/s)
    const sample = { metadata: {}, spec: { code: '12345678901234567-ABCDEFGHI' } }
    const samples = ['v1', 'v2'].map((version) => ({
      ...sample,
      apiVersion: `example.com/${version}`,
    }))
    expect(() => assertRoundTrip(Coded, { samples })).not.toThrow()
    expect(() => assertRoundTrip(Coded, { samples: [{ ...sample, apiVersion: 'v1' }] })).toThrow(
      /has the apiVersion "v1"\n {2}hint: use one of example\.com\/v2/,
    )
  })
})
