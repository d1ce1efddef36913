import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineResource } from '../definition/index.ts'
import { Secret } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { createWorld } from './testdata/world.ts'

const Login = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Login',
  spec: z.object({ password: z.string() }),
})

test('handlers of Secrets keep no values in annotations, and still see every change once', async () => {
  const calls: string[] = []
  const secrets = operator(Secret, { name: 'secrets', namespaces: ['default'] })
    .onCreate(async (_, ctx) => void calls.push(`made ${ctx.attempt}`), { id: 'made' })
    .onUpdate(async () => void calls.push('changed'), { id: 'changed' })
    .onField('data.password', async () => void calls.push('password'), { id: 'password' })
  await using world = await createWorld(secrets)
  const { client, host } = world
  await client.create(Secret, {
    metadata: { name: 'login' },
    stringData: { password: 'hunter2', user: 'me' },
  })
  await host.settle()
  const annotationsOf = async (): Promise<string> =>
    JSON.stringify((await client.get(Secret, 'login')).metadata.annotations)
  const base64 = Buffer.from('hunter2').toString('base64')
  expect(await annotationsOf()).toContain('handled')
  expect(await annotationsOf()).not.toMatch(new RegExp(`hunter2|${base64}`))
  await client.patch(Secret, 'login', { merge: { stringData: { user: 'you' } } })
  await host.settle()
  await client.patch(Secret, 'login', { merge: { stringData: { password: 'hunter3' } } })
  await host.settle()
  await world.restart(secrets)
  await host.settle()
  expect(calls).toEqual(['made 1', 'changed', 'changed', 'password'])
  expect(await annotationsOf()).not.toContain(Buffer.from('hunter3').toString('base64'))
})

test('the annotations of a Secret child do not depend on its values, and values are still corrected', async () => {
  const logins = operator(Login).child('login', Secret, ({ spec: { password } }) => ({
    stringData: { password },
  }))
  await using world = await createWorld(logins)
  const { client, host } = world
  for (const [name, password] of [
    ['a', 'hunter2'],
    ['b', 'swordfish'],
  ] as const) {
    await client.create(Login, { metadata: { name }, spec: { password } })
  }
  await host.settle()
  const appliedOf = async (name: string): Promise<string | undefined> =>
    // Without the generation of the owner.
    (await client.get(Secret, name)).metadata.annotations?.['setpoint.dev/applied']?.replace(
      /\.g\d+/,
      '',
    )
  const passwordOf = async (name: string): Promise<string> =>
    Buffer.from((await client.get(Secret, name)).data?.['password'] ?? '', 'base64').toString()
  const before = await appliedOf('a')
  expect(before).toBeDefined()
  await client.patch(Login, 'a', { merge: { spec: { password: 'letmein' } } })
  await host.settle()
  expect(await passwordOf('a')).toBe('letmein')
  expect(await appliedOf('a')).toBe(before)
  await client.patch(Secret, 'a', { merge: { stringData: { password: 'tampered' } } })
  await host.settle()
  expect(await passwordOf('a')).toBe('letmein')
  world.writes()
  await host.sleep(60_000)
  await world.restart(logins)
  await host.settle()
  expect(world.writes().filter((write) => JSON.stringify(write).includes('secrets'))).toEqual([])
})
