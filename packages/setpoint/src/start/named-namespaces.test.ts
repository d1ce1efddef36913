import { expect, test } from 'vitest'
import { readText } from '../host/index.ts'
import { ConfigMap, Namespace } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { createIdleWorld } from './testdata/world.ts'

/** Starts an operator that serves these namespaces, and reads its readiness. */
async function createWorld(namespaces: readonly string[]) {
  const world = await createIdleWorld([])
  const copies = operator(ConfigMap, { name: 'copies', namespaces }).reconcile(
    async () => undefined,
  )
  const running = await world.start([copies], { probes: { port: 8081 } })
  await world.host.sleep(1000)
  return {
    ...world,
    readiness: async (): Promise<[number, string]> => {
      const url = `${running.probesUrl ?? ''}/readyz?verbose`
      const { status, body } = await world.host.request({ method: 'GET', url })
      return [status, await readText(body, 100_000)]
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await world[Symbol.asyncDispose]()
    },
  }
}

test('an operator whose only namespace does not exist is not ready until it is created', async () => {
  await using world = await createWorld(['team-a'])
  const [status, text] = await world.readiness()
  expect(status).toBe(500)
  expect(text).toContain('[-]namespaces of copies: the namespace team-a does not exist')
  await world.client.create(Namespace, { metadata: { name: 'team-a' } })
  await world.host.sleep(60_000)
  expect((await world.readiness())[0]).toBe(200)
  const messages = world.host.logged.map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(messages.filter((message) => message.includes('the namespace'))).toEqual([
    'the namespace does not exist: its objects are served once it does',
    'the namespace exists now',
  ])
})

test('a missing namespace among existing ones is a note', async () => {
  await using world = await createWorld(['default', 'team-b'])
  const [status, text] = await world.readiness()
  expect(status).toBe(200)
  expect(text).toContain('[+]namespaces of copies ok: the namespace team-b does not exist')
})
