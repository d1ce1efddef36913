import { expect, test } from 'vitest'
import type { CertificateRequest } from '../../codec/index.ts'
import { requestExpiryMs } from './request-expiry.ts'
import { hasCondition, lifetimeMsOf, signerDecision, type RequestObject } from './signer-rules.ts'

type Spec = Partial<RequestObject['spec']>

const createdMs = Date.UTC(2026, 0, 1)
const hourMs = 3600_000
const time = (ms: number): string => new Date(ms).toISOString()

function aRequest(spec: Spec, status: NonNullable<RequestObject['status']> = {}): RequestObject {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'r', uid: 'r', resourceVersion: '1', creationTimestamp: time(createdMs) },
    spec: { request: '', signerName: 'kubernetes.io/kube-apiserver-client', ...spec },
    status,
  }
}

const no = new Uint8Array()
const names = { dns: [], email: [], ip: [], uri: [] }

function requested(what: Partial<CertificateRequest> = {}): CertificateRequest {
  return {
    commonName: 'system:node:a',
    organizations: ['system:nodes'],
    names,
    subject: no,
    publicKey: no,
    body: no,
    algorithm: '',
    signature: no,
    ...what,
  }
}

const kubeletClient = 'kubernetes.io/kube-apiserver-client-kubelet'
const serving = 'kubernetes.io/kubelet-serving'
const clientUses = ['client auth', 'digital signature', 'key encipherment'] as const
const serverUses = ['server auth', 'digital signature'] as const
const place = { ...names, dns: [no] }
const dnsNames = { names: place }

test.each([
  ['kubernetes.io/kube-apiserver-client', ['client auth'], {}, undefined],
  [
    'kubernetes.io/kube-apiserver-client',
    ['client auth', 'crl sign'],
    {},
    'invalid usage for client certificate: crl sign',
  ],
  [
    'kubernetes.io/kube-apiserver-client',
    ['digital signature'],
    {},
    'missing required usage for client certificate: client auth',
  ],
  [kubeletClient, clientUses, {}, undefined],
  [kubeletClient, ['digital signature', 'client auth'], {}, undefined],
  [
    kubeletClient,
    ['client auth'],
    {},
    'usages did not match [client auth digital signature key encipherment]',
  ],
  [
    kubeletClient,
    clientUses,
    { organizations: ['system:nodes', 'x'] },
    'subject organization is not system:nodes',
  ],
  [
    kubeletClient,
    clientUses,
    { commonName: 'a' },
    'subject common name does not begin with system:node:',
  ],
  [kubeletClient, clientUses, dnsNames, 'DNS subjectAltNames are not allowed'],
  [
    kubeletClient,
    clientUses,
    { names: { ...names, ip: [no] } },
    'IP subjectAltNames are not allowed',
  ],
  [serving, serverUses, dnsNames, undefined],
  [serving, serverUses, {}, 'DNS or IP subjectAltName is required'],
  [
    serving,
    serverUses,
    { names: { ...place, email: [no] } },
    'Email subjectAltNames are not allowed',
  ],
  [serving, serverUses, { names: { ...place, uri: [no] } }, 'URI subjectAltNames are not allowed'],
  [
    serving,
    clientUses,
    dnsNames,
    'usages did not match [digital signature key encipherment server auth]',
  ],
  [
    serving,
    serverUses,
    { ...dnsNames, commonName: 'a' },
    'subject common name does not begin with system:node:',
  ],
] as const)('%s for %j with %j: %s', (...[signerName, usages, what, refusal]) => {
  const decision = signerDecision(aRequest({ signerName, usages }), requested(what))
  expect(decision).toEqual({ isResponsible: true, ...(refusal !== undefined && { refusal }) })
})

test('ignores other signers', () => {
  const request = aRequest({ signerName: 'example.com/x', usages: [] })
  expect(signerDecision(request, requested())).toEqual({ isResponsible: false })
})

test.each([
  [undefined, 365 * 24 * hourMs],
  [7200, 2 * hourMs],
  [1, 600_000],
  [2_000_000_000, 365 * 24 * hourMs],
])('for %s seconds, signs for %i ms', (expirationSeconds, expected) => {
  const spec = expirationSeconds === undefined ? {} : { expirationSeconds }
  expect(lifetimeMsOf(aRequest(spec))).toBe(expected)
})

test.each([
  ['pending', [], '', 24],
  ['denied', ['Denied'], '', 2],
  ['failed', ['Approved', 'Failed'], '', 2],
  ['approved and never signed', ['Approved'], '', 25],
  ['approved and signed', ['Approved'], 'YQ==', 2],
] as const)('keeps a request that is %s for its time', (...[, types, certificate, hours]) => {
  const conditions = types.map((type) => ({
    type,
    status: 'True',
    lastUpdateTime: time(createdMs + hourMs),
  }))
  const request = aRequest({}, { conditions, certificate })
  for (const type of types) expect(hasCondition(request, type)).toBe(true)
  expect(requestExpiryMs(request)).toBe(createdMs + hours * hourMs)
})
