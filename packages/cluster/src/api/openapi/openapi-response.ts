import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { ServerResponse } from 'setpoint/host'
import { encodeJson } from '../../codec/index.ts'
import { builtinData } from '../../data/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { pageNotFound } from '../http/respond.ts'
import type { Registry } from '../resources/registry.ts'
import { customDocument } from './custom-document.ts'
import { emptyVersion2 } from './empty-version-2.ts'

/** `/openapi/v3` and the documents below it, and the empty document of version 2. */
export function openApiResponse(request: ApiRequest, path: string): ServerResponse {
  const { registry } = request.server
  if (path === '/openapi/v3') {
    // A real server sets no content type for its index, and Go detects text.
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    return { status: 200, headers, body: encodeJson({ paths: documentPaths(registry) }) }
  }
  if (path === '/openapi/v2') return emptyVersion2(request.headers['accept'] ?? '')
  if (!path.startsWith('/openapi/v3/')) return pageNotFound()
  const name = path.slice('/openapi/v3/'.length)
  const document = findDocument(registry, name)
  if (document === undefined) return { status: 404 }
  const isPinned = request.info.query.get('hash') === document.hash
  const etag = `"${document.hash}"`
  const headers: Record<string, string> = {
    etag,
    vary: 'Accept',
    ...(isPinned ? { 'cache-control': 'public, immutable' } : {}),
  }
  if (request.headers['if-none-match'] === etag) return { status: 304, headers }
  return jsonResponse(document.text(), headers)
}

function jsonResponse(body: string, headers: Record<string, string> = {}): ServerResponse {
  return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body }
}

interface OpenApiDocument {
  readonly hash: string
  readonly text: () => string
}

function documentPaths(registry: Registry): Record<string, { serverRelativeURL: string }> {
  const names = [...Object.keys(builtinData.openApiDocuments()), ...customNames(registry)]
  return Object.fromEntries(
    names.map((name) => {
      const hash = findDocument(registry, name)?.hash ?? ''
      return [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` }]
    }),
  )
}

function customNames(registry: Registry): string[] {
  return registry
    .groups()
    .flatMap(({ name, versions }) =>
      versions.filter(({ isCustom }) => isCustom).map(({ version }) => `apis/${name}/${version}`),
    )
}

function findDocument(registry: Registry, name: string): OpenApiDocument | undefined {
  const packed = builtinData.openApiDocuments()[name]
  if (packed !== undefined) {
    return {
      hash: hashOf(packed),
      text: () => gunzipSync(Buffer.from(packed, 'base64')).toString('utf8'),
    }
  }
  const [, group = '', version = ''] = name.split('/')
  const served = registry
    .groups()
    .find((candidate) => candidate.name === group)
    ?.versions.find((candidate) => candidate.isCustom && candidate.version === version)
  if (served === undefined) return undefined
  const text = encodeJson(customDocument(group, served))
  return { hash: hashOf(text), text: () => text }
}

const hashes = new Map<string, string>()

/** Hashing all built-in documents for every read of the index would cost more than serving it. */
function hashOf(content: string): string {
  const known = hashes.get(content)
  if (known !== undefined) return known
  const hash = createHash('sha512').update(content).digest('hex').toUpperCase()
  if (hashes.size < 256) hashes.set(content, hash)
  return hash
}
