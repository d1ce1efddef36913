import { readFileSync } from 'node:fs'
import { APIService } from 'setpoint/kinds'
import { type HttpHandler, readText, virtualHost } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import { expect, test } from 'vitest'
import { createCluster } from '../../../cluster/index.ts'

/** A document of a server, and what a real API server made of it. */
const recorded = JSON.parse(
  readFileSync(new URL('testdata/far-documents.json', import.meta.url), 'utf8'),
) as { version2: JsonObject; version3: JsonObject; merged: Record<string, JsonObject> }

const json = { 'content-type': 'application/json' }
const resources = { kind: 'APIResourceList', groupVersion: 'far.example.com/v1', resources: [] }

/** A server that has only OpenAPI v2. */
const far: HttpHandler = async ({ path }) => {
  if (path === '/apis/far.example.com/v1') {
    return { status: 200, headers: json, body: JSON.stringify(resources) }
  }
  if (path !== '/openapi/v2') return { status: 404 }
  return { status: 200, headers: json, body: JSON.stringify(recorded.version2) }
}

async function createWorld() {
  const host = virtualHost({ seed: 'remote documents' })
  const cluster = await createCluster({ host, auth: 'off', tls: 'off', nodes: 'off' })
  const server = await host.listen({ handle: far })
  cluster.forwardService('default/far', server.url)
  await cluster.client.create(APIService, {
    metadata: { name: 'v1.far.example.com' },
    spec: {
      group: 'far.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'far' },
    },
  })
  await cluster.settle()
  return {
    cluster,
    get: async (path: string) => {
      const { body } = await host.request({ method: 'GET', url: cluster.url + path })
      return JSON.parse(await readText(body, 10_000_000)) as Record<string, JsonObject>
    },
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

test('a server with only version 2 has a document of version 3, as on a real server', async () => {
  await using world = await createWorld()
  const { paths } = await world.get('/openapi/v3')
  const entry = paths?.['apis/far.example.com/v1'] as { serverRelativeURL: string } | undefined
  expect(entry?.serverRelativeURL).toMatch(
    /^\/openapi\/v3\/apis\/far\.example\.com\/v1\?hash=[0-9A-F]{128}$/,
  )
  expect(await world.get(entry?.serverRelativeURL ?? '')).toEqual(recorded.version3)
  await world.cluster.client.delete(APIService, 'v1.far.example.com')
  await world.cluster.settle()
  expect((await world.get('/openapi/v3'))['paths']).not.toHaveProperty('apis/far.example.com/v1')
})

test('the document of version 2 has the paths and definitions of other servers', async () => {
  await using world = await createWorld()
  const { paths = {}, definitions = {} } = await world.get('/openapi/v2')
  const own = (parts: JsonObject) =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => /\bfar\b|_v2$/.test(name)))
  expect(own(paths)).toEqual(recorded.merged['paths'])
  expect(own(definitions)).toEqual(recorded.merged['definitions'])
  expect(definitions['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta']).toHaveProperty([
    'properties',
    'managedFields',
  ])
})
