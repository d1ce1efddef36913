import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readText } from '../../http/body.ts'
import type { HttpRequest } from '../../http/http.ts'
import { nodeHost } from '../index.ts'

/** A TCP server that can violate HTTP. */
async function rawServer(onSocket: (socket: Socket) => void) {
  return disposable(
    createServer((socket) => {
      socket.on('error', () => undefined)
      onSocket(socket)
    }),
  )
}

async function disposable(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** Responds to the first request of each connection and closes it on the second. */
function forgetful(requests: string[], lastWords = '') {
  return (socket: Socket) => {
    let answered = false
    socket.on('data', (data) => {
      requests.push(data.toString('latin1').split(' ')[0] ?? '')
      if (answered) socket.end(lastWords)
      else socket.write(answer)
      answered = true
    })
  }
}

async function ask(host: ReturnType<typeof nodeHost>, request: HttpRequest): Promise<string> {
  return readText((await host.request(request)).body, 1000)
}

test('shares a connection between sequential requests, not between concurrent ones', async () => {
  const host = nodeHost()
  await using server = await disposable(createHttpServer((_, response) => response.end('ok')))
  const request = { method: 'GET', url: server.url }
  for (let count = 0; count < 20; count += 1) expect(await ask(host, request)).toBe('ok')
  expect(server.sockets.size).toBe(1)
  await Promise.all([ask(host, request), ask(host, request), ask(host, request)])
  expect(server.sockets.size).toBe(3)
})

test('releases the connection of an empty response even if its body is not read', async () => {
  const host = nodeHost()
  await using server = await disposable(
    createHttpServer((_, response) => response.writeHead(204).end()),
  )
  for (let count = 0; count < 5; count += 1) {
    await host.request({ method: 'GET', url: server.url })
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(server.sockets.size).toBeLessThan(5)
})

test('repeats a GET on another connection when the server closed the first', async () => {
  const requests: string[] = []
  await using server = await rawServer(forgetful(requests))
  const host = nodeHost()
  const request = { method: 'GET', url: server.url }
  expect(await ask(host, request)).toBe('ok')
  expect(await ask(host, request)).toBe('ok')
  expect(requests).toEqual(['GET', 'GET', 'GET'])
  expect(server.sockets.size).toBe(2)
})

test('never repeats a request that may have had an effect', async () => {
  for (const method of ['POST', 'DELETE']) {
    const requests: string[] = []
    await using server = await rawServer(forgetful(requests))
    const host = nodeHost()
    const request = { method, url: server.url }
    expect(await ask(host, request)).toBe('ok')
    await expect(ask(host, request)).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
    expect(requests).toEqual([method, method])
  }
})

test('does not repeat a GET with a partial response', async () => {
  const requests: string[] = []
  await using server = await rawServer(forgetful(requests, 'HTTP/1.1 200'))
  const host = nodeHost()
  const request = { method: 'GET', url: server.url }
  expect(await ask(host, request)).toBe('ok')
  await expect(ask(host, request)).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
  expect(requests).toEqual(['GET', 'GET'])
})

test('reports a response that is not HTTP as a protocol error', async () => {
  await using server = await rawServer((socket) => socket.end('220 mail.example ESMTP\r\n'))
  const request = ask(nodeHost(), { method: 'GET', url: server.url })
  await expect(request).rejects.toMatchObject({ code: 'NETWORK_PROTOCOL_ERROR' })
})

test('reports a response shorter than announced as a lost connection', async () => {
  await using server = await rawServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour'))
  })
  const request = ask(nodeHost(), { method: 'GET', url: server.url })
  await expect(request).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
})

test('fails a handshake that exceeds the connect timeout', async () => {
  await using server = await rawServer(() => undefined)
  const url = `https://127.0.0.1:${server.port}/`
  const request = nodeHost().request({ method: 'GET', url, connectTimeoutMs: 0 })
  await expect(request).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
})

test('joins repeated headers', async () => {
  await using server = await rawServer((socket) => {
    const headers = 'Warning: 299 - "a"\r\nWarning: 299 - "b"\r\nSet-Cookie: x\r\nSet-Cookie: y\r\n'
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${headers}Content-Length: 0\r\n\r\n`))
  })
  const { headers } = await nodeHost().request({ method: 'GET', url: server.url })
  expect(headers).toMatchObject({ warning: '299 - "a", 299 - "b"', 'set-cookie': 'x, y' })
})

test('sends each value of a header on a separate line', async () => {
  const heads: string[] = []
  await using server = await rawServer((socket) => {
    socket.once('data', (data) => {
      heads.push(data.toString('latin1'))
      socket.end(answer)
    })
  })
  const upload = async function* () {
    yield new Uint8Array(1)
  }
  for (const body of ['x', upload()]) {
    const headers = { 'impersonate-group': ['a', 'b'] }
    await ask(nodeHost(), { method: 'POST', url: server.url, headers, body })
  }
  const lines = '\r\nimpersonate-group: a\r\nimpersonate-group: b\r\n'
  expect(heads).toEqual([expect.stringContaining(lines), expect.stringContaining(lines)])
})
