/** Checks the types of handlers at compile time; wrong uses have `@ts-expect-error`. */
import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { defineResource, type Diff, operator, template } from 'setpoint'
import { ConfigMap, PersistentVolumeClaim, Pod } from 'setpoint/kinds'

const Volume = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Volume',
  spec: z.object({ size: z.string(), replicas: z.int32().optional() }),
  status: z.object({ made: z.string().optional() }),
})

test('handlers have typed objects, changes and contexts', () => {
  operator(Volume)
    .owns(PersistentVolumeClaim)
    .onCreate(async ({ spec }, ctx) => {
      expectTypeOf(spec.size).toEqualTypeOf<string>()
      expectTypeOf(ctx.attempt).toEqualTypeOf<number>()
      await ctx.apply(PersistentVolumeClaim, template('kind: {kind}', { kind: 'x' }))
      // @ts-expect-error the operator did not declare pods
      ctx.get(Pod, 'a')
      // @ts-expect-error nor does it own config maps
      await ctx.apply(ConfigMap, {})
      return { a: 1 }
    })
    .onUpdate(async (_, { old, new: now, diff }) => {
      expectTypeOf(old?.spec.size).toEqualTypeOf<string | undefined>()
      expectTypeOf(now.spec.replicas).toEqualTypeOf<number | undefined>()
      expectTypeOf(now.metadata.labels).toEqualTypeOf<
        Readonly<Record<string, string>> | undefined
      >()
      expectTypeOf(diff).toEqualTypeOf<Diff>()
      // @ts-expect-error the status is not an observed field
      void now.status
    })
    .every('1m', async (volume, ctx) => {
      expectTypeOf(ctx.current()).toEqualTypeOf<typeof volume | undefined>()
      // @ts-expect-error a timer has no reasons
      void ctx.reasons
    })
})

test('a field path must exist, and its values have its type', () => {
  operator(Volume)
    .onField('spec.size', async (_, { old, new: now }) => {
      expectTypeOf(old).toEqualTypeOf<string | undefined>()
      expectTypeOf(now).toEqualTypeOf<string | undefined>()
    })
    .onField('metadata.labels', async (_, { new: now }) => {
      expectTypeOf(now?.['a']).toEqualTypeOf<string | undefined>()
    })
    .onField(['metadata', 'labels', 'example.com/size'], async (_, { new: now }) => {
      expectTypeOf(now).toEqualTypeOf<string | undefined>()
    })
  // @ts-expect-error there is no such field
  const wrong = () => operator(Volume).onField('spec.sise', async () => undefined)
  // @ts-expect-error there is no such field
  const wrongNames = () => operator(Volume).onField(['spec', 'sise'], async () => undefined)
  void [wrong, wrongNames]
})

test('the result of a handler with an id has the type of its status field', () => {
  const right = () => [
    operator(Volume).onCreate(async ({ spec }) => spec.size, { id: 'made' }),
    operator(Volume).onUpdate(async ({ spec }, { old }) => (old ? spec.size : undefined), {
      id: 'made',
      filter: ({ spec }) => spec.size !== '',
    }),
    operator(Volume).onField('spec.size', async (_, { new: size }) => size, { id: 'made' }),
    operator(Volume).onResume(async () => undefined, { id: 'made' }),
    operator(Volume).onResume(async () => 5, { id: 'elsewhere' }),
  ]
  void right
  const wrong = () => [
    // @ts-expect-error it is a text
    operator(Volume).onCreate(async () => 5, { id: 'made' }),
    // @ts-expect-error it is a text
    operator(Volume).onUpdate(async () => 5, {
      id: 'made',
      filter: ({ spec }) => spec.size === '',
    }),
    // @ts-expect-error it is a text
    operator(Volume).onField('spec.replicas', async (_, { new: count }) => count, { id: 'made' }),
  ]
  void wrong
})

test('an index is typed by its name', () => {
  operator(Volume)
    .index('bySize', ({ metadata, spec }) => [[spec.size, metadata.name]])
    .onCreate(async (_, ctx) => {
      expectTypeOf(ctx.index('bySize').get('1G')).toEqualTypeOf<readonly string[]>()
      // @ts-expect-error no such index was declared
      ctx.index('byName')
      // @ts-expect-error its keys are texts
      ctx.index('bySize').get(1)
    })
    .reconcile(async (_, ctx) => void ctx.index('bySize').keys())
})
