import { expect, test } from 'vitest'
import { nodeHost, readText, virtualHost } from '../index.ts'
import type { Host, ServerRequest } from '../index.ts'
import { authorityOne, serverOne } from '../testdata/certificates.ts'

const hosts: Record<string, () => Host> = {
  'node host': () => nodeHost(),
  'virtual host': () => virtualHost({ seed: 5 }),
}

function onEveryHost(sentence: string, check: (host: Host) => Promise<void>): void {
  for (const [name, create] of Object.entries(hosts)) {
    test(`${sentence} (${name})`, () => check(create()))
  }
}

/** A proxy, which any server can be: it fetches the URL of its request. */
async function fetchingProxy(host: Host, status?: number) {
  const seen: ServerRequest[] = []
  const server = await host.listen({
    handle: async (request) => {
      seen.push(request)
      if (status !== undefined) return { status }
      const { method, path: url } = request
      return host.request({ method, url })
    },
  })
  return { url: server.url, seen, [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }) }
}

onEveryHost('sends the whole URL of an http target to the proxy', async (host) => {
  await using server = await host.listen({
    handle: async ({ path }) => Promise.resolve({ status: 200, body: `at ${path}` }),
  })
  await using proxy = await fetchingProxy(host)
  const url = `${server.url}/a%20b?c=d`
  const via = proxy.url.replace('//', '//me:secret@')
  const response = await host.request({ method: 'GET', url: `${url}#e`, proxy: via })
  expect(await readText(response.body, 100)).toBe('at /a%20b?c=d')
  expect(proxy.seen[0]).toMatchObject({
    path: url,
    headers: {
      host: `127.0.0.1:${server.port}`,
      'proxy-authorization': `Basic ${btoa('me:secret')}`,
    },
  })
})

onEveryHost('takes only a 407 as the refusal of a proxy', async (host) => {
  await using strict = await fetchingProxy(host, 407)
  const request = { method: 'GET', url: 'http://one.example/' }
  await expect(host.request({ ...request, proxy: strict.url })).rejects.toMatchObject({
    code: 'NETWORK_CONNECT_FAILED',
    message: expect.stringContaining(
      `the proxy ${strict.url} refused to connect to one.example:80: 407`,
    ) as string,
  })
  await using helpless = await fetchingProxy(host, 502)
  expect((await host.request({ ...request, proxy: helpless.url })).status).toBe(502)
  expect((await host.request({ ...request, url: strict.url })).status).toBe(407)
})

onEveryHost('names a proxy that cannot be reached', async (host) => {
  await using server = await host.listen({
    tls: serverOne,
    handle: () => Promise.resolve({ status: 200 }),
  })
  const gone = await host.listen({ handle: () => Promise.resolve({ status: 200 }) })
  await gone.close()
  const proxy = gone.url.replace('//', '//me:secret@')
  for (const url of [server.url, 'http://one.example/']) {
    const error: unknown = await host
      .request({ method: 'GET', url, proxy, tls: { ca: authorityOne } })
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      code: 'NETWORK_CONNECT_FAILED',
      message: expect.stringContaining(`the proxy ${gone.url} could not be reached: `) as string,
    })
    expect(String(error)).not.toContain('secret')
  }
})

onEveryHost('refuses an invalid proxy without showing it', async (host) => {
  for (const proxy of ['', 'me:secret@proxy', 'socks5://me:secret@p:1', 'http://me:secret%@p:1']) {
    const error: unknown = await host
      .request({ method: 'GET', url: 'http://one.example/', proxy })
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'HOST_MISUSED' })
    expect(String(error)).not.toContain('secret')
  }
})

test('passes a tunnel through any listening server of a virtual host, and no closed one', async () => {
  const host = virtualHost({ seed: 6 })
  await using server = await host.listen({
    hostname: 'api.example',
    port: 443,
    tls: serverOne,
    handle: async ({ path, headers }) =>
      Promise.resolve({ status: 200, body: `${path} of ${headers['host']}` }),
  })
  await using proxy = await fetchingProxy(host)
  const request = { method: 'GET', url: 'https://api.example/x', proxy: proxy.url }
  const response = await host.request(request)
  expect(await readText(response.body, 100)).toBe('/x of api.example')
  expect(proxy.seen).toEqual([])
  await expect(host.request({ ...request, url: 'https://none.example/' })).rejects.toMatchObject({
    code: 'NETWORK_CONNECT_FAILED',
  })
  const wrong = { ...request, proxy: proxy.url.replace('http:', 'https:') }
  await expect(host.request(wrong)).rejects.toMatchObject({ code: 'NETWORK_TLS_FAILED' })
  await expect(host.request({ ...request, proxy: 'http://api.example:443' })).rejects.toMatchObject(
    { code: 'NETWORK_CONNECT_FAILED' },
  )
  expect(server.port).toBe(443)
})
