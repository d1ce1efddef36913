import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { defineKind } from '../kinds/define-kind.ts'
import type { StoredMetadata } from '../kinds/metadata.ts'
import { ConfigMap } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { createIdleWorld, createWorld } from './testdata/world.ts'

const Disk = defineResource({
  group: 'example.com',
  version: 'v2',
  kind: 'Disk',
  spec: z.object({ size: z.object({ value: z.int32(), unit: z.enum(['Gi', 'Ti']) }) }),
  status: z.object({ note: z.string() }),
  versions: {
    v1: {
      spec: z.object({ sizeGi: z.int32() }),
      status: z.object({ note: z.string() }),
      up: ({ spec, status }) => ({
        spec: { size: { value: spec.sizeGi, unit: 'Gi' } },
        ...(status === undefined ? {} : { status }),
      }),
      down: ({ spec: { size }, status }) => {
        if (size.value > 1_000_000) throw new Error('too large for v1')
        const factor = size.unit === 'Gi' ? 1 : 1024
        return {
          spec: { sizeGi: size.value * factor },
          ...(status === undefined ? {} : { status }),
        }
      },
    },
  },
})

/** The old version, as another client uses it. */
interface OldDisk {
  apiVersion: 'example.com/v1'
  kind: 'Disk'
  metadata: StoredMetadata<'Namespaced'>
  spec: { sizeGi: number }
}

const OldDisk = defineKind<OldDisk>({
  apiVersion: 'example.com/v1',
  kind: 'Disk',
  plural: 'disks',
  singular: 'disk',
  scope: 'Namespaced',
})

const disks = operator(Disk).child('map', ConfigMap, ({ spec: { size } }) => ({
  data: { size: `${size.value}${size.unit}` },
}))

test('a process converts its definition while clients use two versions', async () => {
  await using world = await createWorld(disks)
  const { client, host } = world
  await client.create(OldDisk, { metadata: { name: 'old' }, spec: { sizeGi: 5 } })
  await client.create(Disk, {
    metadata: { name: 'new' },
    spec: { size: { value: 2, unit: 'Ti' } },
  })
  await host.sleep(5_000)
  expect((await client.get(ConfigMap, 'old')).data).toEqual({ size: '5Gi' })
  expect((await client.get(ConfigMap, 'new')).data).toEqual({ size: '2Ti' })
  const old = await client.listAll(OldDisk)
  expect(old.map(({ spec }) => spec.sizeGi)).toEqual([2048, 5])
})

test('an object that cannot be converted is named', async () => {
  await using world = await createWorld(disks)
  const { client } = world
  const spec = { size: { value: 2_000_000, unit: 'Gi' as const } }
  await client.create(Disk, { metadata: { name: 'huge' }, spec })
  await expect(client.get(OldDisk, 'huge')).rejects.toThrow(
    /Disk default\/huge: .*could not be converted from example.com\/v2 to v1: too large for v1/,
  )
})

test('with install, the CRD leads to the process, and a restart moves it', async () => {
  await using world = await createIdleWorld([])
  const options = { install: true, webhooks: {} }
  const first = await world.start([disks], options)
  await world.client.create(OldDisk, { metadata: { name: 'old' }, spec: { sizeGi: 5 } })
  await first.stop()
  const more = { metadata: { name: 'more' }, spec: { sizeGi: 6 } }
  await expect(world.client.create(OldDisk, more)).rejects.toThrow(/conversion webhook .* failed/)
  const second = await world.start([disks], options)
  expect((await world.client.create(OldDisk, more)).spec.sizeGi).toBe(6)
  await second.stop()
})

test('5,000 objects are converted in one list, and others are served meanwhile', async () => {
  await using world = await createWorld(disks)
  const { client } = world
  const url = `${world.running.webhooksUrl}/convert/disks.example.com`
  const objects = Array.from({ length: 5_000 }, (_, index) => ({
    apiVersion: 'example.com/v1',
    kind: 'Disk',
    metadata: { name: `disk-${index}`, namespace: 'default', uid: `uid-${index}` },
    spec: { sizeGi: index },
  }))
  const review = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: { uid: 'u', desiredAPIVersion: 'example.com/v2', objects },
  }
  const body = JSON.stringify(review)
  const { status, body: chunks } = await world.host.request({ method: 'POST', url, body })
  let text = ''
  let count = 0
  for await (const chunk of chunks) {
    text += new TextDecoder().decode(chunk)
    count += 1
  }
  const { response } = JSON.parse(text) as { response: Record<string, unknown> }
  expect([status, response['result']]).toEqual([200, { status: 'Success' }])
  const converted = response['convertedObjects'] as (typeof objects)[]
  expect(converted).toHaveLength(5_000)
  expect(converted[4_999]).toMatchObject({
    apiVersion: 'example.com/v2',
    metadata: { uid: 'uid-4999' },
    spec: { size: { value: 4_999, unit: 'Gi' } },
  })
  expect(count).toBeGreaterThan(5)
  expect(await client.listAll(Disk)).toEqual([])
})
