import { CertificateAuthority } from 'setpoint/certificates'
import { virtualHost } from 'setpoint/host'
import type {
  APIService,
  CustomResourceDefinition,
  EndpointSlice,
  Namespace,
  Secret,
  Service,
  ValidatingWebhookConfiguration,
} from 'setpoint/kinds'
import { describe, expect, test } from 'vitest'
import { calledServers, type OwnNames } from './called-servers.ts'
import { lockFindings } from './lock-findings.ts'
import { serverFindings } from './server-findings.ts'
import { storedVersionFindings } from './stored-version-findings.ts'
import type { UrlProbe } from './url-probe.ts'

const host = virtualHost({ seed: 1 })
const authority = new CertificateAuthority(host, { commonName: 'shop', lifetime: '100d' })
const other = new CertificateAuthority(host, { commonName: 'other' })
const dayMs = 24 * 3_600_000

type ServerState = Parameters<typeof serverFindings>[1]
type Webhook = NonNullable<ValidatingWebhookConfiguration['webhooks']>[number]

const own: OwnNames = {
  webhooks: new Set(['own.example.com']),
  definitions: new Set(['disks.example.com']),
  apiServices: new Set(['v1.api.example.com']),
}

const service = { namespace: 'shop', name: 'hooks' }
const caBundle = btoa(authority.cert)

function configuration(webhook: Partial<Webhook>): ValidatingWebhookConfiguration {
  const clientConfig = { service, caBundle }
  const one = { name: 'own.example.com', clientConfig, ...webhook }
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'shop' },
    webhooks: [one],
  } as unknown as ValidatingWebhookConfiguration
}

const found = {
  services: [{ metadata: service, spec: { ports: [{ port: 443 }] } }] as unknown as Service[],
  endpointSlices: [
    {
      metadata: { namespace: 'shop', labels: { 'kubernetes.io/service-name': 'hooks' } },
      endpoints: [{ conditions: { ready: true } }],
    },
  ] as unknown as EndpointSlice[],
  secrets: [] as Secret[],
  probes: new Map(),
  nowMs: host.now(),
} satisfies ServerState

function secretOf({ cert }: { readonly cert: string }): Secret[] {
  const data = { 'tls.crt': btoa(cert) }
  return [{ metadata: { namespace: 'shop', name: 'hooks-tls' }, data }] as unknown as Secret[]
}

const issue = (by: CertificateAuthority, lifetime: '1d' | '30d'): { readonly cert: string } =>
  by.issue('hooks', { use: 'server', hosts: ['hooks.shop.svc'], lifetime })

describe('the server of an own webhook', () => {
  test.each<[string, readonly [Partial<Webhook>, Partial<ServerState>], readonly [string, string]]>(
    [
      ['is fine', [{}, {}], ['fine', 'ready endpoints and a valid certificate']],
      [
        'has no Service',
        [{}, { services: [] }],
        ['wrong', 'the Service shop/hooks does not exist'],
      ],
      [
        'has a Service without the port',
        [{ clientConfig: { service: { ...service, port: 8443 }, caBundle } }, {}],
        ['wrong', 'the Service shop/hooks has no port 8443'],
      ],
      [
        'has no ready pod',
        [
          {},
          {
            endpointSlices: found.endpointSlices.map((slice) => ({
              ...slice,
              endpoints: [{ addresses: [], conditions: { ready: false } }],
            })),
          },
        ],
        ['wrong', 'the Service shop/hooks has no ready endpoints'],
      ],
      ['has no caBundle', [{ clientConfig: { service } }, {}], ['wrong', 'it has no caBundle']],
      [
        'has a caBundle that is not a certificate',
        [{ clientConfig: { service, caBundle: btoa('x') } }, {}],
        ['wrong', 'the caBundle is not readable'],
      ],
      [
        'has an expired caBundle',
        [{}, { nowMs: host.now() + 101 * dayMs }],
        ['wrong', 'expired at'],
      ],
      [
        'has a caBundle that ends soon',
        [{}, { nowMs: host.now() + 95 * dayMs }],
        ['note', 'expires at'],
      ],
      [
        'has a certificate of another authority',
        [{}, { secrets: secretOf(issue(other, '30d')) }],
        ['wrong', 'no authority that signed'],
      ],
      [
        'has a certificate that ends soon',
        [{}, { secrets: secretOf(issue(authority, '1d')) }],
        ['note', 'the certificate of its server expires at'],
      ],
      [
        'has a valid certificate',
        [{}, { secrets: secretOf(issue(authority, '30d')) }],
        ['fine', ''],
      ],
    ],
  )('%s', (_, [webhook, state], [expected, message]) => {
    const objects = { definitions: [], apiServices: [], configurations: [configuration(webhook)] }
    const findings = serverFindings(calledServers(objects, own), { ...found, ...state })
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({
      subject: 'ValidatingWebhookConfiguration shop',
      state: expected,
      message: expect.stringContaining(message) as string,
    })
  })
})

describe('the server of an own webhook with a URL', () => {
  const url = 'https://hooks.example.com/validate'
  test.each<[string, UrlProbe, readonly [string, string]]>([
    ['responds', { result: 'reached' }, ['fine', `this machine reaches ${url}`]],
    [
      'is not trusted',
      { result: 'untrusted', why: 'unable to verify' },
      ['wrong', 'every call fails: unable to verify'],
    ],
    [
      'does not respond here, but may for the API server',
      { result: 'unreachable', why: 'refused' },
      ['note', 'this machine does not reach its URL: refused'],
    ],
  ])('%s', (_, probe, [state, message]) => {
    const configurations = [configuration({ clientConfig: { url, caBundle } })]
    const servers = calledServers({ definitions: [], apiServices: [], configurations }, own)
    const probes = new Map(servers.map((server) => [server, probe]))
    expect(serverFindings(servers, { ...found, probes })).toMatchObject([
      { state, message: expect.stringContaining(message) as string },
    ])
  })
})

test('CRDs and APIServices are checked too, and other programs get notes', () => {
  const definition = (name: string): CustomResourceDefinition =>
    ({
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: {
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { service: { namespace: 'shop', name: 'gone' }, caBundle } },
        },
      },
    }) as unknown as CustomResourceDefinition
  const apiServices = [
    { kind: 'APIService', metadata: { name: 'v1.' }, spec: {} },
    {
      kind: 'APIService',
      metadata: { name: 'v1.api.example.com' },
      spec: { service, insecureSkipTLSVerify: true },
    },
  ] as unknown as APIService[]
  const definitions = [definition('disks.example.com'), definition('others.example.com')]
  const servers = calledServers({ configurations: [], definitions, apiServices }, own)
  const findings = serverFindings(servers, found)
  expect(findings.map(({ subject, state }) => [subject, state])).toEqual([
    ['CustomResourceDefinition disks.example.com', 'wrong'],
    ['CustomResourceDefinition others.example.com', 'note'],
    ['APIService v1.api.example.com', 'note'],
  ])
})

describe('a webhook that could lock the cluster', () => {
  type Operation = NonNullable<NonNullable<Webhook['rules']>[number]['operations']>[number]
  const rule = (group: string, resource: string, operation: Operation = '*') => ({
    apiGroups: [group],
    apiVersions: ['*'],
    operations: [operation],
    resources: [resource],
  })
  const not = (...values: string[]): NonNullable<Webhook['namespaceSelector']> => ({
    matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values }],
  })
  const namespaces = [
    { metadata: { name: 'shop', labels: { env: 'production' } } },
  ] as unknown as Namespace[]

  test.each<[string, Partial<Webhook>, string[]]>([
    ['matches everything', { rules: [rule('*', '*/*')] }, ['matches all resources']],
    ['ignores failures', { rules: [rule('*', '*')], failurePolicy: 'Ignore' }, []],
    [
      'reviews pods everywhere',
      { rules: [rule('', 'pods', 'CREATE')] },
      ['resources in kube-system', 'the pods of its own namespace shop'],
    ],
    [
      'reviews Leases',
      { rules: [rule('coordination.k8s.io', 'leases')] },
      ['resources in kube-system'],
    ],
    [
      'excludes kube-system only',
      { rules: [rule('', 'pods')], namespaceSelector: not('kube-system') },
      ['the pods of its own namespace shop'],
    ],
    [
      'excludes both namespaces',
      { rules: [rule('', 'pods')], namespaceSelector: not('kube-system', 'shop') },
      [],
    ],
    [
      'excludes namespaces by their labels',
      {
        rules: [rule('', 'pods')],
        namespaceSelector: { matchLabels: { env: 'test' } },
      },
      [],
    ],
    ['reviews deletions', { rules: [rule('', 'pods', 'DELETE')] }, []],
    ['reviews a subresource', { rules: [rule('', 'pods/exec')] }, []],
    ['reviews its own kind', { rules: [rule('example.com', 'disks')] }, []],
    [
      'reviews objects with a label',
      { rules: [rule('', 'pods')], objectSelector: { matchLabels: { a: 'b' } } },
      [],
    ],
    [
      'waits long',
      { rules: [rule('', 'configmaps')], failurePolicy: 'Ignore', timeoutSeconds: 30 },
      ['by up to 30 seconds'],
    ],
  ])('%s', (_, webhook, messages) => {
    const findings = lockFindings([configuration(webhook)], { own, namespaces })
    expect(findings).toHaveLength(messages.length)
    for (const [index, message] of messages.entries()) {
      expect(findings[index]?.message).toContain(message)
    }
  })

  test('is a problem of the project, and a note for others or with conditions', () => {
    const states = (webhook: Partial<Webhook>): string[] =>
      lockFindings([configuration(webhook)], { own, namespaces }).map(({ state }) => state)
    const rules = [rule('*', '*')]
    expect(states({ rules })).toEqual(['wrong'])
    expect(states({ rules, name: 'other.example.com' })).toEqual(['note'])
    const matchConditions = [{ name: 'a', expression: 'false' }]
    expect(states({ rules, matchConditions })).toEqual(['note'])
  })
})

test('names setpoint migrate if objects may be stored in an old version', () => {
  const definition = (name: string, storedVersions: string[]): CustomResourceDefinition =>
    ({
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: { versions: [{ name: 'v1' }, { name: 'v2', storage: true }] },
      status: { storedVersions },
    }) as unknown as CustomResourceDefinition
  expect(storedVersionFindings([definition('disks.example.com', ['v2'])], own)).toEqual([])
  expect(storedVersionFindings([definition('others.example.com', ['v1', 'v2'])], own)).toEqual([])
  expect(storedVersionFindings([definition('disks.example.com', ['v1', 'v2'])], own)).toEqual([
    {
      subject: 'CustomResourceDefinition disks.example.com',
      state: 'note',
      message: 'objects may be stored as v1; the storage version is v2',
      fix: 'setpoint migrate disks.example.com',
    },
  ])
})
