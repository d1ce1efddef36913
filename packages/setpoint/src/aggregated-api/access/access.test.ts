import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { ClusterRole, ClusterRoleBinding, ConfigMap } from '../../kinds/index.ts'
import { hostLogger } from '../../log/index.ts'
import { virtualHost } from '../../host/index.ts'
import type { BoundedRequest } from '../../server/index.ts'
import { notesApi } from '../../start/testdata/notes-api.ts'
import { AggregatedApis } from '../aggregated-apis.ts'
import { FrontProxy } from './front-proxy.ts'
import { frontProxySettings, frontProxyUser } from './front-proxy-settings.ts'

const data = {
  'requestheader-client-ca-file': 'PEM',
  'requestheader-allowed-names': '["front-proxy-client"]',
  'requestheader-username-headers': '["X-Remote-User"]',
  'requestheader-uid-headers': '["X-Remote-Uid"]',
  'requestheader-group-headers': '["X-Remote-Group"]',
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
}
const certificate = (name: string, verified = true) => ({
  der: new Uint8Array(),
  subject: { CN: [name] },
  verified,
})

test('the user comes from the headers of a verified front proxy', () => {
  const lines: Record<string, string[]> = {
    'x-remote-user': ['jane'],
    'x-remote-group': ['a, system:masters', 'b'],
    'x-remote-extra-acme.com%2fscopes': ['one', 'two'],
  }
  const headers = Object.fromEntries(
    Object.entries(lines).map(([name, all]) => [name, all.join(', ')]),
  )
  const request = { headers, headerValues: (name: string) => lines[name] ?? [] }
  const user = (peer: object, settings = data as Record<string, string>) =>
    frontProxyUser(frontProxySettings(settings), { ...request, peer })
  expect(user({ certificate: certificate('front-proxy-client') })).toEqual({
    username: 'jane',
    uid: undefined,
    // A comma in the name of a group does not make two groups.
    groups: ['a, system:masters', 'b'],
    extra: { 'acme.com/scopes': ['one', 'two'] },
  })
  expect(user({ certificate: certificate('other') })).toBeUndefined()
  expect(user({ certificate: certificate('front-proxy-client', false) })).toBeUndefined()
  expect(user({})).toBeUndefined()
  const anyName = { ...data, 'requestheader-allowed-names': '[]' }
  expect(user({ certificate: certificate('other') }, anyName)).toMatchObject({ username: 'jane' })
  expect(user({ certificate: certificate('front-proxy-client') }, {})).toBeUndefined()
})

test('users are authorized by the API server, and decisions count for ten seconds', async () => {
  const host = virtualHost({ seed: 1 })
  await using cluster = await createCluster({ host, workloads: 'off' })
  const { client } = cluster
  const { declaration } = notesApi().api
  const { signal } = new AbortController()
  const log = hostLogger(host, { level: 'silent' })
  const options = { host, client, log, signal, onClientCa: () => undefined }
  const apis = new AggregatedApis([declaration.api ?? expect.fail('no API')], options)
  await apis.prepare()
  const { data: published } = await client.get(ConfigMap, {
    name: 'extension-apiserver-authentication',
    namespace: 'kube-system',
  })
  expect(apis.clientCa).toBe(published?.['requestheader-client-ca-file'])
  const ask = async (user: string, path = '/namespaces/default/notes/a') => {
    const request: BoundedRequest = {
      method: 'GET',
      path: `/apis/notes.example.com/v1${path}`,
      headers: { 'x-remote-user': user },
      headerValues: (name) => (name === 'x-remote-user' ? [user] : []),
      peer: { address: '127.0.0.1', certificate: certificate('front-proxy-client') },
      signal,
      text: async () => '',
    }
    const { body } = await apis.handle(request)
    return JSON.parse(body as string) as { code: number; message: string }
  }
  expect(await ask('bob')).toMatchObject({
    code: 403,
    reason: 'Forbidden',
    message:
      'notes.notes.example.com "a" is forbidden: User "bob" cannot get resource "notes" in API group "notes.example.com" in the namespace "default"',
    details: { name: 'a', group: 'notes.example.com', kind: 'notes' },
  })
  expect(await ask('bob', '/notes')).toMatchObject({
    message:
      'notes.notes.example.com is forbidden: User "bob" cannot list resource "notes" in API group "notes.example.com" at the cluster scope',
  })
  const metadata = { name: 'readers' }
  const apiGroup = 'rbac.authorization.k8s.io'
  const rules = [{ apiGroups: ['notes.example.com'], resources: ['notes'], verbs: ['get'] }]
  await client.create(ClusterRole, { metadata, rules })
  await client.create(ClusterRoleBinding, {
    metadata,
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'readers' },
    subjects: [{ apiGroup, kind: 'User', name: 'bob' }],
  })
  expect(await ask('bob')).toMatchObject({ code: 403 })
  await host.sleep(10_000)
  expect(await ask('bob')).toMatchObject({ code: 404 })
  const reviews = cluster.trace.filter(({ path }) => path.includes('subjectaccessreviews'))
  expect(reviews).toHaveLength(3)
  host.stop()
})

test('a new authority of the front proxy is used within a minute, and a lost one keeps the old', async () => {
  const host = virtualHost({ seed: 2 })
  await using cluster = await createCluster({ host, workloads: 'off' })
  const { client } = cluster
  const place = { name: 'extension-apiserver-authentication', namespace: 'kube-system' }
  const stopping = new AbortController()
  let changes = 0
  const onChange = () => void (changes += 1)
  const log = hostLogger(host, { level: 'silent' })
  const proxy = new FrontProxy({ host, client, log, onChange })
  await proxy.read()
  const running = proxy.run(stopping.signal)
  expect(changes).toBe(1)
  await client.patch(ConfigMap, place, { merge: { data } })
  await host.sleep(61_000)
  expect([proxy.settings?.clientCa, changes]).toEqual(['PEM', 2])
  await client.delete(ConfigMap, place)
  await host.sleep(61_000)
  expect([proxy.settings?.clientCa, changes, proxy.problem]).toEqual(['PEM', 2, undefined])
  stopping.abort()
  await running
  host.stop()
})
