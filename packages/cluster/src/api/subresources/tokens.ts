import { fieldError, type JsonObject } from 'setpoint/schema'
import { encodeJson } from '../../codec/index.ts'
import { formatTime, metadataOf } from '../../object/index.ts'
import { invalidObject } from '../../status/index.ts'
import type { ApiRequest } from '../api-request.ts'
import type { JsonAnswer } from '../http/respond.ts'
import { readObject } from '../object-text.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { typedTarget } from '../typed-target.ts'
import { storedOrMissing } from '../verbs/read.ts'
import { admitPosted } from './admit-subresource.ts'
import { readPosted } from './posted-object.ts'
import { tokenBinding, type BoundObjectRef } from './token-binding.ts'

const lifetimeDefaultSeconds = 3600
const lifetimeMinSeconds = 600
const lifetimeMaxSeconds = 2 ** 32
const target = typedTarget({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
})
const tokenRequests = { group: 'authentication.k8s.io', kind: 'TokenRequest' } as const

interface TokenRequestSpec {
  audiences?: string[] | null
  expirationSeconds?: number
  boundObjectRef?: BoundObjectRef | null
}

/** POST to `serviceaccounts/token`: a token for the account. */
export async function requestToken(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const { object: asked, options } = await readPosted(request, target)
  checkPlace(request, metadataOf(asked))
  const account = readObject(resource, storedOrMissing(request, resource))
  const { server } = request
  const { name = '', namespace = '', uid = '' } = metadataOf(account)
  const creationTimestamp = formatTime(server.host.now())
  const specOf = (): TokenRequestSpec => asked['spec'] as unknown as TokenRequestSpec
  specOf().expirationSeconds ??= lifetimeDefaultSeconds
  await admitPosted(request, resource, {
    target,
    object: asked,
    manager: options.fieldManager,
    isDryRun: options.isDryRun,
    complete: () => Object.assign(metadataOf(asked), { name, namespace, uid, creationTimestamp }),
  })
  const spec = specOf()
  const { expirationSeconds: lifetimeSeconds = lifetimeDefaultSeconds } = spec
  checkLifetime(lifetimeSeconds)
  const audiences = spec.audiences ?? []
  const reference = spec.boundObjectRef
  const bound = reference ? tokenBinding(request, name, reference) : {}
  const { token, expiresMs } = server.accountTokens.issue(
    { namespace, name, uid, bound },
    { audiences, lifetimeSeconds },
  )
  const { managedFields = [] } = metadataOf(asked) as JsonObject
  return {
    code: 201,
    text: encodeJson({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {
        name,
        namespace,
        uid,
        creationTimestamp,
        managedFields,
      },
      spec: {
        audiences: audiences.length === 0 ? [server.issuer] : audiences,
        expirationSeconds: lifetimeSeconds,
        boundObjectRef: (reference ?? null) as JsonObject | null,
      },
      status: { token, expirationTimestamp: formatTime(expiresMs) },
    }),
  }
}

/** The name in a TokenRequest, if it is given, must equal the name of the account in the path. */
function checkPlace({ info }: ApiRequest, { name = '' }: { readonly name?: string }): void {
  if (name === '' || name === info.name) return
  const detail = 'must match the service account name if specified'
  const errors = [fieldError.invalid('metadata.name', name, detail)]
  throw invalidObject(tokenRequests, info.name, errors)
}

function checkLifetime(seconds: number): void {
  if (seconds >= lifetimeMinSeconds && seconds <= lifetimeMaxSeconds) return
  const bound = seconds < lifetimeMinSeconds ? 'less than 10 minutes' : 'larger than 2^32 seconds'
  const detail = `may not specify a duration ${bound}`
  const errors = [fieldError.invalid('spec.expirationSeconds', seconds, detail)]
  throw invalidObject(tokenRequests, '', errors)
}
