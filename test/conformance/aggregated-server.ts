import { type Host, readText, type ServerRequest, type ServerResponse } from 'setpoint/host'
import type { JsonObject, JsonValue } from 'setpoint/schema'
import { serverOne } from '../../packages/setpoint/src/host/testdata/certificates.ts'

/**
 * The servers of aggregated APIs. They serve the resource `widgets` in every group and version: the
 * name of a widget decides the answer.
 */
export interface AggregatedServers {
  /** The port of a server with aggregated discovery and OpenAPI v3. */
  readonly modernPort: number
  /** The port of a server that has only a list of resources. */
  readonly legacyPort: number
  close(): Promise<void>
}

const bodyBytesMax = 1024 * 1024

const json = (status: number, value: JsonValue, headers = {}): ServerResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

const text = (status: number, body: string): ServerResponse => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
})

const verbs = ['create', 'delete', 'get', 'list', 'watch']

function resourceList(groupVersion: string): JsonObject {
  const widgets = { name: 'widgets', singularName: 'widget', namespaced: true, kind: 'Widget' }
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion,
    resources: [
      { ...widgets, verbs, shortNames: ['wdg'], categories: ['all'] },
      { ...widgets, name: 'widgets/status', singularName: '', verbs: ['get'] },
      { name: 'lonely/scale', singularName: '', namespaced: false, kind: 'Scale', verbs: ['get'] },
    ],
  }
}

/** Has only the groups of earlier requests. */
function discovery(groupVersions: Iterable<string>): JsonObject {
  const groups = new Map<string, string[]>()
  for (const groupVersion of groupVersions) {
    const [group = '', version = ''] = groupVersion.split('/')
    groups.set(group, [...(groups.get(group) ?? []), version])
  }
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [...groups].map(([name, versions]) => ({
      metadata: { name },
      versions: versions.map((version) => ({
        version,
        freshness: 'Current',
        resources: [
          {
            resource: 'widgets',
            responseKind: { group: name, version, kind: 'Widget' },
            scope: 'Namespaced',
            singularResource: 'widget',
            verbs,
            unknownField: 1,
          },
        ],
      })),
    })),
  }
}

const discoveryType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** The request as the server received it, without what differs between two servers. */
async function echoed(request: ServerRequest): Promise<JsonObject> {
  const { method, path, headers, body } = request
  const left = new Set(['host', 'accept-encoding', 'content-length', 'transfer-encoding'])
  const shown = Object.entries(headers)
    .filter(([name]) => !left.has(name))
    .map(([name, value]): [string, string] => {
      if (name === 'audit-id') return [name, 'AUDIT-ID']
      if (name.startsWith('x-remote-extra-') && value.startsWith('X509')) return [name, 'HASH']
      return [name, value.replace(/^localhost:\d+$/, 'localhost:PORT')]
    })
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const sent = await readText(body, bodyBytesMax)
  return { kind: 'Echo', method, path, headers: Object.fromEntries(shown), body: sent }
}

async function* events(): AsyncGenerator<Uint8Array> {
  for (const name of ['one', 'two']) {
    const object = { kind: 'Widget', metadata: { name } }
    yield new TextEncoder().encode(`${JSON.stringify({ type: 'ADDED', object })}\n`)
  }
}

async function widget(request: ServerRequest, name: string): Promise<ServerResponse> {
  switch (name) {
    case 'redirect':
      return { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' }
    case 'teapot':
      return text(418, 'short and stout\n')
    case 'headers':
      return json(
        200,
        {},
        { 'x-own': 'yes', 'access-control-allow-origin': '*', warning: '299 - "a"' },
      )
    case 'cached':
      return json(200, {}, { 'cache-control': 'public', 'audit-id': 'theirs' })
    case 'status':
      return json(409, {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        message: 'no',
        code: 409,
      })
    default:
      return json(200, await echoed(request))
  }
}

async function answer(request: ServerRequest, groupVersion: string): Promise<ServerResponse> {
  const [path = '', query = ''] = request.path.split('?')
  const rest = path.split('/').slice(4)
  if (rest.length === 0) return json(200, resourceList(groupVersion))
  if (/(^|&)watch=/.test(query)) {
    return { status: 200, headers: { 'content-type': 'application/json' }, body: events() }
  }
  const name = rest.at(-1) ?? ''
  if (name !== 'widgets') return widget(request, name)
  if (request.method !== 'GET') return widget(request, 'echo')
  return json(200, { kind: 'WidgetList', apiVersion: groupVersion, metadata: {}, items: [] })
}

function openApi(path: string, groupVersions: Iterable<string>): ServerResponse {
  if (path === '/openapi/v3') {
    const paths = [...groupVersions].map((each) => [
      `apis/${each}`,
      { serverRelativeURL: `/openapi/v3/apis/${each}?hash=OWN` },
    ])
    return json(200, { paths: Object.fromEntries(paths) as JsonObject })
  }
  if (!path.startsWith('/openapi/v3/')) return text(404, 'nothing here\n')
  const title = path.slice('/openapi/v3/'.length)
  return json(200, { openapi: '3.0.0', info: { title, version: '1' }, paths: {} })
}

/** Starts both servers on a host. */
export async function startAggregated(host: Host): Promise<AggregatedServers> {
  const serve = async (isModern: boolean) => {
    const known = new Set<string>()
    const handle = async (request: ServerRequest): Promise<ServerResponse> => {
      const path = request.path.split('?')[0] ?? ''
      if (isModern && path === '/apis') {
        return json(200, discovery(known), { 'content-type': discoveryType })
      }
      if (isModern && path.startsWith('/openapi/')) return openApi(path, known)
      const [, root, group = '', version = ''] = path.split('/')
      if (root !== 'apis' || version === '') return text(404, 'nothing here\n')
      if (group.startsWith('missing.')) return text(404, 'nothing here\n')
      known.add(`${group}/${version}`)
      return answer(request, `${group}/${version}`)
    }
    return host.listen({ tls: serverOne, handle })
  }
  const [modern, legacy] = [await serve(true), await serve(false)]
  return {
    modernPort: modern.port,
    legacyPort: legacy.port,
    close: async () => {
      await Promise.all([modern.close({ graceMs: 0 }), legacy.close({ graceMs: 0 })])
    },
  }
}
