import type { ServerResponse } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import { encodeJson } from '../codec/index.ts'
import { methodNotAllowed } from '../status/index.ts'
import type { ApiRequest } from './api-request.ts'
import { pageNotFound } from './http/respond.ts'

const keysPath = '/openid/v1/jwks'

/** OpenID discovery: the issuer of service account tokens and its public keys. */
export function issuerResponse(request: ApiRequest, path: string): ServerResponse {
  const isKeys = path === keysPath
  if (!isKeys && path !== '/.well-known/openid-configuration') return pageNotFound()
  if (request.info.method !== 'GET') throw methodNotAllowed()
  const { accountTokens, issuer } = request.server
  const document: JsonObject = isKeys
    ? accountTokens.jwks()
    : {
        issuer,
        jwks_uri: `https://${request.headers['host'] ?? '127.0.0.1'}${keysPath}`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['EdDSA'],
      }
  return {
    status: 200,
    headers: {
      'cache-control': 'public, max-age=3600',
      'content-type': isKeys ? 'application/jwk-set+json' : 'application/json',
    },
    body: encodeJson(document),
  }
}
