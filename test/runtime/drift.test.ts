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

inEveryWorld('what others change in children and status is changed back', async (it) => {
  const Application = applicationIn(it)
  await it.install(Application)
  const process = await it.start([applicationOperator(Application)])
  const { client } = it
  const owner = await client.create(Application, {
    metadata: { name: 'web' },
    spec: { image: 'nginx' },
  })
  const isAsWanted = async (): Promise<void> => {
    const service = await client.get(Service, 'web')
    const deployment = await client.get(Deployment, 'web')
    expect(service.spec.ports?.map(({ port }) => port)).toEqual([80])
    for (const { metadata } of [service, deployment]) {
      expect(metadata.labels).toMatchObject({ app: 'web' })
      expect(metadata.ownerReferences).toMatchObject([{ uid: owner.metadata.uid }])
    }
    expect((await client.get(Application, 'web')).status?.url).toBe('http://web')
  }
  await it.eventually(isAsWanted)
  const port = [{ op: 'replace', path: '/spec/ports', value: [{ port: 9090 }] }] as const
  await client.patch(Service, 'web', { json: port })
  await it.eventually(isAsWanted)
  await client.patch(Service, 'web', { merge: { metadata: { labels: { app: null } } } })
  await it.eventually(isAsWanted)
  await client.patch(Deployment, 'web', { merge: { metadata: { ownerReferences: null } } })
  await it.eventually(isAsWanted)
  await client.patch(Application, 'web', {
    merge: { status: { url: 'mine' } },
    subresource: 'status',
  })
  await it.eventually(isAsWanted)
  await client.delete(Service, 'web')
  await it.eventually(isAsWanted)
  await it.quiet()
  process.writes()
  await it.quiet()
  expect(process.writes()).toEqual([])
})

inEveryWorld(
  'what others add to an object or its children is left alone, and costs no write',
  async (it) => {
    const Application = applicationIn(it)
    await it.install(Application)
    const process = await it.start([applicationOperator(Application)])
    const { client } = it
    await client.create(Application, { metadata: { name: 'web' }, spec: { image: 'nginx' } })
    await it.eventually(async () =>
      expect((await client.get(Application, 'web')).status?.url).toBe('http://web'),
    )
    await it.quiet()
    process.writes()
    const annotations = { foreign: 'x' }
    for (const kind of [Application, Deployment, Service]) {
      await client.patch(kind, 'web', { merge: { metadata: { annotations, labels: annotations } } })
    }
    await it.quiet()
    expect(process.writes()).toEqual([])
    for (const kind of [Application, Deployment, Service]) {
      const { metadata } = await client.get(kind, 'web')
      expect(metadata).toMatchObject({ annotations, labels: annotations })
    }
  },
)
