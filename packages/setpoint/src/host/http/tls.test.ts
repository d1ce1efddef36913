import { type AddressInfo, connect } from 'node:net'
import { createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { nodeHost, readText, virtualHost } from '../index.ts'
import type { Host, HttpHandler, PeerCertificate } from '../index.ts'
import {
  authorityOne,
  authorityTwo,
  client,
  serverOne,
  serverTwo,
} from '../testdata/certificates.ts'

const ok: HttpHandler = () => Promise.resolve({ status: 200, body: 'ok' })

const hosts: Record<string, () => Host> = {
  'node host': () => nodeHost(),
  'virtual host': () => virtualHost({ seed: 3 }),
}

function onEveryHost(sentence: string, check: (host: Host) => Promise<void>): void {
  for (const [name, create] of Object.entries(hosts)) {
    test(`${sentence} (${name})`, () => check(create()))
  }
}

/** Serves one request with a client certificate and returns what the server received. */
async function seenBy(
  host: Host,
  clientCa: string | undefined,
  shown: { readonly cert: string; readonly key: string } | undefined,
): Promise<PeerCertificate | undefined> {
  let seen: PeerCertificate | undefined
  await using server = await host.listen({
    tls: {
      ...serverOne,
      requestClientCertificate: true,
      ...(clientCa === undefined ? {} : { clientCa }),
    },
    handle: (request) => {
      seen = request.peer.certificate
      return ok(request)
    },
  })
  const tls = { ca: authorityOne, ...shown }
  const response = await host.request({ method: 'GET', url: server.url, tls })
  expect(await readText(response.body, 100)).toBe('ok')
  return seen
}

onEveryHost('serves https with a certificate', async (host) => {
  await using server = await host.listen({ tls: serverOne, handle: ok })
  expect(server.url).toMatch(/^https:/)
  for (const name of ['127.0.0.1', 'localhost']) {
    const url = `https://${name}:${server.port}/`
    const response = await host.request({ method: 'GET', url, tls: { ca: authorityOne } })
    expect(await readText(response.body, 100)).toBe('ok')
  }
})

onEveryHost('distinguishes verified client certificates from others', async (host) => {
  const verified = await seenBy(host, authorityOne, client)
  expect(verified).toMatchObject({
    subject: { CN: ['admin'], O: ['team a', 'team b'] },
    verified: true,
  })
  const pemBody = client.cert.split('\n').slice(1, -1).join('')
  expect(Buffer.from(verified?.der ?? []).toString('base64')).toBe(pemBody)
  expect(await seenBy(host, authorityOne, serverTwo)).toMatchObject({
    subject: { CN: ['server two'] },
    verified: false,
  })
  expect(await seenBy(host, undefined, client)).toMatchObject({ verified: false })
  expect(await seenBy(host, authorityOne, undefined)).toBeUndefined()
})

onEveryHost('fails when http meets https', async (host) => {
  await using plain = await host.listen({ handle: ok })
  await using secure = await host.listen({ tls: serverOne, handle: ok })
  const toPlain = host.request({ method: 'GET', url: plain.url.replace('http', 'https') })
  await expect(toPlain).rejects.toMatchObject({ code: 'NETWORK_TLS_FAILED' })
  const toSecure = host.request({ method: 'GET', url: secure.url.replace('https', 'http') })
  await expect(toSecure).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
})

onEveryHost('fails the handshake with an invalid client certificate', async (host) => {
  await using server = await host.listen({
    tls: { ...serverOne, clientCa: authorityOne },
    handle: ok,
  })
  const tls = { ca: authorityOne, cert: 'nonsense', key: 'nonsense' }
  const request = host.request({ method: 'GET', url: server.url, tls })
  await expect(request).rejects.toMatchObject({ code: 'NETWORK_TLS_FAILED' })
})

test('refuses a certificate of another authority or name', async () => {
  const host = nodeHost()
  let calls = 0
  await using server = await host.listen({
    tls: serverOne,
    handle: (request) => {
      calls += 1
      return ok(request)
    },
  })
  const ask = (tls: object) => host.request({ method: 'GET', url: server.url, tls })
  const refused = { code: 'NETWORK_TLS_FAILED' }
  await expect(ask({})).rejects.toMatchObject(refused)
  await expect(ask({ ca: authorityTwo })).rejects.toMatchObject(refused)
  const other = ask({ ca: authorityOne, serverName: 'two.example' })
  await expect(other).rejects.toMatchObject(refused)
  expect(calls).toBe(0)
  expect((await ask({ ca: authorityOne, serverName: 'one.example' })).status).toBe(200)
  expect((await ask({ insecureSkipVerify: true })).status).toBe(200)
})

test('uses a rotated certificate for new connections, and keeps open ones', async () => {
  const host = nodeHost()
  await using server = await host.listen({ tls: serverOne, handle: ok })
  const ask = async (ca: string) => {
    const response = await host.request({ method: 'GET', url: server.url, tls: { ca } })
    return readText(response.body, 100)
  }
  expect(await ask(authorityOne)).toBe('ok')
  await expect(ask(authorityTwo)).rejects.toMatchObject({ code: 'NETWORK_TLS_FAILED' })
  server.setTls(serverTwo)
  expect(await ask(authorityTwo)).toBe('ok')
  expect(await ask(authorityOne)).toBe('ok')
  const fresh = nodeHost().request({ method: 'GET', url: server.url, tls: { ca: authorityOne } })
  await expect(fresh).rejects.toMatchObject({ code: 'NETWORK_TLS_FAILED' })
})

test('repeats a GET when the server closed a pooled TLS connection', async () => {
  let requests = 0
  const server = createServer(serverOne, (socket) => {
    let answered = false
    socket.on('error', () => undefined)
    socket.on('data', () => {
      requests += 1
      if (answered) socket.end()
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      answered = true
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = nodeHost()
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  for (let count = 0; count < 2; count += 1) {
    const response = await host.request({ method: 'GET', url, tls: { ca: authorityOne } })
    expect(await readText(response.body, 100)).toBe('ok')
  }
  expect(requests).toBe(3)
  server.close()
})

test('reports unusable TLS material of a server', async () => {
  const host = nodeHost()
  const nonsense = { cert: 'nonsense', key: 'nonsense' }
  const refused = { code: 'NETWORK_TLS_FAILED' }
  await expect(host.listen({ tls: nonsense, handle: ok })).rejects.toMatchObject(refused)
  await using server = await host.listen({ tls: serverOne, handle: ok })
  expect(() => server.setTls(nonsense)).toThrow(expect.objectContaining(refused) as Error)
})

test('on close, aborts handshakes that never end, and waits for requests period', async () => {
  const host = nodeHost()
  let finish = (): void => undefined
  const arrived = new Promise<void>((resolve) => {
    finish = resolve
  })
  let answer = (): void => undefined
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  const server = await host.listen({
    tls: serverOne,
    handle: async (request) => {
      finish()
      await asked
      return ok(request)
    },
  })
  const silent = connect(server.port, '127.0.0.1')
  const hungUp = new Promise<void>((resolve) => silent.once('close', () => resolve()))
  silent.on('error', () => undefined).resume()
  const tls = { ca: authorityOne }
  const request = host.request({ method: 'GET', url: server.url, tls })
  await arrived
  const closed = server.close({ graceMs: Infinity })
  await hungUp
  answer()
  expect(await readText((await request).body, 100)).toBe('ok')
  await closed
})
