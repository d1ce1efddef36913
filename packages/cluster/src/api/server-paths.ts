import { createHash } from 'node:crypto'
import type { ServerResponse } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import { encodeJson } from '../codec/index.ts'
import { builtinData } from '../data/index.ts'
import { methodNotAllowed, unknownResource } from '../status/index.ts'
import type { ApiRequest } from './api-request.ts'
import {
  aggregatedDiscovery,
  aggregatedType,
  legacyGroup,
  legacyGroups,
  legacyResources,
  legacyVersions,
} from './discovery.ts'
import { healthResponse } from './health.ts'
import { parseAccept } from './http/negotiate.ts'
import { pageNotFound, prettyJson } from './http/respond.ts'
import { openApiResponse } from './openapi/openapi-response.ts'
import type { Outcome } from './outcome.ts'

/** Paths that are no resources: discovery, OpenAPI, health, the version. */
export function serverPath(request: ApiRequest): Outcome {
  const path = request.info.path.replace(/(.)\/+$/, '$1')
  const [, root = '', first = '', second = ''] = path.split('/')
  const isFixed = ['version', 'api', 'apis'].includes(root) && first === ''
  if (isFixed && !['GET', 'HEAD'].includes(request.info.method)) throw methodNotAllowed()
  switch (root) {
    case '':
      return prettyResponse({ paths: rootPaths(request) })
    case 'api':
      return apiPath(request, first)
    case 'apis':
      return apisPath(request, { group: first, version: second })
    case 'version':
      return prettyResponse(versionDocument())
    case 'healthz':
    case 'livez':
    case 'readyz':
      return {
        response: healthResponse(root, first === '' ? '' : path.slice(root.length + 2), request),
      }
    case 'openapi':
      return { response: openApiResponse(request, path) }
    default:
      return { response: pageNotFound() }
  }
}

/** What the server calls itself; clients choose features by it. */
function versionDocument(): JsonObject {
  const document = builtinData.legacyDiscovery()['/version'] as JsonObject
  const { goVersion = '', compiler = '', platform: _theirs, ...rest } = document
  const buildDate = '1970-01-01T00:00:00Z'
  return { ...rest, buildDate, goVersion, compiler, platform: 'linux/amd64' }
}

function prettyResponse(document: JsonObject): Outcome {
  return {
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: prettyJson(document),
    },
  }
}

function rootPaths({ server }: ApiRequest): string[] {
  const groups = server.registry.groups().filter(({ name }) => name !== '')
  const fixed = [
    '/api',
    '/api/v1',
    '/apis',
    '/apis/',
    '/healthz',
    '/livez',
    '/readyz',
    '/openapi/v3',
    '/version',
  ]
  const served = groups.flatMap(({ name, versions }) => [
    `/apis/${name}`,
    ...versions.map(({ version }) => `/apis/${name}/${version}`),
  ])
  return [...fixed, ...served].sort()
}

function apiPath(request: ApiRequest, version: string): Outcome {
  const { registry } = request.server
  if (version === '') {
    if (wantsAggregated(request)) return aggregated(request, true)
    return json(legacyVersions(request.headers['host'] ?? '127.0.0.1'))
  }
  if (version !== 'v1') throw unknownResource()
  return discoveryDocument(request, legacyResources(registry, '', version))
}

function apisPath(
  request: ApiRequest,
  { group, version }: { group: string; version: string },
): Outcome {
  const { registry } = request.server
  if (group === '') {
    return wantsAggregated(request) ? aggregated(request, false) : json(legacyGroups(registry))
  }
  if (version === '') return discoveryDocument(request, legacyGroup(registry, group))
  const document = legacyResources(registry, group, version)
  if (document === undefined && registry.hasGroup(group) && !isCustomGroup(request, group)) {
    throw unknownResource()
  }
  return discoveryDocument(request, document)
}

function isCustomGroup({ server }: ApiRequest, name: string): boolean {
  const group = server.registry.groups().find((candidate) => candidate.name === name)
  return group?.versions.some(({ isCustom }) => isCustom) ?? false
}

function discoveryDocument({ info }: ApiRequest, document: JsonObject | undefined): Outcome {
  if (document === undefined) return { response: pageNotFound() }
  if (info.method !== 'GET') throw methodNotAllowed()
  return json(document)
}

function json(document: JsonObject): Outcome {
  return { answer: { code: 200, text: encodeJson(document) } }
}

/** The client names the aggregated form before the plain one. */
function wantsAggregated({ headers }: ApiRequest): boolean {
  for (const { params, subtype } of parseAccept(headers['accept'] ?? '')) {
    if (params.get('as') === undefined && (subtype === 'json' || subtype === '*')) return false
    if (
      params.get('as') === 'APIGroupDiscoveryList' &&
      params.get('g') === 'apidiscovery.k8s.io' &&
      params.get('v') === 'v2'
    ) {
      return true
    }
  }
  return false
}

function aggregated(request: ApiRequest, isCore: boolean): Outcome {
  const text = encodeJson(aggregatedDiscovery(request.server.registry, isCore))
  const etag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`
  const headers = {
    etag,
    vary: 'Accept',
    'cache-control': 'public',
    'content-type': aggregatedType,
  }
  const known = request.headers['if-none-match']
  if (known === etag) return { response: { status: 304, headers } }
  const response: ServerResponse = { status: 200, headers, body: `${text}\n` }
  return { response }
}
