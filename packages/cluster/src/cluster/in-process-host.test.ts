import { nodeHost, readText, type HttpHandler } from 'setpoint/host'
import { expect, test } from 'vitest'
import { inProcessHost, inProcessServer } from './in-process-host.ts'

const user = { name: 'someone', groups: ['a-group'] }

test('passes a request to the handler with a verified certificate', async () => {
  const handle: HttpHandler = async ({ method, path, headers, body, peer }) => ({
    status: 201,
    headers: { 'x-answer': 'yes' },
    body: JSON.stringify([
      method,
      path,
      headers,
      await readText(body, 100),
      peer.certificate?.subject,
    ]),
  })
  const host = inProcessHost(nodeHost(), handle, user)
  const response = await host.request({
    method: 'POST',
    url: `${inProcessServer}/api?a=b`,
    headers: { accept: 'x' },
    body: 'hello',
  })
  expect([response.status, response.headers]).toEqual([201, { 'x-answer': 'yes' }])
  expect(JSON.parse(await readText(response.body, 1000))).toEqual([
    'POST',
    '/api?a=b',
    { accept: 'x' },
    'hello',
    { CN: ['someone'], O: ['a-group'] },
  ])
  expect(host.traffic).toEqual({ requests: 0, busyWatches: 0 })
})

test('counts a watch as idle while its reader waits, and ends it immediately when it is aborted', async () => {
  let hasEnded = false
  async function* events(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      yield new TextEncoder().encode('one\n')
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    } finally {
      hasEnded = true
    }
  }
  const handle: HttpHandler = async ({ signal }) => ({ status: 200, body: events(signal) })
  const host = inProcessHost(nodeHost(), handle, user)
  const controller = new AbortController()
  const { signal } = controller
  const url = `${inProcessServer}/api?watch=true`
  const response = await host.request({ method: 'GET', url, signal })
  expect(host.traffic.busyWatches).toBe(1)
  const reader = response.body[Symbol.asyncIterator]()
  await reader.next()
  expect(host.traffic.busyWatches).toBe(1)
  const waiting = reader.next()
  expect(host.traffic.busyWatches).toBe(0)
  controller.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
  expect(hasEnded).toBe(true)
})

test('lets other work run between many requests', async () => {
  let handled = 0
  const handle: HttpHandler = async () => {
    handled += 1
    return { status: 200, body: '' }
  }
  const node = nodeHost()
  const host = inProcessHost(node, handle, user)
  const request = { method: 'GET', url: `${inProcessServer}/api` }
  const sent = Promise.all(Array.from({ length: 500 }, async () => host.request(request)))
  await node.sleep(0)
  expect(handled).toBeLessThan(500)
  await sent
  expect(handled).toBe(500)
})
