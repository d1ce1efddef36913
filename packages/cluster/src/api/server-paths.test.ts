/** Paths that are not resources, with the answers of a 1.36 server. */
import { readText, virtualHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { createCluster } from '../cluster/index.ts'

async function get(path: string): Promise<{ status: number; text: string }> {
  const host = virtualHost({ seed: 'paths' })
  await using cluster = await createCluster({ host, auth: 'off', tls: 'off' })
  const { status, body } = await host.request({ method: 'GET', url: cluster.url + path })
  return { status, text: await readText(body, 1_000_000) }
}

test('lists every health check in the order of a real server', async () => {
  const { text } = await get('/readyz?verbose&exclude=etcd&exclude=nope')
  const lines = text.split('\n')
  expect(lines.slice(0, 5)).toEqual([
    '[+]ping ok',
    '[+]log ok',
    '[+]etcd excluded: ok',
    '[+]etcd-readiness ok',
    '[+]informer-sync ok',
  ])
  expect(lines.slice(-4)).toEqual([
    '[+]shutdown ok',
    'warn: some health checks cannot be excluded: no matches for "nope"',
    'readyz check passed',
    '',
  ])
  expect((await get('/livez?verbose')).text).toContain('[+]loopback-serving-certificate ok\n')
})

test('answers a single health check', async () => {
  expect(await get('/livez/poststarthook/rbac/bootstrap-roles')).toEqual({
    status: 200,
    text: 'ok',
  })
  expect((await get('/livez/shutdown')).status).toBe(404)
})

test('answers every health path of the index', async () => {
  const { paths } = JSON.parse((await get('/')).text) as { paths: string[] }
  expect(paths).toContain('/apis/apps/v1')
  const health = paths.filter((path) => /^\/(healthz|livez|readyz)/.test(path))
  expect(health.length).toBeGreaterThan(100)
  const host = virtualHost({ seed: 'paths' })
  await using cluster = await createCluster({ host, auth: 'off', tls: 'off' })
  for (const path of health) {
    const { status } = await host.request({ method: 'GET', url: cluster.url + path })
    expect([path, status]).toEqual([path, 200])
  }
})

test('publishes the keys of the token issuer', async () => {
  const issuer = JSON.parse((await get('/.well-known/openid-configuration')).text) as object
  expect(issuer).toMatchObject({
    issuer: 'https://kubernetes.default.svc',
    jwks_uri: expect.stringMatching(/^https:.*\/openid\/v1\/jwks$/) as string,
    response_types_supported: ['id_token'],
  })
  const { keys } = JSON.parse((await get('/openid/v1/jwks')).text) as { keys: object[] }
  expect(keys).toMatchObject([{ use: 'sig', alg: 'EdDSA', kty: 'OKP' }])
  expect((await get('/openid/v2')).status).toBe(404)
})
