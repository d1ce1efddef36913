import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { problem } from '../admission/index.ts'
import { CertificateAuthority } from '../certificates/index.ts'
import { defineResource } from '../definition/index.ts'
import type { VirtualHost } from '../host/index.ts'
import {
  ConfigMap,
  Deployment,
  EndpointSlice,
  Namespace,
  Secret,
  ValidatingWebhookConfiguration,
} from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { rbacFor } from '../operator/index.ts'
import { createIdleWorld, createWorld, createWorldWith } from './testdata/world.ts'

const App = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  spec: z.object({ image: z.string(), replicas: z.int32().default(1) }),
})

const apps = operator(App)
  .validate(({ spec }) => [
    ...(spec.replicas > 100 ? [problem('spec.replicas', 'at most 100 per application')] : []),
  ])
  .mutate((app) => ({ ...app, spec: { ...app.spec, image: `${app.spec.image}@sha256:1` } }))

test('a function refuses an object, with the causes of an API server', async () => {
  await using world = await createWorld(apps)
  const { client } = world
  const created = await client.create(App, { metadata: { name: 'a' }, spec: { image: 'web' } })
  expect(created.spec.image).toBe('web@sha256:1')
  const refused = client.create(App, {
    metadata: { name: 'b' },
    spec: { image: 'w', replicas: 200 },
  })
  await expect(refused).rejects.toMatchObject({
    status: {
      code: 422,
      reason: 'Invalid',
      message:
        'admission webhook "validate.apps.example.com" denied the request: App.example.com "b" is invalid: spec.replicas: Invalid value: 200: at most 100 per application',
      details: {
        causes: [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: 200: at most 100 per application',
            field: 'spec.replicas',
          },
        ],
      },
    },
  })
})

test('functions review built-in kinds, updates, deletions and subresources', async () => {
  const reviewed: string[] = []
  const maps = operator(ConfigMap, { name: 'maps' })
    .validate(
      ({ data }, { operation, old, user }) => {
        reviewed.push(`${operation} ${old?.data?.['x']} to ${data?.['x']} by ${user.username}`)
        return operation === 'DELETE' && data?.['keep'] === 'yes' ? ['it is still used'] : []
      },
      { operations: ['CREATE', 'UPDATE', 'DELETE'] },
    )
    .mutate((draft) => {
      draft.metadata.labels = { ...draft.metadata.labels, team: 'a' }
    })
  const scaled = operator(Deployment, { name: 'scales' }).validate(
    ({ spec }) => ((spec?.replicas ?? 0) > 3 ? [problem('spec.replicas', 'at most 3')] : []),
    { subresource: 'scale', operations: ['UPDATE'] },
  )
  await using world = await createWorld(maps, scaled)
  const { client } = world
  const created = await client.create(ConfigMap, { metadata: { name: 'm' }, data: { x: '1' } })
  expect(created.metadata.labels).toEqual({ team: 'a' })
  await client.patch(ConfigMap, 'm', { merge: { data: { x: '2', keep: 'yes' } } })
  await expect(client.delete(ConfigMap, 'm')).rejects.toMatchObject({
    status: { code: 403, message: expect.stringContaining('it is still used') as string },
  })
  expect(reviewed).toEqual([
    'CREATE undefined to 1 by admin',
    'UPDATE 1 to 2 by admin',
    'DELETE 2 to 2 by admin',
  ])
  const metadata = { name: 'web' }
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  }
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template }
  await client.create(Deployment, { metadata, spec })
  await client.setScale(Deployment, 'web', { replicas: 3 })
  await expect(client.setScale(Deployment, 'web', { replicas: 4 })).rejects.toMatchObject({
    status: { code: 422, details: { causes: [{ field: 'spec.replicas' }] } },
  })
})

test('kube-system is not reviewed, so that a broken webhook cannot lock it', async () => {
  const strict = operator(ConfigMap, { name: 'strict' }).validate(() => ['never'])
  await using world = await createWorld(strict)
  const { client, running } = world
  await client.apply(Namespace, { metadata: { name: 'kube-system' } })
  const metadata = { name: 'm', namespace: 'kube-system' }
  await client.create(ConfigMap, { metadata })
  await expect(client.create(ConfigMap, { metadata: { name: 'm' } })).rejects.toThrow('never')
  await running.stop()
  await client.create(ConfigMap, { metadata: { ...metadata, name: 'other' } })
  await expect(client.create(ConfigMap, { metadata: { name: 'm' } })).rejects.toThrow(
    /failed calling webhook .*connection refused/,
  )
})

test('a function that never returns is a refusal before the deadline of the server', async () => {
  const hanging = operator(ConfigMap, { name: 'hanging' }).validate(
    async function checkDatabase() {
      return new Promise<never>(() => undefined)
    },
    { timeout: '5s' },
  )
  await using world = await createWorld(hanging)
  const { client, host } = world
  const before = host.monotonicMs()
  await expect(client.create(ConfigMap, { metadata: { name: 'm' } })).rejects.toMatchObject({
    status: {
      code: 500,
      message:
        'admission webhook "check-database.configmaps.hanging.setpoint.dev" denied the request: the function check-database of .validate for ConfigMap failed: it did not return within 4.5 s',
    },
  })
  expect(host.monotonicMs() - before).toBeLessThan(5_000)
  expect(loggedPlaces(host)).toEqual([
    expect.stringMatching(/^start\/admission\.test\.ts:\d+:\d+$/),
  ])
})

test('the log names the line that threw, and where a function is declared that threw nothing', async () => {
  const failing = operator(ConfigMap, { name: 'failing' })
    .validate(async () => Promise.reject(new Error('no database')), { id: 'rejects' })
    .validate(() => 'text' as never, { id: 'returns-text', objectSelector: { text: 'yes' } })
  await using world = await createWorld(failing)
  const { client, host } = world
  const created = client.create(ConfigMap, { metadata: { name: 'm', labels: { text: 'yes' } } })
  await expect(created).rejects.toThrow('no database')
  const lines = readFileSync(new URL(import.meta.url), 'utf8').split('\n')
  const named = loggedPlaces(host).map((place) => lines[Number(place?.split(':')[1]) - 1]?.trim())
  expect(named.toSorted()).toEqual([
    ".validate(() => 'text' as never, { id: 'returns-text', objectSelector: { text: 'yes' } })",
    ".validate(async () => Promise.reject(new Error('no database')), { id: 'rejects' })",
  ])
})

/** The places in sources that the errors in the log name. */
function loggedPlaces({ logged }: VirtualHost): (string | undefined)[] {
  return logged
    .map((line) => JSON.parse(line) as { readonly level: number; readonly at?: string })
    .filter(({ level }) => level === 50)
    .map(({ at }) => at)
}

test('a function gets the headers and the client certificate of the API server', async () => {
  const seen: unknown[] = []
  const curious = operator(ConfigMap, { name: 'curious' }).validate((_, { caller }) => {
    seen.push([caller.headers['user-agent'], caller.certificate?.subject['CN']])
  })
  await using world = await createWorld(curious)
  const { client, host, running } = world
  await client.create(ConfigMap, { metadata: { name: 'm' } })
  const authority = new CertificateAuthority(host, { commonName: 'own' })
  const kind = { group: '', version: 'v1', kind: 'ConfigMap' }
  const resource = { group: '', version: 'v1', resource: 'configmaps' }
  const request = { uid: 'u', kind, resource, operation: 'CREATE', userInfo: {}, object: {} }
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }
  const { status } = await host.request({
    method: 'POST',
    url: `${running.webhooksUrl}/validate/curious/validate`,
    headers: { 'content-type': 'application/json', 'user-agent': 'another' },
    body: new TextEncoder().encode(JSON.stringify(review)),
    tls: authority.issue('api-server', { use: 'client', groups: [] }),
  })
  expect(status).toBe(200)
  expect(seen).toEqual([
    [expect.stringMatching(/^kube-apiserver-admission/), undefined],
    ['another', ['api-server']],
  ])
})

test('an operator that only reviews reads nothing, and works on a standby', async () => {
  const only = operator(Secret, { name: 'only' }).validate(() => ['no Secrets'])
  expect(rbacFor([only])).toEqual([])
  const election = { name: 'lease', namespace: 'default', identity: 'one' }
  await using world = await createWorldWith({ election, probes: {} }, only)
  const { client, cluster, host, running } = world
  await expect(client.create(Secret, { metadata: { name: 's' } })).rejects.toThrow('no Secrets')
  const lists = cluster.trace.filter(({ path, verb }) => /secrets/.test(path) && verb !== 'create')
  expect(lists).toEqual([])
  const { status } = await host.request({ method: 'GET', url: `${running.probesUrl}/readyz` })
  expect(status).toBe(200)
})

test('with install, a process registers its functions itself', async () => {
  await using world = await createIdleWorld([])
  const running = await world.start([apps], { install: true, webhooks: {} })
  const image = 'web'
  const created = await world.client.create(App, { metadata: { name: 'a' }, spec: { image } })
  expect(created.spec.image).toBe('web@sha256:1')
  const [configuration] = await world.client.listAll(ValidatingWebhookConfiguration)
  expect(configuration?.webhooks?.[0]?.clientConfig.url).toMatch(
    /^https:\/\/127\.0\.0\.1:\d+\/validate/,
  )
  await running.stop()
})

test('a process on the machine of a developer removes its registrations at the end', async () => {
  await using world = await createIdleWorld([])
  const webhooks = { removeOnStop: true }
  const running = await world.start([apps], { install: true, webhooks })
  expect(await world.client.listAll(ValidatingWebhookConfiguration)).toHaveLength(1)
  await running.stop()
  expect(await world.client.listAll(ValidatingWebhookConfiguration)).toEqual([])
  await world.client.create(App, { metadata: { name: 'a' }, spec: { image: 'web' } })
})

test('with webhooks: false, a process serves no functions, and says so', async () => {
  await using world = await createIdleWorld([App])
  const running = await world.start([apps], { webhooks: false })
  expect(running.webhooksUrl).toBeUndefined()
  expect(world.host.logged.join('')).toContain('does not serve the webhooks')
  await running.stop()
})

test('an operator with functions does not start without an address for them', async () => {
  await using world = await createIdleWorld([App])
  // As of a cluster in containers, whose API server does not reach this machine.
  await world.client.create(EndpointSlice, {
    metadata: { namespace: 'default', name: 'kubernetes' },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['172.18.0.2'] }],
    ports: [{ name: 'https', port: 6443 }],
  })
  await expect(world.start([apps])).rejects.toThrow(
    'apps.example.com has webhooks, but the option webhooks is not set',
  )
})

test('the metrics of webhooks have the names of controller-runtime', async () => {
  await using world = await createWorld(apps)
  await world.client.create(App, { metadata: { name: 'a' }, spec: { image: 'web' } })
  const text = world.running.metrics.text()
  const webhook = 'webhook="/validate/apps.example.com/validate"'
  expect(text).toContain(`controller_runtime_webhook_requests_total{${webhook},code="200"} 1`)
  expect(text).toContain(`controller_runtime_webhook_requests_in_flight{${webhook}} 0`)
  expect(text).toContain(`controller_runtime_webhook_latency_seconds_count{${webhook}} 1`)
})

test('the metrics have the end of the certificate that the pods share', async () => {
  await using world = await createIdleWorld([App])
  const service = { name: 'apps-webhooks', namespace: 'default' }
  const running = await world.start([apps], { webhooks: { service } })
  const [, expiry = '0'] =
    /^setpoint_webhook_certificate_expiry_timestamp_seconds (\S+)$/m.exec(running.metrics.text()) ??
    []
  const days = (Number(expiry) - world.host.now() / 1000) / 86_400
  expect(Math.round(days)).toBe(90)
  await running.stop()
})
