import type { ServerResponse } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import { encodeJson } from '../../codec/index.ts'
import type { ApiRequest, ApiServer } from '../api-request.ts'
import { parseAccept } from '../http/accept.ts'
import { pageNotFound } from '../http/respond.ts'
import { isUnchanged } from '../http/unchanged.ts'
import { documentNames, findDocument, type OpenApiDocument } from './openapi-documents.ts'
import { version2Response } from './version-2/version-2-response.ts'

const prefix = '/openapi/v3/'

/** `/openapi/v3` and the documents below it, and the document of version 2. */
export async function openApiResponse(request: ApiRequest, path: string): Promise<ServerResponse> {
  if (path === '/openapi/v3') {
    // A real server sets no content type for its index, and Go detects text.
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    return { status: 200, headers, body: encodeJson({ paths: documentPaths(request.server) }) }
  }
  if (path === '/openapi/v2') return version2Response(request)
  return path.startsWith(prefix) ? documentResponse(request, path) : pageNotFound()
}

/**
 * The URL of a document in the index has its hash. An answer for that hash never changes, so that
 * clients keep it. A request with the hash of an older document is redirected to the current one.
 */
function documentResponse(
  { server, info, headers: sent }: ApiRequest,
  path: string,
): ServerResponse {
  const name = path.slice(prefix.length)
  const document = findDocument(server.registry, name) ?? convertedDocument(server, name)
  if (document === undefined) return { status: 404 }
  const vary = { vary: 'Accept' }
  if (!acceptsJson(sent['accept'] ?? '')) return { status: 406, headers: vary }
  const etag = `"${document.hash}"`
  const type = { 'content-type': 'application/json' }
  const asked = info.query.get('hash') ?? ''
  if (asked !== '' && asked !== document.hash) {
    const location = `${prefix}${name}?hash=${document.hash}`
    return { status: 301, headers: { ...type, etag, ...vary, location } }
  }
  const pinned = asked === '' ? {} : pinnedHeaders(server.host.now())
  const headers: Record<string, string> = { etag, ...vary, ...pinned }
  if (isUnchanged(sent, etag)) return { status: 304, headers }
  return { status: 200, headers: { ...headers, ...type }, body: document.text() }
}

/** The document of an aggregated API whose server has only version 2. */
function convertedDocument({ aggregation }: ApiServer, name: string): OpenApiDocument | undefined {
  const service = [...aggregation.services.remote.values()].find(
    (candidate) => documentNameOf(candidate) === name,
  )
  const found = service && aggregation.documents.convertedOf(service)
  return found && { hash: found.hash, text: () => found.text }
}

function documentNameOf({ group, version }: { group: string; version: string }): string {
  return `apis/${group}/${version}`
}

function pinnedHeaders(nowMs: number): Record<string, string> {
  const inOneYear = new Date(nowMs)
  inOneYear.setUTCFullYear(inOneYear.getUTCFullYear() + 1)
  const expires = inOneYear.toUTCString().replace('GMT', 'UTC')
  return { 'cache-control': 'public, immutable', expires }
}

function acceptsJson(accept: string): boolean {
  if (accept === '') return true
  return parseAccept(accept).some(
    ({ type, subtype }) =>
      (type === 'application' || type === '*') && (subtype === 'json' || subtype === '*'),
  )
}

/** The index: the URLs of all documents, those of other servers included. */
function documentPaths({ registry, aggregation }: ApiServer): JsonObject {
  const own = documentNames(registry).map((name): [string, JsonObject] => {
    const hash = findDocument(registry, name)?.hash ?? ''
    return [name, { serverRelativeURL: `${prefix}${name}?hash=${hash}` }]
  })
  const remote = [...aggregation.services.remote.values()].flatMap((service) => {
    const converted = aggregation.documents.convertedOf(service)
    if (converted === undefined)
      return Object.entries(aggregation.documents.openApiPathsOf(service))
    const name = documentNameOf(service)
    const serverRelativeURL = `${prefix}${name}?hash=${converted.hash}`
    return [[name, { serverRelativeURL }] as [string, JsonObject]]
  })
  const all = [...remote, ...own].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(all)
}
