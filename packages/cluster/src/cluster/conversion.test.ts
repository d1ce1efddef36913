import { expect, test } from 'vitest'
import type { Client } from 'setpoint/client'
import { type HttpHandler, readText, virtualHost, type VirtualHost } from 'setpoint/host'
import { CustomResourceDefinition, defineKind, Deployment, Service } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import { serverOne } from '../../../setpoint/src/host/testdata/certificates.ts'
import { createCluster } from './index.ts'

interface Box {
  readonly apiVersion: 'example.com/v1' | 'example.com/v2'
  readonly kind: 'Box'
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly resourceVersion: string
    readonly finalizers?: readonly string[]
  }
  readonly spec: { readonly size?: number; readonly area?: string }
}

const kindOf = (version: 'v1' | 'v2') =>
  defineKind<Box>({
    apiVersion: `example.com/${version}`,
    kind: 'Box',
    plural: 'boxes',
    singular: 'box',
    shortNames: [],
    scope: 'Namespaced',
    subresources: [],
  })
const BoxV1 = kindOf('v1')
const BoxV2 = kindOf('v2')

/** In v1 a box has a size, in v2 an area. */
function inVersion(object: JsonObject, apiVersion: string): JsonObject {
  const { size, area } = object['spec'] as { size?: number; area?: string }
  const spec =
    apiVersion === 'example.com/v2'
      ? { area: `${size ?? Math.sqrt(Number(area))}x` }
      : { size: parseInt(area ?? '0', 10) }
  return { ...object, apiVersion, spec }
}

interface Webhook {
  readonly handle: HttpHandler
  /** The names of the objects of each review, with the desired version. */
  readonly reviews: string[]
  isBroken: boolean
}

function conversionWebhook(): Webhook {
  const webhook: Webhook = {
    reviews: [],
    isBroken: false,
    handle: async ({ body }) => {
      if (webhook.isBroken) return { status: 503, body: 'down' }
      const review = JSON.parse(await readText(body, 10_000_000)) as {
        request: { uid: string; desiredAPIVersion: string; objects: JsonObject[] }
      }
      const { uid, desiredAPIVersion, objects } = review.request
      for (const { metadata } of objects) {
        webhook.reviews.push(`${(metadata as { name: string }).name} ${desiredAPIVersion}`)
      }
      const convertedObjects = objects.map((object) => inVersion(object, desiredAPIVersion))
      const response = { uid, result: { status: 'Success' }, convertedObjects }
      const apiVersion = 'apiextensions.k8s.io/v1'
      return {
        status: 200,
        body: JSON.stringify({ apiVersion, kind: 'ConversionReview', response }),
      }
    },
  }
  return webhook
}

const definition = (storage: 'v1' | 'v2', clientConfig: JsonObject): never =>
  ({
    metadata: { name: 'boxes.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Box', plural: 'boxes' },
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig, conversionReviewVersions: ['v1'] },
      },
      versions: (['v1', 'v2'] as const).map((name) => ({
        name,
        served: true,
        storage: name === storage,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties:
                  name === 'v1' ? { size: { type: 'integer' } } : { area: { type: 'string' } },
              },
            },
          },
        },
      })),
    },
  }) as never

/** A cluster with boxes, whose webhook listens on the virtual network. */
async function createWorld(host: VirtualHost, options: { readonly data?: string } = {}) {
  const webhook = conversionWebhook()
  const { url } = await host.listen({ tls: serverOne, handle: webhook.handle })
  const cluster = await createCluster({ host, workloads: 'off', ...options })
  const { client } = cluster
  const store = (version: 'v1' | 'v2') =>
    client.apply(CustomResourceDefinition, definition(version, { url: `${url}/convert` }))
  await store('v1')
  return { cluster, client, webhook, store }
}

/** The specs of all boxes in v2. */
async function specsOf(client: Client): Promise<unknown[]> {
  const specs: unknown[] = []
  for await (const { spec } of client.list(BoxV2)) specs.push(spec)
  return specs
}

test('an object that is stored in one version is read, listed and watched in another', async () => {
  using host = virtualHost({ seed: 'conversion' })
  const { cluster, client, webhook } = await createWorld(host)
  await using _cluster = cluster
  await client.create(BoxV1, { metadata: { name: 'a' }, spec: { size: 3 } })
  expect(await client.get(BoxV2, 'a')).toMatchObject({
    apiVersion: 'example.com/v2',
    spec: { area: '3x' },
  })
  await client.create(BoxV2, { metadata: { name: 'b' }, spec: { area: '5' } })
  expect((await client.get(BoxV1, 'b')).spec).toEqual({ size: 5 })
  expect(await specsOf(client)).toEqual([{ area: '3x' }, { area: '5x' }])

  webhook.reviews.length = 0
  const events = client.watch(BoxV2)
  expect((await events.next()).value).toMatchObject({ object: { spec: { area: '3x' } } })
  expect((await events.next()).value).toMatchObject({ object: { spec: { area: '5x' } } })
  // The list has converted them before.
  expect(webhook.reviews).toEqual([])
  await client.patch(BoxV1, 'a', { merge: { spec: { size: 4 } } })
  expect((await events.next()).value).toMatchObject({
    type: 'MODIFIED',
    object: { spec: { area: '4x' } },
  })
  await client.delete(BoxV1, 'a')
  expect((await events.next()).value).toMatchObject({
    type: 'DELETED',
    object: { spec: { area: '4x' } },
  })
  await events.return()
})

test('an update without changes stores an object in the new stored version, once', async () => {
  using host = virtualHost({ seed: 'conversion' })
  const { cluster, client, webhook, store } = await createWorld(host)
  await using _cluster = cluster
  const made = await client.create(BoxV1, { metadata: { name: 'a' }, spec: { size: 3 } })
  await store('v2')
  const migrated = await client.patch(BoxV2, 'a', { merge: {} })
  expect(migrated.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion)
  const again = await client.patch(BoxV2, 'a', { merge: {} })
  expect(again.metadata.resourceVersion).toBe(migrated.metadata.resourceVersion)
  webhook.isBroken = true
  expect((await client.get(BoxV2, 'a')).spec).toEqual({ area: '3x' })
  const { status } = await client.get(CustomResourceDefinition, 'boxes.example.com')
  expect(status?.storedVersions).toEqual(['v1', 'v2'])
})

test('without its webhook an object is read only in the version in which it is stored', async () => {
  using host = virtualHost({ seed: 'conversion' })
  const { cluster, client, webhook } = await createWorld(host)
  await using _cluster = cluster
  await client.create(BoxV1, { metadata: { name: 'a', finalizers: ['example.com/x'] }, spec: {} })
  webhook.isBroken = true
  const problem = 'conversion webhook for example.com/v1, Kind=Box failed'
  await expect(client.get(BoxV2, 'a')).rejects.toThrow(problem)
  await expect(specsOf(client)).rejects.toThrow(problem)
  await expect(client.delete(BoxV2, 'a')).rejects.toThrow(problem)
  await expect(client.create(BoxV2, { metadata: { name: 'b' }, spec: {} })).rejects.toThrow(
    'conversion webhook for example.com/v2, Kind=Box failed',
  )
  const events = client.watch(BoxV2)
  await expect(events.next()).rejects.toThrow(problem)
  expect((await client.get(BoxV1, 'a')).spec).toEqual({})
  // The objects are in the version that the definition stores: no webhook is needed.
  await client.delete(CustomResourceDefinition, 'boxes.example.com')
  await client.patch(BoxV1, 'a', { merge: { metadata: { finalizers: null } } })
  await expect(client.get(BoxV1, 'a')).rejects.toThrow('404')
})

test('a deleted definition waits until its webhook can convert the objects', async () => {
  using host = virtualHost({ seed: 'conversion' })
  const { cluster, client, webhook, store } = await createWorld(host)
  await using _cluster = cluster
  await client.create(BoxV1, { metadata: { name: 'a' }, spec: {} })
  await store('v2')
  webhook.isBroken = true
  await client.delete(CustomResourceDefinition, 'boxes.example.com')
  await host.sleep(20_000)
  const { status } = await client.get(CustomResourceDefinition, 'boxes.example.com')
  const terminating = status?.conditions?.find(({ type }) => type === 'Terminating')
  expect(terminating).toMatchObject({ status: 'True', reason: 'InstanceDeletionFailed' })
  expect(terminating?.message).toMatch(
    /^could not list instances: storage is \(re\)initializing: failed to list example\.com\/v2, Kind=Box: conversion webhook for example\.com\/v1, Kind=Box failed: /,
  )
  webhook.isBroken = false
  await host.sleep(60_000)
  expect(await client.find(CustomResourceDefinition, 'boxes.example.com')).toBeUndefined()
})

test('a data directory keeps the version in which each object is stored', async () => {
  using host = virtualHost({ seed: 'conversion' })
  const first = await createWorld(host, { data: '/data' })
  await first.client.create(BoxV1, { metadata: { name: 'old' }, spec: { size: 3 } })
  await first.store('v2')
  await first.client.create(BoxV1, { metadata: { name: 'new' }, spec: { size: 4 } })
  await first.cluster.dispose()

  await using cluster = await createCluster({ host, workloads: 'off', data: '/data' })
  first.webhook.reviews.length = 0
  expect(await specsOf(cluster.client)).toEqual([{ area: '4x' }, { area: '3x' }])
  expect(first.webhook.reviews).toEqual(['old example.com/v2'])
})

test('a Service leads to the conversion webhook of a pod', async () => {
  using host = virtualHost({ seed: 'conversion' })
  await using cluster = await createCluster({ host })
  const { client } = cluster
  const labels = { app: 'converter' }
  cluster.pods.behave('converter:1', { http: conversionWebhook().handle })
  await client.create(Deployment, {
    metadata: { name: 'converter', namespace: 'default' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'main', image: 'converter:1', ports: [{ containerPort: 9443 }] }],
        },
      },
    },
  })
  await client.create(Service, {
    metadata: { name: 'converter', namespace: 'default' },
    spec: { selector: labels, ports: [{ port: 443, targetPort: 9443 }] },
  })
  await cluster.settle()
  const service = { namespace: 'default', name: 'converter' }
  await client.apply(CustomResourceDefinition, definition('v1', { service }))
  await client.create(BoxV2, { metadata: { name: 'a' }, spec: { area: '7' } })
  expect((await client.get(BoxV1, 'a')).spec).toEqual({ size: 7 })
})
