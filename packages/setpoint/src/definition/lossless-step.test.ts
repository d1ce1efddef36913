import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { assertRoundTrip } from '../testing/index.ts'
import { defineResource, listMap } from './index.ts'

const annotation = 'setpoint.dev/conversion'

/** v2 has units, tiers and protocols; v1 has notes; v0 has only a size in another unit. */
function volumes(lossless: boolean) {
  return defineResource({
    group: 'example.com',
    version: 'v2',
    kind: 'Volume',
    spec: z.object({
      size: z.object({ value: z.int32(), unit: z.enum(['Gi', 'Ti']) }),
      tier: z.string().optional(),
      tags: z.array(z.string()).default([]),
      ports: z
        .array(z.object({ name: z.string(), port: z.int32(), protocol: z.string().optional() }))
        .check(listMap('name'))
        .default([]),
    }),
    status: z.object({ node: z.string().optional() }),
    versions: {
      v1: {
        spec: z.object({
          sizeGi: z.int32(),
          note: z.string().optional(),
          ports: z
            .array(z.object({ name: z.string(), port: z.int32() }))
            .check(listMap('name'))
            .default([]),
        }),
        lossless,
        up: ({ spec }) => ({
          spec: { size: { value: spec.sizeGi, unit: 'Gi' }, ports: spec.ports },
        }),
        down: ({ spec: { size, ports } }) => ({
          spec: {
            sizeGi: size.value * (size.unit === 'Gi' ? 1 : 1024),
            ports: ports.map(({ name, port }) => ({ name, port })),
          },
        }),
      },
      v0: {
        spec: z.object({ sizeMi: z.int() }),
        lossless,
        up: ({ spec }) => ({
          spec: { size: { value: Math.floor(spec.sizeMi / 1024), unit: 'Gi' } },
        }),
        down: ({ spec: { size } }) => ({
          spec: { sizeMi: size.value * 1024 * (size.unit === 'Gi' ? 1 : 1024) },
        }),
      },
    },
  })
}

const Volume = volumes(true)
const Plain = volumes(false)

interface Loose {
  apiVersion: string
  kind?: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: Record<string, unknown>
  status?: unknown
}

const convert = (object: Loose, to: string): Loose => Volume.convert(object as never, to as never)

const plainly = (object: Loose, to: string): Loose => Plain.convert(object as never, to as never)

const contentOf = ({ spec, status }: Loose): unknown => ({ spec, status })

const names = fc.uniqueArray(fc.constantFrom('http', 'https', 'metrics'), { maxLength: 3 })
const word = fc.constantFrom('a', 'b', '')

const hubSpec = fc
  .record(
    {
      size: fc.record({ value: fc.integer({ min: 0, max: 9 }), unit: fc.constantFrom('Gi', 'Ti') }),
      tags: fc.array(word, { maxLength: 2 }),
      tier: word,
      names,
      protocol: word,
    },
    { requiredKeys: ['size', 'names'] },
  )
  .map(({ names: used, protocol, ...spec }) => ({
    ...spec,
    ports: used.map((name) => ({ name, port: 80, ...(protocol === '' ? {} : { protocol }) })),
  }))

const oldSpec = fc
  .record(
    { sizeGi: fc.integer({ min: 0, max: 4096 }), note: word, names },
    { requiredKeys: ['sizeGi', 'names'] },
  )
  .map(({ names: used, ...spec }) => ({
    ...spec,
    ports: used.map((name) => ({ name, port: 81 })),
  }))

const hub = (spec: Record<string, unknown>): Loose =>
  convert(
    { apiVersion: 'example.com/v2', metadata: { name: 'a' }, spec, status: { node: 'n' } },
    'v2',
  )

const old = (spec: Record<string, unknown>): Loose => ({
  apiVersion: 'example.com/v1',
  metadata: { name: 'a' },
  spec,
})

test('an object that is converted to another version and back is the same', () => {
  fc.assert(
    fc.property(hubSpec, (spec) => {
      const object = hub(spec)
      expect(convert(convert(object, 'v1'), 'v2')).toEqual(object)
      expect(convert(convert(convert(object, 'v1'), 'v0'), 'v2')).toEqual(object)
    }),
  )
  fc.assert(
    fc.property(oldSpec, (spec) => {
      const object = old(spec)
      expect(contentOf(convert(convert(object, 'v2'), 'v1'))).toEqual(
        contentOf(convert(object, 'v1')),
      )
      expect(contentOf(convert(convert(object, 'v0'), 'v1'))).toEqual(
        contentOf(convert(object, 'v1')),
      )
    }),
  )
  assertRoundTrip(Volume, { samples: [old({ sizeGi: 3, note: 'x' })] })
})

test('a change in another version is read back there, and no kept value overwrites it', () => {
  fc.assert(
    fc.property(hubSpec, oldSpec, fc.boolean(), (spec, change, isWhole) => {
      const shown = convert(hub(spec), 'v1')
      const { sizeGi } = change
      const changed = { ...shown, spec: isWhole ? change : { ...shown.spec, sizeGi } }
      const stored = convert(changed, 'v2')
      expect(contentOf(convert(stored, 'v1'))).toEqual(contentOf(convert(changed, 'v1')))
      // What v1 says is the same as without the kept values.
      const said = contentOf(plainly(stored, 'v1'))
      expect(said).toEqual(contentOf(plainly(plainly(changed, 'v2'), 'v1')))
    }),
  )
})

test('restores fields next to a changed one, and items of lists by their keys', () => {
  const object = hub({
    size: { value: 2, unit: 'Ti' },
    tier: 'fast',
    ports: [
      { name: 'http', port: 80, protocol: 'TCP' },
      { name: 'dns', port: 53, protocol: 'UDP' },
    ],
  })
  const shown = convert(object, 'v1')
  expect(shown.spec).toEqual({
    sizeGi: 2048,
    ports: [
      { name: 'http', port: 80 },
      { name: 'dns', port: 53 },
    ],
  })
  const ports = [
    { name: 'dns', port: 5353 },
    { name: 'new', port: 1 },
  ]
  expect(convert({ ...shown, spec: { ...shown.spec, ports } }, 'v2').spec).toEqual({
    size: { value: 2, unit: 'Ti' },
    tier: 'fast',
    tags: [],
    ports: [
      { name: 'dns', port: 5353, protocol: 'UDP' },
      { name: 'new', port: 1 },
    ],
  })
  // The unit of 2 Ti is not the unit of 5 Gi.
  const resized = convert({ ...shown, spec: { ...shown.spec, sizeGi: 5 } }, 'v2')
  expect(resized.spec).toMatchObject({ size: { value: 5, unit: 'Gi' }, tier: 'fast' })
})

test('an object that loses nothing has no annotation', () => {
  const object = (spec: object): Loose => ({
    apiVersion: 'example.com/v2',
    metadata: { name: 'a' },
    spec: { size: { value: 2, unit: 'Gi' }, ...spec },
  })
  expect(convert(object({}), 'v1').metadata).toEqual({ name: 'a' })
  const shown = convert(object({ tier: 'fast' }), 'v1')
  expect(Object.keys(shown.metadata.annotations ?? {})).toEqual([annotation])
  expect(convert(shown, 'v2').metadata).toEqual({ name: 'a' })
})

test('an annotation that a user has changed to something else keeps nothing', () => {
  for (const text of [
    'x',
    '7',
    '{"v2":7}',
    '{"v2":{"of":"x","fields":[{"at":["metadata","name"],"kept":"b"}]}}',
    '{"v2":{"of":"x","fields":[{"at":["spec","__proto__","tier"],"kept":"b"}]}}',
  ]) {
    const metadata = { name: 'a', annotations: { [annotation]: text } }
    const object = { ...old({ sizeGi: 1 }), metadata }
    expect(convert(object, 'v2').spec).toEqual({
      size: { value: 1, unit: 'Gi' },
      tags: [],
      ports: [],
    })
  }
})

test('names an object whose annotations would be too large', () => {
  const object = hub({ size: { value: 2, unit: 'Gi' }, tier: 'x'.repeat(300_000) })
  expect(() => convert(object, 'v1')).toThrow(
    /^Volume "a" could not be converted .* all annotations would have 300\d\d\d bytes; at most 262144 are allowed/,
  )
})
