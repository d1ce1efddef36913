import type { Request } from '../../test/conformance/conformance-case.ts'
import type { Choices } from './choices.ts'
import type { FuzzedKind } from './fuzzed-kinds.ts'
import type { FuzzStep } from './fuzz-step.ts'
import { readHeaders } from './random-headers.ts'

const serverPaths = [
  '/',
  '/api',
  '/apis',
  '/api/v1',
  '/api/v2',
  '/apis/apps',
  '/apis/apps/v1',
  '/apis/apps/v9',
  '/apis/x',
  '/apis/x/v1',
  '/version',
  '/healthz',
  '/livez/ping',
  '/readyz/x',
  '/openapi',
  '/x',
  '/api/v1/x',
  '/apis/apps/v1/x/y',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  '/logs',
  '/api/v1/namespaces/{ns}/x',
  '/api/v1/proxy/x',
  '/api/v1/watch/namespaces/{ns}/x',
] as const

const methods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'FOO',
] as const

/** A request with an unusual method or path. */
export function oddRequest(choices: Choices, kind: FuzzedKind, object: string): FuzzStep {
  const isServer = choices.isLikely(0.4)
  const suffix = choices.one(['', '/', '/x', '/x/y', '//', '?', '?watch=0', '/status/x', '%2fx'])
  const path = isServer
    ? choices.one(serverPaths)
    : choices.one([
        kind.collection,
        object + suffix,
        object.replace('/api', '/API'),
        kind.collection.replace('namespaces/{ns}', 'namespaces/%7Bx'),
        kind.collection.replace('/namespaces/{ns}', ''),
        kind.collection
          .replace('/namespaces/{ns}', '')
          .replace(/^(\/apis?\/(?:[^/]+\/)?v[^/]+)/, '$1/watch/namespaces/{ns}'),
      ])
  // A list of all namespaces, or of everything without one, has the objects of other scripts.
  const isWide = !isServer && !path.includes('{ns}')
  const method = choices.one(
    isWide ? (['POST', 'PUT', 'PATCH', 'OPTIONS', 'FOO'] as const) : methods,
  )
  const isWatch = path.includes('/watch/') || path.includes('watch=')
  const body = method === 'POST' || method === 'PUT' || method === 'PATCH' ? { body: {} } : {}
  const request: Request = {
    method,
    // Some servers watch with any method.
    path: isWatch ? `${path}${path.includes('?') ? '&' : '?'}timeoutSeconds=1` : path,
    ...(choices.isLikely(0.4) ? { headers: readHeaders(choices) } : {}),
    ...body,
  }
  return {
    step: request,
    verb: method,
    resource: isServer ? path : kind.plural,
    mutation: 'an odd request',
  }
}
