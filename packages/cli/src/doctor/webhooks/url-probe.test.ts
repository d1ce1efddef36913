import { CertificateAuthority } from 'setpoint/certificates'
import { nodeHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import type { CalledServer } from './called-servers.ts'
import { probeOwnUrls, probeUrl } from './url-probe.ts'

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

test('any response of a trusted server shows that it is reachable', async () => {
  const { server, url, requests } = await listen()
  await using _ = server
  expect(await probeUrl(host, { url, caBundle: btoa(authority.cert) })).toEqual({
    result: 'reached',
  })
  expect(requests).toEqual(['GET'])
})

test('a server whose certificate the CA bundle does not trust gets no request', async () => {
  const { server, url, requests } = await listen()
  await using _ = server
  for (const caBundle of [btoa(other.cert), undefined]) {
    expect(await probeUrl(host, { url, caBundle })).toMatchObject({ result: 'untrusted' })
  }
  expect(requests).toEqual([])
})

test('an address without a server is unreachable', async () => {
  const { server, url } = await listen()
  await server.close()
  expect(await probeUrl(host, { url, caBundle: btoa(authority.cert) })).toMatchObject({
    result: 'unreachable',
    why: expect.stringContaining('127.0.0.1') as string,
  })
})

test('doctor calls only the URLs of the project', async () => {
  const { server, url, requests } = await listen()
  await using _ = server
  const called = (isOwn: boolean): CalledServer => ({
    title: 'ValidatingWebhookConfiguration shop',
    isOwn,
    service: undefined,
    url,
    caBundle: btoa(authority.cert),
    isInsecure: false,
  })
  const own = called(true)
  const probes = await probeOwnUrls(host, [own, called(false)])
  expect([...probes]).toEqual([[own, { result: 'reached' }]])
  expect(requests).toHaveLength(1)
})
