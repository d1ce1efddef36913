import { defineResource, operator, rbacFor } from 'setpoint'
import { ConfigMap, Deployment } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { testWorld } from './test-world.ts'

const Web = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Web',
  spec: z.object({ image: z.string().default('web:1') }),
  conditions: ['Ready'],
})

const webs = operator(Web).child('deployment', Deployment, ({ metadata: { name: app }, spec }) => ({
  spec: {
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app } },
      spec: { containers: [{ name: app, image: spec.image }] },
    },
  },
}))

const hello = { metadata: { name: 'hello' }, spec: {} }

test('settles when the pods of a child are ready and its owner reports it', async () => {
  await using world = await testWorld({ operators: [webs] })
  await world.client.create(Web, hello)
  await world.settle()
  expect((await world.client.get(Deployment, 'hello')).status?.readyReplicas).toBe(1)
  expect((await world.client.get(Web, 'hello')).status?.conditions).toMatchObject([
    { type: 'Ready', status: 'True' },
  ])
  expect(world.reports.length).toBeGreaterThan(0)
})

test('records the writes of the operators, and only theirs', async () => {
  await using world = await testWorld({ operators: [webs] })
  await world.client.create(Web, hello)
  await world.settle()
  expect(world.writes()).toContain('create deployments')
  await world.client.create(ConfigMap, { metadata: { name: 'other' } })
  await world.settle()
  expect(world.writes()).toEqual([])
})

test('restarts the operators, which write nothing when nothing has changed', async () => {
  await using world = await testWorld({ operators: [webs] })
  await world.client.create(Web, hello)
  await world.settle()
  world.writes()
  await world.restart()
  await world.settle()
  expect(world.writes()).toEqual([])
  await world.stop()
  await world.client.delete(Deployment, 'hello')
  await world.restart()
  await world.settle()
  expect(world.writes()).toContain('create deployments')
})

test('passes options to the operators, and intercepts requests', async () => {
  const methods = new Set<string>()
  await using world = await testWorld({
    operators: [webs],
    workloads: 'off',
    intercept: ({ method = '' }) => {
      methods.add(method)
      return undefined
    },
    start: { namespaces: ['elsewhere'] },
  })
  await world.client.create(Web, hello)
  await world.settle()
  expect(world.reports).toEqual([])
  expect(methods).toContain('POST')
})

test('runs the operators with exactly the given permissions', async () => {
  const rules = rbacFor([webs])
  await using allowed = await testWorld({ operators: [webs], rules })
  await allowed.client.create(Web, hello)
  await allowed.settle()
  expect(allowed.writes()).toContain('create deployments')
  const reading = rules.map((rule) => ({
    ...rule,
    verbs: rule.verbs.filter((verb) => ['get', 'list', 'watch'].includes(verb)),
  }))
  const readable = reading.filter(({ verbs }) => verbs.length > 0)
  await using refused = await testWorld({ operators: [webs], rules: readable })
  await refused.client.create(Web, hello)
  await refused.host.sleep(1_000)
  expect(await refused.client.find(Deployment, 'hello')).toBeUndefined()
  const forbidden = refused.cluster.trace.filter(({ code }) => code === 403)
  expect(forbidden.map(({ verb }) => verb)).toContain('create')
})
