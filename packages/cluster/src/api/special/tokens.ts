import { fieldError, type JsonObject } from 'setpoint/schema'
import { encodeJson } from '../../codec/index.ts'
import { formatTime, metadataOf } from '../../object/index.ts'
import { invalidObject } from '../../status/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { readTyped } from '../body.ts'
import type { JsonAnswer } from '../http/respond.ts'
import { readObject } from '../object-text.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { storedOrMissing } from '../verbs/read.ts'

const lifetimeDefaultSeconds = 3600
const lifetimeMinSeconds = 600

interface TokenRequestSpec {
  audiences?: string[] | null
  expirationSeconds?: number
  boundObjectRef?: { kind?: string; name?: string; uid?: string } | null
}

/** POST to `serviceaccounts/token`: a token for the account. */
export async function requestToken(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const asked = await readTyped(request, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
  })
  const account = readObject(resource, storedOrMissing(request, resource))
  const spec = asked['spec'] as unknown as TokenRequestSpec
  const lifetimeSeconds = spec.expirationSeconds ?? lifetimeDefaultSeconds
  if (lifetimeSeconds < lifetimeMinSeconds) {
    const detail = 'may not specify a duration less than 10 minutes'
    const errors = [fieldError.invalid('spec.expirationSeconds', lifetimeSeconds, detail)]
    throw invalidObject({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', errors)
  }
  const { server } = request
  const { name = '', namespace = '', uid = '' } = metadataOf(account)
  const audiences = spec.audiences ?? []
  const bound = spec.boundObjectRef
  const pod = bound?.kind === 'Pod' ? { name: bound.name ?? '', uid: bound.uid ?? '' } : undefined
  const { token, expiresMs } = server.accountTokens.issue(
    { namespace, name, uid, pod },
    { audiences, lifetimeSeconds },
  )
  return {
    code: 201,
    text: encodeJson({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name, namespace, uid, creationTimestamp: formatTime(server.host.now()) },
      spec: {
        audiences: audiences.length === 0 ? [server.issuer] : audiences,
        expirationSeconds: lifetimeSeconds,
        boundObjectRef: (bound ?? null) as JsonObject | null,
      },
      status: { token, expirationTimestamp: formatTime(expiresMs) },
    }),
  }
}
