/** Checks the types of operators at compile time; wrong uses have `@ts-expect-error`. */
import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { defineResource, type Desired, operator, quantity, rbacFor } from 'setpoint'
import type { Client } from 'setpoint/client'
import {
  ClusterRole,
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  Job,
  type Kind,
  Namespace,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Role,
  Secret,
  Service,
} from 'setpoint/kinds'

const Site = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Site',
  spec: z.object({ text: z.string() }),
  status: z.object({ url: z.string() }),
  conditions: ['Ready'],
})

test('a reconcile may read declared kinds and write owned kinds only', () => {
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
      // @ts-expect-error it watches secrets, and does not own them
      await ctx.apply(Secret, {})
      // @ts-expect-error its own objects are the user's
      await ctx.delete(Site, { metadata: { name: 'x' } })
      return undefined
    })
})

test('later declarations get the children before them, with their types', () => {
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

test('enumerated values are checked', () => {
  const pod = (restartPolicy: 'Never' | 'OnFailure') => ({ restartPolicy, containers: [] })
  operator(Site)
    .child('one', Job, ({ spec: { text } }) => ({
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: text }] } },
      },
    }))
    .child('two', Deployment, () => ({ spec: { strategy: { type: 'Recreate' } } }))
    .children('more', Job, () => ({
      a: { spec: { template: { spec: { restartPolicy: 'Never' } } } },
      b: { spec: { template: { spec: pod('OnFailure') } } },
    }))
  // @ts-expect-error there is no such strategy
  operator(Site).child('two', Deployment, () => ({ spec: { strategy: { type: 'Recreat' } } }))
})

test('unknown fields are refused at any depth', () => {
  const containers = [{ name: 'web', image: 'nginx' }]
  const template = { spec: { containers } }
  operator(Site)
    .child('fine', Deployment, () => ({ metadata: { labels: { any: 'x' } }, spec: { template } }))
    .child('text', ConfigMap, () => ({ data: { any: 'x' } }))
    .child('none', Deployment, ({ spec: { text } }) =>
      text === '' ? null : { spec: { template } },
    )
  // @ts-expect-error it is replicas
  operator(Site).child('web', Deployment, () => ({ spec: { replica: 1, template } }))
  // @ts-expect-error it is name
  operator(Site).child('web', Pod, () => ({ spec: { containers: [{ nam: 'a', image: 'b' }] } }))
  // @ts-expect-error the status cannot be desired
  operator(Site).child('web', Pod, () => ({ status: {} }))
  operator(Site).child(
    'web',
    Deployment, // @ts-expect-error it is template
    () => ({ spec: { templat: template } }),
  )
  // @ts-expect-error it is data
  operator(Site).children('map', ConfigMap, () => ({ a: { dota: {} } }))
  // @ts-expect-error it is url
  operator(Site).status(() => ({ url: 'x', ulr: 'y' }))
  // @ts-expect-error it is spec
  operator(Site).children('web', Deployment, () => ({ a: { spec: { template }, specs: {} } }))
})

test('optional fields of children, status and conditions may be undefined, required ones must be set', () => {
  const maybe = (text: string) => (text === '' ? undefined : text)
  const Shop = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Shop',
    spec: z.object({ text: z.string(), size: z.string().optional() }),
    status: z.object({
      url: z.string(),
      note: z.string().optional(),
      owner: z.object({ name: z.string(), mail: z.string().optional() }).optional(),
    }),
    conditions: ['Ready', 'Sold'],
  })
  operator(Shop)
    .child('web', Deployment, ({ spec: { text, size } }) => ({
      metadata: { name: maybe(text), labels: { size }, annotations: undefined },
      spec: {
        replicas: text === '' ? undefined : 1,
        template: { spec: { serviceAccountName: size, containers: [{ name: 'a', image: size }] } },
      },
    }))
    .child('map', ConfigMap, ({ spec: { text } }) => ({ data: { text: maybe(text) } }))
    .owns(Secret)
    .reconcile(async ({ spec: { size } }, ctx) => {
      await ctx.apply(Secret, { metadata: { name: size }, type: size })
      await ctx.create(Secret, { metadata: { generateName: size }, stringData: { size } })
      await ctx.updateStatus({ url: 'x', note: size, owner: { name: 'a', mail: size } })
      // @ts-expect-error url is required
      await ctx.updateStatus({ note: size })
      return undefined
    })
    .status(({ spec: { size } }) => ({
      url: 'x',
      note: size,
      owner: size === undefined ? undefined : { name: size, mail: undefined },
      conditions: { Ready: undefined, Sold: size === undefined ? undefined : condition },
    }))
  // @ts-expect-error url is required
  operator(Shop).status(({ spec: { size } }) => ({ note: size }))
  // @ts-expect-error so it cannot be undefined
  operator(Shop).status(({ spec: { size } }) => ({ url: size }))
  // @ts-expect-error nor can the name of an owner
  operator(Shop).status(({ spec: { size } }) => ({ url: 'x', owner: { name: size } }))
  const reason = undefined
  // @ts-expect-error nor the reason of a condition
  operator(Shop).status(() => ({ url: 'x', conditions: { Ready: { ...condition, reason } } }))
})

test('a quantity of a definition fits built-in kinds, and the other way round', () => {
  const amounts = z.record(z.string(), quantity())
  const Cache = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Cache',
    spec: z.object({ memory: quantity(), disk: quantity().optional(), requests: amounts }),
    status: z.object({ capacity: quantity().optional() }),
  })
  operator(Cache)
    .child('web', Deployment, ({ spec: { memory, requests } }) => ({
      spec: {
        template: {
          spec: {
            containers: [{ name: 'a', resources: { requests, limits: { memory, cpu: 2 } } }],
          },
        },
      },
    }))
    .child('data', PersistentVolumeClaim, ({ spec: { disk } }) => ({
      spec: { resources: { requests: { storage: disk } } },
    }))
    .owns(Pod)
    .reconcile(async ({ spec: { memory } }, ctx) => {
      const resources = { limits: { memory } }
      await ctx.apply(Pod, { spec: { containers: [{ name: 'a', resources }] } })
      const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', resources }] } }
      await ctx.client.create(Pod, pod)
      return undefined
    })
    .status((_, { data }) => {
      expectTypeOf(data?.status?.capacity?.['storage']).toExtend<string | undefined>()
      return { capacity: data?.status?.capacity?.['storage'] }
    })
  const memory = true
  // @ts-expect-error a boolean is not a quantity
  operator(Cache).child('data', ResourceQuota, () => ({ spec: { hard: { memory } } }))
})

const condition = { status: 'True', reason: 'A', message: 'b' } as const

test('a built-in kind can be served', () => {
  operator(Namespace, { name: 'namespaces' })
    .child('limits', ConfigMap, ({ metadata }) => ({ data: { name: metadata.name } }))
    .reconcile(async ({ kind }) => {
      expectTypeOf(kind).toEqualTypeOf<'Namespace'>()
      return undefined
    })
})

test('manifests of definitions and operators are accepted by the client', () => {
  const rules = rbacFor([operator(Site).child('web', Deployment, () => ({}))])
  const write = async (client: Client): Promise<void> => {
    await client.create(CustomResourceDefinition, Site.crd())
    await client.apply(CustomResourceDefinition, Site.crd())
    await client.create(ClusterRole, { metadata: { name: 'sites' }, rules })
    await client.apply(Role, { metadata: { name: 'sites' }, rules })
    // @ts-expect-error verbs are a list
    await client.create(Role, { metadata: { name: 'sites' }, rules: [{ verbs: 'get' }] })
  }
  expectTypeOf(write).toBeFunction()
})

test('a kind without the type of its objects has any fields', () => {
  const kinds: readonly Kind[] = [ConfigMap, Secret]
  const desired: Record<string, Desired<Kind>> = { a: { data: { text: 'a' } } }
  const all = kinds.reduce(
    (before, kind) => before.children(kind.plural, kind, () => desired),
    operator(Site),
  )
  expectTypeOf(all.declaration.children.length).toEqualTypeOf<number>()
})
