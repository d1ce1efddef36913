/**
 * The background tasks of a server for its own objects; the messages are those of a 1.36 server.
 */
import { readText, virtualHost, type VirtualHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { createCluster, type Cluster } from './create-cluster.ts'

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

interface Fixture {
  send(method: string, path: string, body?: object): Promise<{ code: number; body: unknown }>
  conditions(path: string): Promise<Condition[]>
  readonly cluster: Cluster
}

async function withCluster(run: (fixture: Fixture) => Promise<void>): Promise<void> {
  const host: VirtualHost = virtualHost({ seed: 'own' })
  await using cluster = await createCluster({ host, auth: 'off', tls: 'off' })
  const send: Fixture['send'] = async (method, path, body) => {
    const response = await host.request({
      method,
      url: cluster.url + path,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await readText(response.body, 1_000_000)
    return { code: response.status, body: JSON.parse(text) as unknown }
  }
  const conditions: Fixture['conditions'] = async (path) => {
    // Background tasks run immediately, but after the response.
    await new Promise<void>((resolve) => host.setTimer(1, resolve))
    const { body } = await send('GET', path)
    const { status } = body as { status?: { conditions?: Condition[] } }
    return (status?.conditions ?? []).map(({ type, status: is, reason, message }) => ({
      type,
      status: is,
      reason,
      message,
    }))
  }
  await run({ send, conditions, cluster })
}

const services = '/apis/apiregistration.k8s.io/v1/apiservices'
const flow = '/apis/flowcontrol.apiserver.k8s.io/v1'

test('creates an APIService for a version of custom resources while it is served', async () => {
  await withCluster(async ({ send, conditions }) => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const schema = { openAPIV3Schema: { type: 'object' } }
    await send('POST', definitions, {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    })
    const path = `${services}/v1.example.com`
    expect(await conditions(path)).toEqual([
      {
        type: 'Available',
        status: 'True',
        reason: 'Local',
        message: 'Local APIServices are always available',
      },
    ])
    const { body } = await send('GET', path)
    expect(body).toMatchObject({
      metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
      spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000 },
    })
    await send('DELETE', `${definitions}/things.example.com`)
    expect(await conditions(path)).toEqual([])
    expect((await send('GET', path)).code).toBe(404)
  })
})

test('reports why an aggregated APIService is unavailable', async () => {
  await withCluster(async ({ send, conditions }) => {
    const service = { namespace: 'default', name: 'far', port: 443 }
    await send('POST', services, {
      metadata: { name: 'v1.far.example.com' },
      spec: {
        group: 'far.example.com',
        version: 'v1',
        groupPriorityMinimum: 10,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service,
      },
    })
    const lacks = async (): Promise<string> => {
      const [condition] = await conditions(`${services}/v1.far.example.com`)
      return `${condition?.status} ${condition?.reason}: ${condition?.message}`
    }
    expect(await lacks()).toBe('False ServiceNotFound: service/far in "default" is not present')
    const own = '/api/v1/namespaces/default/services'
    const spec = { ports: [{ port: 80 }] }
    await send('POST', own, { metadata: { name: 'far' }, spec })
    expect(await lacks()).toBe(
      'False ServicePortError: service/far in "default" is not listening on port 443',
    )
    await send('DELETE', `${own}/far`)
    await send('POST', own, { metadata: { name: 'far' }, spec: { ports: [{ port: 443 }] } })
    expect(await lacks()).toBe(
      'False EndpointsNotFound: cannot find endpointslices for service/far in "default"',
    )
    await send('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      metadata: { name: 'far-1', labels: { 'kubernetes.io/service-name': 'far' } },
      addressType: 'IPv4',
      endpoints: [],
      ports: [{ port: 443 }],
    })
    expect(await lacks()).toBe(
      'False MissingEndpoints: endpointslices for service/far in "default" have no addresses with port name ""',
    )
  })
})

test('reports whether the priority level of a FlowSchema exists', async () => {
  await withCluster(async ({ send, conditions }) => {
    await send('POST', `${flow}/flowschemas`, {
      metadata: { name: 'mine' },
      spec: { priorityLevelConfiguration: { name: 'level' }, matchingPrecedence: 9000 },
    })
    const path = `${flow}/flowschemas/mine`
    const about = 'This FlowSchema references the PriorityLevelConfiguration object named "level"'
    expect(await conditions(path)).toEqual([
      {
        type: 'Dangling',
        status: 'True',
        reason: 'NotFound',
        message: `${about} but there is no such object`,
      },
    ])
    await send('POST', `${flow}/prioritylevelconfigurations`, {
      metadata: { name: 'level' },
      spec: {
        type: 'Limited',
        limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } },
      },
    })
    expect(await conditions(path)).toEqual([
      { type: 'Dangling', status: 'False', reason: 'Found', message: `${about} and it exists` },
    ])
  })
})
