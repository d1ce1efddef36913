import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineResource } from '../definition/index.ts'
import { EventsEvent } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { createIdleWorld } from './testdata/world.ts'

const resource = (password: z.ZodString) =>
  defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Login',
    spec: z.object({ password, count: z.int32().max(3).optional() }),
    conditions: ['Ready'],
  })

const Login = resource(z.string().min(20))

test('a refused password is in no log line, condition or Event', async () => {
  await using world = await createIdleWorld([resource(z.string())])
  const { client, host } = world
  await client.create(Login, { metadata: { name: 'a' }, spec: { password: 'hunter2' } })
  await using running = await world.start([operator(Login)])
  await host.sleep(5_000)
  const { status } = await client.get(Login, 'a')
  const events = await client.listAll(EventsEvent, { namespace: 'default' })
  expect(JSON.stringify(status)).toContain('spec.password: Invalid value: ')
  expect(events.length).toBeGreaterThan(0)
  expect(JSON.stringify([status, events, host.logged])).not.toContain('hunter2')
  await running.stop()
})
