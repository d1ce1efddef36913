import { expect } from 'vitest'
import * as z from 'zod'
import { defineResource, operator, rbacFor } from 'setpoint'
import { ConfigMap, Deployment, Secret } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import type { ProxiedRequest } from './proxied-request.ts'

inEveryWorld('operators work with exactly the permissions of their declarations', async (world) => {
  const Application = defineResource({
    group: world.group,
    version: 'v1',
    kind: 'Application',
    spec: z.object({ image: z.string(), hasConfig: z.boolean().default(true) }),
    status: z.object({ url: z.string().optional() }),
    conditions: ['Ready'],
  })
  await world.install(Application)
  let hasFailed = false
  const applications = operator(Application)
    .child('deployment', Deployment, ({ metadata: { name: app }, spec }) => ({
      spec: {
        selector: { matchLabels: { app } },
        template: {
          metadata: { labels: { app } },
          spec: { containers: [{ name: app, image: spec.image }] },
        },
      },
    }))
    .child('config', ConfigMap, ({ spec }) => (spec.hasConfig ? { data: { x: '1' } } : null))
    .watch(Secret, ({ metadata }) => [`${metadata.namespace}/${metadata.name}`])
    .status(({ metadata: { name } }) => ({ url: `http://${name}` }))
    .reconcile(async (_, { recordEvent }) => {
      await recordEvent({ reason: 'Reconciled', message: 'reconciled' })
      if (hasFailed) return
      hasFailed = true
      throw new Error('once')
    })
    .onDelete(async () => undefined)
  const election = { name: 'applications', identity: 'one' }
  const rules = rbacFor([applications], { hasElection: true })
  const process = await world.start([applications], { rules, election })
  const { client } = world
  await client.create(Application, { metadata: { name: 'web' }, spec: { image: 'nginx' } })
  await world.eventually(async () =>
    expect((await client.get(Application, 'web')).status?.url).toBe('http://web'),
  )
  await client.create(Secret, { metadata: { name: 'web' } })
  await client.patch(Deployment, 'web', { merge: { spec: { replicas: 2 } } })
  await client.patch(Application, 'web', { merge: { spec: { hasConfig: false } } })
  await world.eventually(async () => expect(await client.find(ConfigMap, 'web')).toBeUndefined())
  await client.delete(Deployment, 'web')
  await world.eventually(async () => expect(await client.find(Deployment, 'web')).toBeDefined())
  await client.delete(Application, 'web')
  await world.eventually(async () => expect(await client.find(Application, 'web')).toBeUndefined())
  await process.stop()
  // Reading the CRD is optional: operators compare it only if they may.
  const isNeeded = ({ path }: ProxiedRequest): boolean => !path.includes('apiextensions.k8s.io')
  const refused = process.faults.requests.filter(({ code }) => code === 403).filter(isNeeded)
  expect(refused.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
