import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { readText } from '../../http/body.ts'
import type { Host, HttpHandler, HttpRequest } from '../../index.ts'
import { authorityOne, authorityTwo, client, serverOne } from '../../testdata/certificates.ts'
import { nodeHost } from '../index.ts'

/** A request that a proxy received. */
interface Asked {
  readonly target: string
  readonly authorization: string | undefined
}

interface ProxyOptions {
  /** The credentials it requires. */
  readonly wants?: string
  readonly secure?: boolean
  /** The response to a CONNECT, instead of a tunnel. */
  readonly instead?: (socket: Duplex) => void
}

const tls = { ca: authorityOne }
const ok: HttpHandler = () => Promise.resolve({ status: 200, body: 'ok' })

async function listening(server: NetServer) {
  const sockets = new Set<Duplex>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A real proxy. It resolves every name to this machine, so that any name can be requested. */
async function proxy(options: ProxyOptions = {}) {
  const asked: Asked[] = []
  const server = options.secure === true ? createHttpsServer(serverOne) : createHttpServer()
  const note = ({ url = '', headers }: IncomingMessage) => {
    asked.push({ target: url, authorization: headers['proxy-authorization'] })
    const { wants } = options
    return wants === undefined || headers['proxy-authorization'] === `Basic ${btoa(wants)}`
  }
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined)
    if (!note(request)) socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    else if (options.instead !== undefined) options.instead(socket)
    else pass(socket, Number(request.url?.split(':')[1]))
  })
  server.on('request', (request, response) => {
    if (!note(request)) response.writeHead(407).end()
    else response.end(`${request.method} ${request.url} for ${request.headers.host}`)
  })
  const running = await listening(server)
  const name = `${options.secure === true ? 'https' : 'http'}://127.0.0.1:${running.port}`
  return { ...running, asked, name }
}

function pass(socket: Duplex, port: number): void {
  const onward = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    onward.pipe(socket).pipe(onward)
  })
  socket.on('close', () => onward.destroy())
  onward
    .on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
    .on('close', () => socket.destroy())
}

async function ask(host: Host, request: Partial<HttpRequest> & { readonly url: string }) {
  const response = await host.request({ method: 'GET', tls, ...request })
  return readText(response.body, 1000)
}

/** The error of a request that has to fail. */
async function failure(request: Partial<HttpRequest> & { readonly url: string }) {
  const error: unknown = await ask(nodeHost(), request).catch((cause: unknown) => cause)
  if (!(error instanceof Error)) throw new Error('the request did not fail')
  return error
}

test("reaches a server through a proxy with the client's certificate", async () => {
  const host = nodeHost()
  const seen: unknown[] = []
  await using server = await host.listen({
    tls: { ...serverOne, clientCa: authorityOne },
    handle: ({ headers, path, peer }) => {
      seen.push({ path, headers, verified: peer.certificate?.verified })
      return Promise.resolve({ status: 200, body: 'ok' })
    },
  })
  await using through = await proxy({ wants: 'me:p@ss' })
  const url = `https://one.example:${server.port}/x?y=1`
  const via = through.name.replace('//', '//me:p%40ss@')
  expect(await ask(host, { url, proxy: via, tls: { ...tls, ...client } })).toBe('ok')
  expect(through.asked).toEqual([
    { target: `one.example:${server.port}`, authorization: `Basic ${btoa('me:p@ss')}` },
  ])
  expect(seen).toMatchObject([{ path: '/x?y=1', verified: true }])
  expect(JSON.stringify(seen)).not.toContain('proxy-authorization')
})

test('shares a tunnel between sequential requests, not between accounts', async () => {
  const host = nodeHost()
  await using server = await host.listen({ tls: serverOne, handle: ok })
  await using through = await proxy()
  const request = { url: server.url, proxy: through.name }
  for (let count = 0; count < 10; count += 1) expect(await ask(host, request)).toBe('ok')
  expect(through.asked).toHaveLength(1)
  await Promise.all([ask(host, request), ask(host, request)])
  expect(through.asked).toHaveLength(2)
  await ask(host, { ...request, proxy: through.name.replace('//', '//other@') })
  expect(through.asked).toHaveLength(3)
  await ask(host, { url: server.url })
  expect(through.asked).toHaveLength(3)
})

test('repeats a GET through another tunnel when the first was closed', async () => {
  const host = nodeHost()
  let requests = 0
  await using server = await listening(
    createHttpsServer(serverOne, (request, response) => {
      requests += 1
      if (requests === 2) request.socket.destroy()
      else response.end('ok')
    }),
  )
  await using through = await proxy()
  const request = { url: `https://127.0.0.1:${server.port}/`, proxy: through.name }
  expect(await ask(host, request)).toBe('ok')
  expect(await ask(host, request)).toBe('ok')
  expect(requests).toBe(3)
  expect(through.asked).toHaveLength(2)
})

test('streams a watch through a proxy, and closes the tunnel with it', async () => {
  const host = nodeHost()
  let next = (): void => undefined
  let left = (): void => undefined
  const wasLeft = new Promise<void>((resolve) => (left = resolve))
  await using server = await host.listen({
    tls: serverOne,
    handle: ({ signal }) => {
      signal.addEventListener('abort', left)
      async function* events() {
        for (let count = 1; ; count += 1) {
          const asked = new Promise<void>((resolve) => (next = resolve))
          yield new TextEncoder().encode(`event ${count}\n`)
          await asked
        }
      }
      return Promise.resolve({ status: 200, body: events() })
    },
  })
  await using through = await proxy()
  const { body } = await host.request({ method: 'GET', url: server.url, tls, proxy: through.name })
  const events: string[] = []
  for await (const chunk of body) {
    events.push(new TextDecoder().decode(chunk))
    if (events.length === 3) break
    next()
  }
  expect(events).toEqual(['event 1\n', 'event 2\n', 'event 3\n'])
  await wasLeft
  next()
})

test('streams an upload through a proxy', async () => {
  const host = nodeHost()
  await using server = await host.listen({
    tls: serverOne,
    handle: async ({ body }) => ({ status: 200, body: await readText(body, 1e6) }),
  })
  await using through = await proxy()
  async function* body() {
    yield new TextEncoder().encode('one ')
    await Promise.resolve()
    yield new TextEncoder().encode('two')
  }
  const request = { method: 'POST', url: server.url, body: body(), proxy: through.name }
  expect(await ask(host, request)).toBe('one two')
})

test('reports the name and the status of a proxy that refuses, without its password', async () => {
  await using through = await proxy({ wants: 'me:right' })
  const via = through.name.replace('//', '//me:wr0ng@')
  const words = `the proxy ${through.name} refused to connect to`
  for (const [url, authority] of [
    ['https://one.example/', 'one.example:443'],
    ['http://one.example/', 'one.example:80'],
    ['https://[::1]:8443/', '[::1]:8443'],
  ] as const) {
    const error = await failure({ method: 'POST', url, proxy: via })
    expect(error).toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
    expect(error.message).toContain(
      `POST ${url} failed: ${words} ${authority}: 407 Proxy Authentication Required`,
    )
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('wr0ng')
  }
})

test('reports the target that the proxy cannot reach', async () => {
  await using through = await proxy()
  const { port } = await closedServer()
  const error = await failure({ url: `https://127.0.0.1:${port}/`, proxy: through.name })
  expect(error).toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  expect(error.message).toContain(`refused to connect to 127.0.0.1:${port}: 502 Bad Gateway`)
})

async function closedServer(): Promise<{ readonly port: number }> {
  await using server = await listening(createServer())
  return { port: server.port }
}

test('names a proxy that cannot be reached', async () => {
  const { port } = await closedServer()
  for (const url of ['https://one.example/', 'http://one.example/']) {
    const error = await failure({ url, proxy: `http://me:s3cret@127.0.0.1:${port}` })
    expect(error).toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
    expect(error.message).toContain(`the proxy http://127.0.0.1:${port} could not be reached: conn`)
    expect(error.message).not.toContain('s3cret')
  }
})

test('reports that nothing was sent when a proxy closes the connection or does not speak HTTP', async () => {
  for (const lastWords of ['', '220 mail.example ESMTP\r\n']) {
    await using through = await proxy({ instead: (socket) => socket.end(lastWords) })
    const request = { method: 'POST', url: 'https://one.example/', proxy: through.name }
    const error = await failure(request)
    expect(error).toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
    expect(error.message).toContain('did not respond to CONNECT one.example:443: ')
  }
})

test('verifies the target through a proxy as without one', async () => {
  const host = nodeHost()
  await using server = await host.listen({ tls: serverOne, handle: ok })
  await using through = await proxy()
  const at = (name: string) => `https://${name}:${server.port}/`
  const refused = { code: 'NETWORK_TLS_FAILED' }
  const wrongAuthority = { url: at('one.example'), tls: { ca: authorityTwo } }
  const error = await failure({ ...wrongAuthority, proxy: through.name })
  expect(error).toMatchObject(refused)
  expect(error.message).toContain(
    `the handshake with one.example:${server.port} through the proxy ${through.name} failed: `,
  )
  expect(await failure({ url: at('two.example'), proxy: through.name })).toMatchObject(refused)
  const named = { ...tls, serverName: 'one.example' }
  expect(await ask(host, { url: at('two.example'), proxy: through.name, tls: named })).toBe('ok')
  const insecure = { insecureSkipVerify: true }
  expect(await ask(host, { url: at('x.example'), proxy: through.name, tls: insecure })).toBe('ok')
  const unusable = { ...tls, cert: 'no PEM', key: 'no PEM' }
  const withoutKey = { url: server.url, proxy: through.name, tls: unusable }
  expect(await failure(withoutKey)).toMatchObject(refused)
})

test('applies the connect timeout to proxy and target together', async () => {
  await using silent = await proxy({ instead: () => undefined })
  const request = { url: 'https://one.example/', connectTimeoutMs: 100 }
  const first = await failure({ ...request, proxy: silent.name })
  expect(first).toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  expect(first.message).toContain('within 100 ms (CONNECT to the proxy)')
  await using deaf = await proxy({ instead: (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n') })
  const second = await failure({ ...request, proxy: deaf.name })
  expect(second).toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  expect(second.message).toContain('within 100 ms (TLS handshake with the target)')
})

test('closes the connection to the proxy when a request is aborted', async () => {
  const controller = new AbortController()
  let closed = (): void => undefined
  const wasClosed = new Promise<void>((resolve) => (closed = resolve))
  const instead = (socket: Duplex) => {
    // Servers keep their half of a connection open: only its end is visible.
    socket.on('end', closed).resume()
    controller.abort()
  }
  await using through = await proxy({ instead })
  const { signal } = controller
  const error = await failure({ url: 'https://one.example/', proxy: through.name, signal })
  expect(error).toMatchObject({ code: 'ABORTED' })
  await wasClosed
})

test('sends requests without a tunnel with the whole URL, on one connection', async () => {
  const host = nodeHost()
  await using through = await proxy()
  const connections = new Set<Duplex>()
  for (const name of ['one.example', 'two.example:8080']) {
    const request = { url: `http://${name}/x?y=1#z`, proxy: through.name.replace('//', '//me@') }
    expect(await ask(host, request)).toBe(`GET http://${name}/x?y=1 for ${name}`)
    for (const socket of through.sockets) connections.add(socket)
  }
  expect(connections.size).toBe(1)
  expect(through.asked[0]?.authorization).toBe(`Basic ${btoa('me:')}`)
})

test('verifies an https proxy, independently of the settings of the target', async () => {
  const host = nodeHost()
  await using server = await host.listen({ tls: serverOne, handle: ok })
  await using through = await proxy({ secure: true })
  const request = { url: server.url, proxy: through.name }
  for (let count = 0; count < 3; count += 1) expect(await ask(host, request)).toBe('ok')
  expect(through.asked).toHaveLength(1)
  const plain = { url: 'http://two.example/', proxy: through.name }
  expect(await ask(host, plain)).toBe('GET http://two.example/ for two.example')
  for (const wrong of [request, plain]) {
    const error = await failure({ ...wrong, tls: { insecureSkipVerify: true } })
    expect(error).toMatchObject({ code: 'NETWORK_TLS_FAILED' })
    expect(error.message).toContain(`the proxy ${through.name} could not be reached: `)
  }
})
