import { channel } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { readText } from '../../http/body.ts'
import type { HttpServer } from '../../http/http.ts'
import { nodeHost } from '../index.ts'

const ok = () => Promise.resolve({ status: 200, body: 'ok' })

/** A TCP client that stops in the middle of a request. */
async function rawClient(server: HttpServer, firstWords: string) {
  const socket = connect(server.port, '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => undefined).resume()
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  await new Promise<void>((resolve) => socket.write(firstWords, () => resolve()))
  return { closed }
}

test('closes connections with an incomplete request immediately', async () => {
  const host = nodeHost()
  const server = await host.listen({ handle: ok })
  const silent = await rawClient(server, '')
  const halfway = await rawClient(server, 'GET / HTTP/1.1\r\nhost: x\r\n')
  // A response to a later connection shows that the server has accepted the earlier ones.
  const { body } = await host.request({ method: 'GET', url: server.url })
  expect(await readText(body, 10)).toBe('ok')
  await server.close({ graceMs: Infinity })
  await silent.closed
  await halfway.closed
})

test('keeps the connection after a response that came before the end of the upload', async () => {
  for (const isGivenUp of [false, true]) {
    await using server = await nodeHost().listen({
      handle: async (request) => {
        if (isGivenUp) await request.body[Symbol.asyncIterator]().return()
        return { status: 413, body: request.path }
      },
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.write('POST /first HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nab')
    let heard = ''
    for await (const data of socket) {
      heard += String(data)
      if (heard.endsWith('/first')) socket.write('cdGET /next HTTP/1.1\r\nhost: x\r\n\r\n')
      if (heard.endsWith('/next')) break
    }
    expect(heard).toMatch(/^HTTP\/1.1 413 [^]*\/firstHTTP\/1.1 413 [^]*\/next$/)
  }
})

test('limits the time of headers, not of an upload', async () => {
  const limits: number[] = []
  const started = channel('http.server.request.start')
  const onStart = (message: unknown) => {
    const { server } = message as { server: Server }
    limits.push(server.requestTimeout, server.headersTimeout)
  }
  const host = nodeHost()
  await using server = await host.listen({ handle: ok })
  started.subscribe(onStart)
  const { body } = await host.request({ method: 'POST', url: server.url, body: 'x' })
  await readText(body, 10)
  started.unsubscribe(onStart)
  expect(limits).toEqual([0, 60_000])
})

test('responds although the log is broken', async () => {
  const host = nodeHost({
    log: () => {
      throw new Error('the disk is full')
    },
  })
  await using server = await host.listen({ handle: () => Promise.reject(new Error('no')) })
  expect((await host.request({ method: 'GET', url: server.url })).status).toBe(500)
})

/** The whole answer to a request that is sent as text. */
async function rawAnswer(server: HttpServer, request: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  const chunks: string[] = []
  socket.setEncoding('latin1').on('data', (chunk: string) => chunks.push(chunk))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => undefined).write(request)
  await closed
  return chunks.join('')
}

test('answers methods that the parser does not know, if the server has an answer', async () => {
  const unknownMethod = (method: string, path: string) => ({
    status: 405,
    headers: { 'content-type': 'text/plain', 'x-list': ['a', 'b'] },
    body: `${method} ${path}`,
  })
  await using server = await nodeHost().listen({ handle: ok, unknownMethod })
  const head = 'HTTP/1.1\r\nhost: x\r\n\r\n'
  const answer = await rawAnswer(server, `FOO /a?b=c ${head}`)
  expect(answer).toMatch(/^HTTP\/1\.1 405 /)
  expect(answer).toContain('\r\nx-list: a\r\nx-list: b\r\n')
  expect(answer).toMatch(/\r\n\r\nFOO \/a\?b=c$/)
  expect(await rawAnswer(server, `\0 / ${head}`)).toMatch(/^HTTP\/1\.1 400 /)
  await using silent = await nodeHost().listen({ handle: ok })
  expect(await rawAnswer(silent, `FOO / ${head}`)).toMatch(/^HTTP\/1\.1 400 /)
})

test('sends a list of header values as one line for each', async () => {
  await using server = await nodeHost().listen({
    handle: () => Promise.resolve({ status: 200, headers: { 'x-list': ['a', 'b'] }, body: 'ok' }),
  })
  const answer = await rawAnswer(server, 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect(answer).toContain('\r\nx-list: a\r\nx-list: b\r\n')
})
