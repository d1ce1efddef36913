import { expect } from 'vitest'
import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { Deployment, Service } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import type { World } from './world.ts'

function applicationIn({ group }: World) {
  return defineResource({
    group,
    version: 'v1',
    kind: 'Application',
    spec: z.object({ image: z.string() }),
    status: z.object({ url: z.string().optional() }),
  })
}

function applicationOperator(Application: ReturnType<typeof applicationIn>) {
  return operator(Application)
    .child('deployment', Deployment, ({ metadata: { name: app }, spec }) => ({
      metadata: { labels: { app } },
      spec: {
        selector: { matchLabels: { app } },
        template: {
          metadata: { labels: { app } },
          spec: { containers: [{ name: app, image: spec.image }] },
        },
      },
    }))
    .child('service', Service, ({ metadata: { name: app } }) => ({
      metadata: { labels: { app } },
      spec: { selector: { app }, ports: [{ port: 80 }] },
    }))
    .status(({ metadata: { name } }) => ({ url: `http://${name}` }))
}

inEveryWorld('reverts changes of other clients to children and status', async (world) => {
  const Application = applicationIn(world)
  await world.install(Application)
  const process = await world.start([applicationOperator(Application)])
  const { client } = world
  const owner = await client.create(Application, {
    metadata: { name: 'web' },
    spec: { image: 'nginx' },
  })
  const isAsDesired = async (): Promise<void> => {
    const service = await client.get(Service, 'web')
    const deployment = await client.get(Deployment, 'web')
    expect(service.spec.ports?.map(({ port }) => port)).toEqual([80])
    expect(service.spec.selector).toEqual({ app: 'web' })
    for (const { metadata } of [service, deployment]) {
      expect(metadata.labels).toMatchObject({ app: 'web' })
      expect(metadata.ownerReferences).toMatchObject([{ uid: owner.metadata.uid }])
    }
    expect((await client.get(Application, 'web')).status?.url).toBe('http://web')
  }
  await world.eventually(isAsDesired)
  const port = [{ op: 'replace', path: '/spec/ports', value: [{ port: 9090 }] }] as const
  await client.patch(Service, 'web', { json: port })
  await world.eventually(isAsDesired)
  await client.patch(Service, 'web', { merge: { metadata: { labels: { app: null } } } })
  await world.eventually(isAsDesired)
  // A further label in a selector is drift, unlike a further label of an object: it selects other pods.
  await client.patch(Service, 'web', { merge: { spec: { selector: { color: 'blue' } } } })
  await world.eventually(isAsDesired)
  await client.patch(Deployment, 'web', { merge: { metadata: { ownerReferences: null } } })
  await world.eventually(isAsDesired)
  await client.patch(Application, 'web', {
    merge: { status: { url: 'mine' } },
    subresource: 'status',
  })
  await world.eventually(isAsDesired)
  await client.delete(Service, 'web')
  await world.eventually(isAsDesired)
  await world.settle()
  process.writes()
  await world.settle()
  expect(process.writes()).toEqual([])
})

inEveryWorld(
  'keeps fields of other clients in an object and its children without writes',
  async (world) => {
    const Application = applicationIn(world)
    await world.install(Application)
    const process = await world.start([applicationOperator(Application)])
    const { client } = world
    await client.create(Application, { metadata: { name: 'web' }, spec: { image: 'nginx' } })
    await world.eventually(async () =>
      expect((await client.get(Application, 'web')).status?.url).toBe('http://web'),
    )
    await world.settle()
    process.writes()
    const annotations = { foreign: 'x' }
    for (const kind of [Application, Deployment, Service]) {
      await client.patch(kind, 'web', { merge: { metadata: { annotations, labels: annotations } } })
    }
    await world.settle()
    expect(process.writes()).toEqual([])
    for (const kind of [Application, Deployment, Service]) {
      const { metadata } = await client.get(kind, 'web')
      expect(metadata).toMatchObject({ annotations, labels: annotations })
    }
  },
)
