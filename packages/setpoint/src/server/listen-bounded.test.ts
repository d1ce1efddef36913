import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { nodeHost, readText, virtualHost } from '../host/index.ts'
import { hostLogger } from '../log/index.ts'
import { listenBounded } from './index.ts'
import {
  BODIES_BYTES_MAX,
  BODY_BYTES_MAX,
  HEAD_MS_MAX,
  LOG_LINES_PER_MINUTE,
} from './server-limits.ts'

/** The body of an attacker: all but its last bytes, which never come. */
async function* unfinished(sizeBytes: number): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(sizeBytes)
  await new Promise(() => undefined)
}

const codeOf = (error: unknown): unknown => (error as { code?: string }).code

test('700 unfinished uploads use the memory of the budget, and all of them are closed', async () => {
  const connections = 650
  const sizeBytes = 60_000
  const inMemory = Math.floor(BODIES_BYTES_MAX / sizeBytes)
  const host = virtualHost({ seed: 1 })
  const log = hostLogger(host)
  await using server = await listenBounded({
    host,
    log,
    connections,
    handle: async (request) => ({ status: 200, body: String((await request.text()).length) }),
  })
  const outcomes: unknown[] = []
  for (let count = 0; count < 700; count += 1) {
    const body = unfinished(sizeBytes)
    void host.request({ method: 'POST', url: server.url, body }).then(
      ({ status }) => outcomes.push(status),
      (error: unknown) => outcomes.push(codeOf(error)),
    )
  }
  await host.sleep(5_000)
  const refused = outcomes.filter((outcome) => outcome === 503).length
  expect(refused).toBe(connections - inMemory)
  const closed = outcomes.filter((outcome) => outcome === 'NETWORK_CONNECTION_LOST').length
  expect(closed).toBe(700 - connections)
  expect(outcomes).toHaveLength(700 - inMemory)
  await host.sleep(10_000)
  expect(outcomes).toHaveLength(700)
  const { body } = await host.request({ method: 'POST', url: server.url, body: 'four' })
  expect(await readText(body, 100)).toBe('4')
  host.stop()
})

test('refuses a large body with 413, and gives its memory back', async () => {
  const host = virtualHost({ seed: 1 })
  await using server = await listenBounded({
    host,
    log: hostLogger(host),
    connections: 4,
    handle: async (request) => ({ status: 200, body: await request.text() }),
  })
  const { url } = server
  for (let count = 0; count < 50; count += 1) {
    const body = new Uint8Array(BODY_BYTES_MAX + 1)
    expect((await host.request({ method: 'POST', url, body })).status).toBe(413)
  }
  const body = new Uint8Array(BODY_BYTES_MAX)
  expect((await host.request({ method: 'POST', url, body })).status).toBe(200)
  host.stop()
})

test('a body in chunks of one byte is read into one buffer', async () => {
  const host = nodeHost({ log: () => undefined })
  await using server = await listenBounded({
    host,
    log: hostLogger(host),
    connections: 4,
    handle: async (request) => ({ status: 200, body: String((await request.text()).length) }),
  })
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
  socket.write(`${'1\r\nx\r\n'.repeat(9_000)}0\r\n\r\n`)
  let heard = ''
  for await (const data of socket) {
    heard += String(data)
    if (heard.endsWith('9000')) break
  }
  expect(heard).toMatch(/^HTTP\/1.1 200 /)
})

test('closes a connection whose head does not arrive within the limit of the server', async () => {
  const host = nodeHost({ log: () => undefined })
  await using server = await listenBounded({
    host,
    log: hostLogger(host),
    connections: 4,
    headMs: 40,
    handle: () => Promise.resolve({ status: 200 }),
  })
  const startMs = host.monotonicMs()
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
  socket.write('POST / HTTP/1.1\r\nhost: x\r\n')
  await new Promise<void>((resolve) => socket.resume().once('close', () => resolve()))
  expect(host.monotonicMs() - startMs).toBeLessThan(HEAD_MS_MAX)
})

test('logs a limited number of warnings per minute, and then how many were left out', async () => {
  const host = virtualHost({ seed: 1 })
  await using server = await listenBounded({
    host,
    log: hostLogger(host),
    connections: 4,
    handle: async ({ path }, warn) => {
      if (path.startsWith('/throw')) throw new Error('the handler is broken')
      warn({ path }, 'refused')
      return { status: 400, body: '' }
    },
  })
  const { url } = server
  const linesBefore = host.logged.length
  for (let count = 0; count < 200; count += 1) {
    const path = count % 2 === 0 ? '/throw?secret=1' : '/'
    const { status } = await host.request({ method: 'GET', url: url + path })
    expect(status).toBe(count % 2 === 0 ? 500 : 400)
  }
  expect(host.logged.length - linesBefore).toBe(LOG_LINES_PER_MINUTE)
  expect(host.logged.join('\n')).not.toContain('secret=1')
  await host.sleep(60_000)
  await host.request({ method: 'GET', url })
  expect(host.logged.at(-1)).toContain(`"suppressed":${200 - LOG_LINES_PER_MINUTE}`)
  host.stop()
})

test('answers 503 while as many handlers run as connections are allowed', async () => {
  const host = virtualHost({ seed: 1 })
  await using server = await listenBounded({
    host,
    log: hostLogger(host),
    connections: 2,
    handle: () => new Promise(() => undefined),
  })
  const { url } = server
  const lost = [1, 2].map(() => host.request({ method: 'GET', url }).catch(codeOf))
  await host.sleep(20_000)
  expect(await Promise.all(lost)).toEqual(['NETWORK_CONNECTION_LOST', 'NETWORK_CONNECTION_LOST'])
  // The connections are closed; the handlers of the author still run.
  expect((await host.request({ method: 'GET', url })).status).toBe(503)
  host.stop()
})
