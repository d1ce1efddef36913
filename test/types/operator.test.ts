/** What the compiler promises about operators; the wrong uses are checked by `@ts-expect-error`. */
import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap, Deployment, Namespace, Pod, Secret, Service } from 'setpoint/kinds'

const Site = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Site',
  spec: z.object({ text: z.string() }),
  status: z.object({ url: z.string() }),
  conditions: ['Ready'],
})

test('a reconcile reads what is declared and writes what is owned; anything else does not compile', () => {
  operator(Site)
    .owns(ConfigMap)
    .watch(Secret, () => [])
    .reconcile(async ({ spec }, ctx) => {
      expectTypeOf(spec.text).toEqualTypeOf<string>()
      expectTypeOf(ctx.get(ConfigMap, 'a')?.data?.['x']).toEqualTypeOf<string | undefined>()
      ctx.list(Secret)
      ctx.get(Site, 'other')
      await ctx.apply(ConfigMap, { data: { x: '1' } })
      await ctx.create(ConfigMap, { data: { x: '1' } })
      // @ts-expect-error the operator did not declare pods
      ctx.get(Pod, 'a')
      // @ts-expect-error nor services
      ctx.list(Service)
      // @ts-expect-error it looks at secrets, and does not own them
      await ctx.apply(Secret, {})
      // @ts-expect-error its own objects are the user's
      await ctx.delete(Site, { metadata: { name: 'x' } })
      return undefined
    })
})

test('children are known to what comes after them, with their types', () => {
  operator(Site)
    .child('web', Deployment, (_, { children }) => {
      // @ts-expect-error nothing was declared before it
      void children.web
      return {}
    })
    .child('other', Service, (_, { children }) => {
      expectTypeOf(children.web?.spec.replicas).toEqualTypeOf<number | undefined>()
      return {}
    })
    .status((_, { web, other }) => {
      expectTypeOf(web?.kind).toEqualTypeOf<'Deployment' | undefined>()
      expectTypeOf(other?.kind).toEqualTypeOf<'Service' | undefined>()
      return { url: 'x' }
    })
  // @ts-expect-error a condition that the resource does not declare
  operator(Site).status(() => ({ url: 'x', conditions: { Other: undefined } }))
})

test('a kind that every cluster has can be served too', () => {
  operator(Namespace)
    .child('limits', ConfigMap, ({ metadata }) => ({ data: { name: metadata.name } }))
    .reconcile(async ({ kind }) => {
      expectTypeOf(kind).toEqualTypeOf<'Namespace'>()
      return undefined
    })
})
