import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  X509Certificate,
} from 'node:crypto'
import { expect, test } from 'vitest'
import { isSetpointError } from '../errors/index.ts'
import { nodeHost, readText, virtualHost } from '../host/index.ts'
import { alternativeName } from './alternative-name.ts'
import { CertificateAuthority } from './index.ts'
import { opensslAuthority } from './testdata/openssl-authority.ts'

const dayMs = 24 * 3600_000
const host = virtualHost({ seed: 1 })
const authority = new CertificateAuthority(host, { commonName: 'test' })
const server = { use: 'server', hosts: ['a.svc'] } as const

test('private keys have their public part, which some clients need', () => {
  const { key } = authority.issue('robot', { use: 'client', groups: [] })
  const der = createPrivateKey(key).export({ format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  expect(der.includes(Buffer.from(x, 'base64url'))).toBe(true)
})

test('an authority continues from its saved credential', () => {
  const again = new CertificateAuthority(host, { saved: authority.credential() })
  expect(again.cert).toBe(authority.cert)
  const cert = new X509Certificate(again.issue('robot', server).cert)
  expect(cert.checkIssued(new X509Certificate(authority.cert))).toBe(true)
  expect(cert.verify(new X509Certificate(authority.cert).publicKey)).toBe(true)
})

test.each([
  [
    'another key',
    {
      cert: authority.cert,
      key: new CertificateAuthority(host, { commonName: 'b' }).credential().key,
    },
  ],
  ['a certificate that is not a CA', authority.issue('robot', server)],
  [
    'a key of another type',
    {
      cert: authority.cert,
      key: generateKeyPairSync('ed25519')
        .privateKey.export({ format: 'pem', type: 'pkcs8' })
        .toString(),
    },
  ],
])('refuses a saved authority with %s', (_, saved) => {
  const open = () => new CertificateAuthority(host, { saved })
  expect(codeOf(open)).toBe('CERTIFICATE_INVALID')
})

test('lifetimes are options, and no certificate outlives its authority', () => {
  const short = new CertificateAuthority(host, { commonName: 'short', lifetime: '30d' })
  const days = (cert: string) =>
    Math.round((Date.parse(new X509Certificate(cert).validTo) - host.now()) / dayMs)
  expect(days(authority.cert)).toBe(3650)
  expect(days(short.cert)).toBe(30)
  expect(days(short.issue('a', server).cert)).toBe(30)
  expect(days(short.issue('a', { ...server, lifetime: '7d' }).cert)).toBe(7)
  expect(days(short.issue('a', { ...server, lifetime: '90d' }).cert)).toBe(30)
})

test('dates before and after 2050 are readable', () => {
  const long = new CertificateAuthority(host, { commonName: 'long', lifetime: '36500d' })
  const { validFrom, validTo } = new X509Certificate(long.cert)
  expect([validFrom, validTo]).toEqual(['Dec 31 23:55:00 2029 GMT', 'Dec  8 00:00:00 2129 GMT'])
})

test.each([
  ['web.default.svc', 'DNS:web.default.svc'],
  ['*.default.svc', 'DNS:*.default.svc'],
  ['10.96.0.1', 'IP Address:10.96.0.1'],
  ['::1', 'IP Address:0:0:0:0:0:0:0:1'],
  ['fd00::a:1', 'IP Address:FD00:0:0:0:0:0:A:1'],
  ['1:2:3:4:5:6:7:8', 'IP Address:1:2:3:4:5:6:7:8'],
  ['1:2:3:4:5:6:7::', 'IP Address:1:2:3:4:5:6:7:0'],
  ['::ffff:10.0.0.1', 'IP Address:0:0:0:0:0:FFFF:A00:1'],
])('a certificate for the host %s has the name %s', (name, expected) => {
  const { cert } = authority.issue('robot', { use: 'server', hosts: [name] })
  const read = new X509Certificate(cert)
  expect(read.subjectAltName).toBe(expected)
  expect(read.raw.includes(Buffer.from(alternativeName(name)))).toBe(true)
  expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
})

test.each([
  '',
  'a b',
  'a:443',
  'https://a',
  '1:2',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7:8:9',
  '12345::',
  '1:2:3:4:5:6:7::8',
  'ä.svc',
  '-a',
])('refuses the host %j', (name) => {
  expect(codeOf(() => alternativeName(name))).toBe('CERTIFICATE_INVALID')
})

test.each(['first', 'second'] as const)(
  'OpenSSL finds the %s of two authorities with the same name',
  async (signer) => {
    const real = nodeHost()
    const authorities = {
      first: new CertificateAuthority(real, { commonName: 'same' }),
      second: new CertificateAuthority(real, { commonName: 'same' }),
    }
    const tls = authorities[signer].issue('server', { use: 'server', hosts: ['localhost'] })
    await using listening = await real.listen({
      tls,
      handle: async () => ({ status: 200, body: 'ok' }),
    })
    const url = listening.url.replace('127.0.0.1', 'localhost')
    const ca = authorities.first.cert + authorities.second.cert
    const response = await real.request({ method: 'GET', url, tls: { ca } })
    expect(await readText(response.body, 100)).toBe('ok')
    const other = authorities[signer === 'first' ? 'second' : 'first'].cert
    await expect(real.request({ method: 'GET', url, tls: { ca: other } })).rejects.toThrow(
      'unable to verify',
    )
  },
)

test('continues an authority that another program has created', () => {
  const foreign = new X509Certificate(opensslAuthority.cert)
  const again = new CertificateAuthority(nodeHost(), { saved: opensslAuthority })
  const cert = new X509Certificate(again.issue('robot', server).cert)
  expect(cert.issuer).toBe('O=Example\nCN=made by openssl')
  expect(cert.checkIssued(foreign)).toBe(true)
  expect(cert.verify(foreign.publicKey)).toBe(true)
})

function codeOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return isSetpointError(error) ? error.code : String(error)
  }
}
