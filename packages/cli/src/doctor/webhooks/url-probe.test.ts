import { CertificateAuthority } from 'setpoint/certificates'
import { nodeHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import type { CalledServer } from './called-servers.ts'
import { probeOwnUrls } from './url-probe.ts'

const host = nodeHost({ log: () => undefined })
const authority = new CertificateAuthority(host, { commonName: 'hooks' })
const other = new CertificateAuthority(host, { commonName: 'other' })

async function listen() {
  const tls = authority.issue('hooks', { use: 'server', hosts: ['127.0.0.1'] })
  const requests: string[] = []
  const server = await host.listen({
    tls,
    handle: async ({ method }) => {
      requests.push(method)
      return { status: 405, headers: {}, body: new Uint8Array() }
    },
  })
  return { server, requests, url: `${server.url}/validate` }
}

function called(url: string, rest: Partial<CalledServer> = {}): CalledServer {
  return {
    title: 'ValidatingWebhookConfiguration shop',
    isOwn: true,
    service: undefined,
    url,
    caBundle: btoa(authority.cert),
    isInsecure: false,
    ...rest,
  }
}

async function probe(server: CalledServer): Promise<unknown> {
  return (await probeOwnUrls(host, [server])).get(server)
}

test('any response of a trusted server shows that it is reachable', async () => {
  const { server, url, requests } = await listen()
  await using _ = server
  expect(await probe(called(url))).toEqual({ result: 'reached' })
  expect(requests).toEqual(['GET'])
})

test('a server whose certificate the CA bundle does not trust gets no request', async () => {
  const { server, url, requests } = await listen()
  await using _ = server
  for (const caBundle of [btoa(other.cert), undefined]) {
    expect(await probe(called(url, { caBundle }))).toMatchObject({ result: 'untrusted' })
  }
  expect(requests).toEqual([])
})

test('an address without a server is unreachable', async () => {
  const { server, url } = await listen()
  await server.close()
  expect(await probe(called(url))).toMatchObject({
    result: 'unreachable',
    why: expect.stringContaining('127.0.0.1') as string,
  })
})

test('doctor does not call the URLs of other programs', async () => {
  const { server, url, requests } = await listen()
  await using _ = server
  expect(await probe(called(url, { isOwn: false }))).toBeUndefined()
  expect(requests).toEqual([])
})
