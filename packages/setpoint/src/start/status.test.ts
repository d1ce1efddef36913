import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, Event, Job } from '../kinds/index.ts'
import { operator, when } from '../operator/index.ts'
import { world } from './testdata/world.ts'

const Tank = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Tank',
  spec: z.object({ litres: z.int32().min(0).default(1) }),
  conditions: ['Ready', 'Leaking'],
})

const tank = { metadata: { name: 't' }, spec: {} }

test('a condition that is no longer stated goes, also when nothing else of the status changes', async () => {
  const tanks = operator(Tank)
    .child('config', ConfigMap, () => ({ data: { pump: 'on' } }))
    .status((_, { config }) => ({
      conditions: {
        Ready: when(true, 'Filled', 'it is full'),
        ...(config?.data?.['leak'] === undefined
          ? {}
          : { Leaking: when(true, 'Seen', 'it drips') }),
      },
    }))
  await using it = await world(tanks)
  const types = async (): Promise<string[]> => {
    await it.host.settle()
    const { status } = await it.client.get(Tank, 't')
    return (status?.conditions ?? []).map(({ type }) => type).sort()
  }
  await it.client.create(Tank, tank)
  expect(await types()).toEqual(['Ready'])
  await it.client.patch(ConfigMap, 't', { merge: { data: { leak: 'yes' } } })
  expect(await types()).toEqual(['Leaking', 'Ready'])
  await it.client.patch(ConfigMap, 't', { merge: { data: { leak: null } } })
  expect(await types()).toEqual(['Ready'])
  it.writes()
  await it.restart()
  await it.host.settle()
  expect(it.writes()).toEqual([])
})

test('a failed run says of no other condition that it is about the newest state', async () => {
  const tanks = operator(Tank).status(({ spec }) => {
    if (spec.litres > 1) throw new Error('it is too small')
    return {
      conditions: { Ready: when(true, 'Filled', 'it is full'), Leaking: when(false, 'Seen', '') },
    }
  })
  await using it = await world(tanks)
  await it.client.create(Tank, tank)
  await it.host.settle()
  await it.client.patch(Tank, 't', { merge: { spec: { litres: 2 } } })
  await it.host.sleep(1_000)
  const { status } = await it.client.get(Tank, 't')
  expect(status?.conditions).toMatchObject([
    { type: 'Ready', status: 'False', reason: 'ReconcileFailed', observedGeneration: 2 },
    { type: 'Leaking', status: 'False', observedGeneration: 1 },
  ])
})

test('a long refusal is told with its end, where servers say what is wrong', async () => {
  const tanks = operator(Tank).child('job', Job, ({ spec }) => ({
    spec: {
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'fill', image: 'fill', args: [`${spec.litres}`] }],
        },
      },
    },
  }))
  await using it = await world(tanks)
  await it.client.create(Tank, tank)
  await it.host.settle()
  await it.client.patch(Tank, 't', { merge: { spec: { litres: 2 } } })
  await it.host.sleep(1_000)
  const { status } = await it.client.get(Tank, 't')
  const [event] = await it.client.listAll(Event, { namespace: 'default' })
  for (const message of [status?.conditions?.[0]?.message, event?.message]) {
    expect(message).toMatch(/^json patch of Job default\/t was refused: .* field is immutable$/)
    expect(message?.length).toBeLessThanOrEqual(1000)
  }
})
