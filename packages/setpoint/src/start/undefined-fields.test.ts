import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, Deployment, Secret } from '../kinds/index.ts'
import { operator, when } from '../operator/index.ts'
import { createWorld } from './testdata/world.ts'

const Shop = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ size: z.string().optional() }),
  status: z.object({ size: z.string().optional() }),
  conditions: ['Ready', 'Sold'],
})

const shop = { metadata: { name: 's' }, spec: {} }

test('does not send fields of children and of the status that are undefined', async () => {
  const shops = operator(Shop)
    .child('web', Deployment, ({ metadata: { name: app }, spec: { size } }) => ({
      metadata: { name: undefined, labels: { app, size }, annotations: undefined },
      spec: {
        replicas: undefined,
        selector: { matchLabels: { app } },
        template: {
          metadata: { labels: { app } },
          spec: {
            serviceAccountName: size,
            containers: [{ name: app, image: 'nginx', workingDir: size }],
          },
        },
      },
    }))
    .children('maps', ConfigMap, ({ spec: { size } }) => ({
      a: { data: { size, fixed: 'x' } },
      b: size === undefined ? undefined : { data: { size } },
    }))
    .status(({ spec: { size } }) => ({
      size,
      conditions: {
        Ready: when(true, 'Open', 'it is open'),
        Sold: size === undefined ? undefined : when(true, 'Sold', size),
      },
    }))
  await using world = await createWorld(shops)
  await world.client.create(Shop, shop)
  await world.host.settle()
  const web = await world.client.get(Deployment, 's')
  expect(web.metadata.labels).toMatchObject({ app: 's' })
  expect(web.metadata.labels).not.toHaveProperty('size')
  expect(web.spec.template.spec?.containers[0]).not.toHaveProperty('workingDir')
  expect((await world.client.get(ConfigMap, 's-a')).data).toEqual({ fixed: 'x' })
  expect(await world.client.find(ConfigMap, 's-b')).toBeUndefined()
  const { status } = await world.client.get(Shop, 's')
  expect(status).not.toHaveProperty('size')
  expect(status?.conditions?.map(({ type }) => type)).toEqual(['Ready'])
  world.writes()
  await world.restart()
  await world.host.settle()
  expect(world.writes()).toEqual([])
})

test('removes fields that become undefined', async () => {
  const shops = operator(Shop)
    .child('map', ConfigMap, ({ spec: { size } }) => ({
      metadata: { labels: { size } },
      data: { size, fixed: 'x' },
    }))
    .status(({ spec: { size } }) => ({
      size,
      conditions: { Sold: size === undefined ? undefined : when(true, 'Sold', size) },
    }))
  await using world = await createWorld(shops)
  await world.client.create(Shop, { ...shop, spec: { size: 'xl' } })
  await world.host.settle()
  expect(await world.client.get(ConfigMap, 's')).toMatchObject({
    metadata: { labels: { size: 'xl' } },
    data: { size: 'xl' },
  })
  expect((await world.client.get(Shop, 's')).status).toMatchObject({ size: 'xl' })
  await world.client.patch(Shop, 's', { merge: { spec: { size: null } } })
  await world.host.settle()
  const { metadata, data } = await world.client.get(ConfigMap, 's')
  expect(data).toEqual({ fixed: 'x' })
  expect(metadata.labels ?? {}).not.toHaveProperty('size')
  const { status } = await world.client.get(Shop, 's')
  expect(status).not.toHaveProperty('size')
  expect(status?.conditions?.map(({ type }) => type)).toEqual(['Ready'])
})

test('does not send undefined fields of what a reconcile writes', async () => {
  const shops = operator(Shop)
    .owns(Secret)
    .reconcile(async ({ spec: { size } }, ctx) => {
      await ctx.apply(Secret, {
        metadata: { name: 'applied', labels: { size } },
        stringData: { size, fixed: 'x' },
      })
      if (ctx.get(Secret, 'created') === undefined) {
        await ctx.create(Secret, {
          metadata: { name: 'created', annotations: { size } },
          type: size,
          stringData: { size, fixed: 'x' },
        })
      }
      await ctx.updateStatus({ size })
      return undefined
    })
  await using world = await createWorld(shops)
  await world.client.create(Shop, shop)
  await world.host.settle()
  for (const name of ['applied', 'created']) {
    const secret = await world.client.get(Secret, name)
    expect(secret.data).toEqual({ fixed: btoa('x') })
    expect(secret.type).toBe('Opaque')
  }
  expect((await world.client.get(Shop, 's')).status ?? {}).not.toHaveProperty('size')
})
