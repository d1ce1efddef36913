import { createHash } from 'node:crypto'
import type { JsonObject } from 'setpoint/schema'
import { encodeJson } from '../codec/index.ts'
import { builtinData } from '../data/index.ts'
import { ApiError, methodNotAllowed, unknownResource } from '../status/index.ts'
import type { ApiRequest } from './api-request.ts'
import {
  aggregatedDiscovery,
  aggregatedParameters,
  legacyGroup,
  legacyGroups,
  legacyResources,
  legacyVersions,
} from './discovery.ts'
import { healthResponse } from './health.ts'
import { parseAccept } from './http/accept.ts'
import { aggregatedFormat, mediaTypes, negotiate, type MediaFormat } from './http/negotiate.ts'
import { prettyJson } from './http/converted-text.ts'
import { pageNotFound, respond } from './http/respond.ts'
import { issuerResponse } from './issuer.ts'
import { metricsResponse } from './metrics/metrics-response.ts'
import { openApiResponse } from './openapi/openapi-response.ts'
import type { Outcome } from './outcome.ts'

/** Paths that are not resources: discovery, OpenAPI, health, the version. */
export async function serverPath(request: ApiRequest): Promise<Outcome> {
  const path = withoutLastSlash(request.info.path)
  const [, root = '', first = '', second = ''] = path.split('/')
  if (path.startsWith('//')) return { response: pageNotFound() }
  const isRouted = ['version', 'api'].includes(root) && first === ''
  if (isRouted && request.info.method !== 'GET') throw methodNotAllowed()
  switch (root) {
    case '':
    case 'index.html':
      return prettyResponse({ paths: rootPaths(request) })
    case 'api':
      return apiPath(request, first)
    case 'apis':
      return apisPath(request, { group: first, version: second })
    case 'version':
      if (first !== '') throw unknownResource()
      checkJsonAccepted(request)
      return prettyResponse(versionDocument())
    case 'metrics':
      return { response: path === '/metrics' ? metricsResponse(request.server) : pageNotFound() }
    case 'healthz':
    case 'livez':
    case 'readyz':
      if (path === `/${root}/`) return { response: pageNotFound() }
      return {
        response: healthResponse(root, first === '' ? '' : path.slice(root.length + 2), request),
      }
    case 'openid':
    case '.well-known':
      return { response: issuerResponse(request, path) }
    case 'openapi':
      return { response: await openApiResponse(request, path) }
    default:
      return { response: pageNotFound() }
  }
}

/** The version of the server, by which clients choose features. */
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
  // A real server's list without its pages of flags and status, which are not served here.
  const { paths } = builtinData.legacyDiscovery()['/'] as { paths: string[] }
  const fixed = paths.filter((path) => path === '/apis/' || !path.startsWith('/apis/'))
  const served = groups.flatMap(({ name, versions }) => [
    `/apis/${name}`,
    ...versions.map(({ version }) => `/apis/${name}/${version}`),
  ])
  const remote = [...server.aggregation.services.remote.values()].flatMap(({ group, version }) => [
    `/apis/${group}`,
    `/apis/${group}/${version}`,
  ])
  return [...new Set([...fixed, ...served, ...remote])].sort()
}

async function apiPath(request: ApiRequest, version: string): Promise<Outcome> {
  const { registry } = request.server
  if (version === '') {
    const format = aggregatedFormat(request.headers['accept'] ?? '')
    if (format !== undefined) return aggregated(request, format, true)
    return json(request, legacyVersions(request.headers['host'] ?? '127.0.0.1'), false)
  }
  if (version !== 'v1') throw unknownResource()
  return discoveryDocument(request, legacyResources(registry, '', version), false)
}

async function apisPath(
  request: ApiRequest,
  { group, version }: { group: string; version: string },
): Promise<Outcome> {
  const { registry } = request.server
  if (group === '' && version !== '') return { response: pageNotFound() }
  if (group === '') {
    const format = aggregatedFormat(request.headers['accept'] ?? '')
    if (format !== undefined) return aggregated(request, format, false)
    return json(request, legacyGroups(request.server), true)
  }
  if (version === '') return discoveryDocument(request, legacyGroup(request.server, group), true)
  const document = legacyResources(registry, group, version)
  if (document === undefined && registry.hasGroup(group) && !isCustomGroup(request, group)) {
    throw unknownResource()
  }
  return discoveryDocument(request, document, isCustomGroup(request, group))
}

function isCustomGroup({ server }: ApiRequest, name: string): boolean {
  const group = server.registry.groups().find((candidate) => candidate.name === name)
  return group?.versions.some(({ isCustom }) => isCustom) ?? false
}

async function discoveryDocument(
  request: ApiRequest,
  document: JsonObject | undefined,
  isUnrouted: boolean,
): Promise<Outcome> {
  if (document === undefined) return { response: pageNotFound() }
  // The handlers of groups and of custom versions answer to every method.
  if (!isUnrouted && request.info.method !== 'GET') throw methodNotAllowed()
  return json(request, document, isUnrouted)
}

/** A document in the negotiated form; 406 has another message for paths without a route. */
async function json(
  { headers, info, turns }: ApiRequest,
  document: JsonObject,
  isUnrouted: boolean,
): Promise<Outcome> {
  const offer = {
    hasProtobuf: true,
    allowsTransform: false,
    isRouted: !isUnrouted,
    isCollection: false,
  }
  const media = negotiate({ headers, query: info.query }, offer)
  const form = { media, acceptEncoding: headers['accept-encoding'] ?? '', turns }
  return { response: await respond({ code: 200, text: encodeJson(document) }, form) }
}

/** The version is served only as JSON; a real server's router refuses other types. */
function checkJsonAccepted({ headers }: ApiRequest): void {
  const accept = headers['accept'] ?? ''
  const isAccepted = parseAccept(accept).some(
    ({ type, subtype }) => (type === '*' && subtype === '*') || `${type}/${subtype}` === jsonType,
  )
  if (accept === '' || isAccepted) return
  const message = `406: Not Acceptable\n\nAvailable representations: ${jsonType}`
  throw new ApiError({ code: 406, reason: 'NotAcceptable', message, details: {} })
}

const jsonType = 'application/json'

/** One trailing slash is ignored, except where a name would follow it. */
function withoutLastSlash(path: string): string {
  if (/^\/(?:healthz|livez|readyz|openapi|metrics)\//.test(path)) return path
  return path.replace(/(.)\/+$/, '$1')
}

async function aggregated(
  request: ApiRequest,
  format: MediaFormat,
  isCore: boolean,
): Promise<Outcome> {
  const { headers: asked } = request
  const text = encodeJson(aggregatedDiscovery(request.server, isCore))
  const etag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`
  const headers = {
    etag,
    vary: 'Accept',
    'cache-control': 'public',
    'content-type': `${mediaTypes[format]};${aggregatedParameters}`,
  }
  if (asked['if-none-match'] === etag) {
    const { 'content-type': _type, ...unchanged } = headers
    return { response: { status: 304, headers: unchanged } }
  }
  const form = {
    media: { format, isPretty: false },
    acceptEncoding: asked['accept-encoding'] ?? '',
    turns: request.turns,
  }
  return { response: await respond({ code: 200, text, headers }, form) }
}
