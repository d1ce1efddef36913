import { X509Certificate } from 'node:crypto'
import { CertificateAuthority } from 'setpoint/certificates'
import { virtualHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { certificateEndMs, readCertificateRequest } from '../codec/index.ts'
import { signRequest } from './sign-request.ts'
import { madeRequest } from './testdata/made-request.ts'

const hourMs = 3600_000
const usages = ['key encipherment', 'digital signature', 'client auth', 'server auth']
const host = virtualHost({ seed: 1 })
const authority = new CertificateAuthority(host, { commonName: 'test' })
const subject = { commonName: 'robot', organizations: ['team-a', 'team-b'] }

test('reads the subject and the names of a request', () => {
  const read = readCertificateRequest(madeRequest({ ...subject, dns: ['a.example'] }))
  expect(read).toMatchObject(subject)
  expect(read?.names.dns.map((name) => new TextDecoder().decode(name))).toEqual(['a.example'])
  expect(read?.names.ip).toEqual([])
})

test.each([
  '',
  'YQ==',
  btoa('-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----'),
])('refuses to parse %j as a request', (text) => {
  expect(readCertificateRequest(text)).toBeUndefined()
  expect(certificateEndMs(text)).toBeUndefined()
})

test.each(['ec', 'rsa', 'ed25519'] as const)('signs a request with a key of type %s', (key) => {
  const request = madeRequest({ ...subject, key, dns: ['a.example', 'b.example'] })
  const cert = signRequest(authority, { request, usages, lifetimeMs: 24 * hourMs })
  const read = new X509Certificate(cert)
  expect(read.verify(new X509Certificate(authority.cert).publicKey)).toBe(true)
  expect(read.subject).toBe('O=team-a\nO=team-b\nCN=robot')
  expect(read.subjectAltName).toBe('DNS:a.example, DNS:b.example')
  expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  expect(read.ca).toBe(false)
  expect(read.publicKey.asymmetricKeyType).toBe(key)
  expect(certificateEndMs(btoa(cert))).toBe(Date.parse(read.validTo))
})

test('refuses a request that was signed with another key', () => {
  const request = madeRequest({ ...subject, isForged: true })
  expect(() => signRequest(authority, { request, usages, lifetimeMs: hourMs })).toThrow('signature')
})

test.each([
  ['does not shorten a short lifetime', hourMs, hourMs],
  ['backdates the begin of a long lifetime', 24 * hourMs, 24 * hourMs - 300_000],
  ['limits the lifetime to that of the CA', 1e6 * hourMs, 10 * 365 * 24 * hourMs],
])('%s', (_, lifetimeMs, expected) => {
  const request = madeRequest({ commonName: 'robot' })
  const cert = signRequest(authority, { request, usages, lifetimeMs })
  const endMs = certificateEndMs(btoa(cert)) ?? NaN
  expect(Math.abs(endMs - host.now() - expected)).toBeLessThan(1_000)
})
