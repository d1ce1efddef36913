import { goQuote, type JsonObject } from 'setpoint/schema'
import { encodeJson } from '../../codec/index.ts'
import type { PolicyRule, UserInfo } from '../../auth/index.ts'
import { formatTime, namespaceOf } from '../../object/index.ts'
import { badRequest } from '../../status/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { decodeObject } from '../body.ts'
import type { JsonAnswer } from '../http/respond.ts'
import { writeOptions, type WriteOptions } from '../options/write-options.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { matchNamespace } from '../verbs/create.ts'
import { withManagedFields } from '../verbs/field-manager.ts'
import { accessReview } from './access-reviews.ts'

/** Review kinds are answered and never stored. */
export function isReview({ group, verbs }: ServedResource): boolean {
  return (
    /^auth(entication|orization)\.k8s\.io$/.test(group) && verbs.size === 1 && verbs.has('create')
  )
}

/** POST of a review: the same object with its status filled in. */
export async function answerReview(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const { info, headers } = request
  const readOptions = (): WriteOptions =>
    writeOptions('CreateOptions', { query: info.query, userAgent: headers['user-agent'] ?? '' })
  const review = await decodeObject(request, resource, () => readOptions().fieldValidation)
  matchNamespace(review, { namespace: info.namespace, resource })
  if (!resource.namespaced && namespaceOf(review) === '') {
    Reflect.deleteProperty(review['metadata'] as JsonObject, 'namespace')
  }
  const recorded = withManagedFields(request, resource, {
    live: undefined,
    updated: review,
    manager: readOptions().fieldManager,
    subresource: '',
  })
  await request.turns.next()
  const answer = reviewed(request, recorded)
  await request.turns.next()
  return { code: 201, text: encodeJson(answer) }
}

function reviewed(request: ApiRequest, review: JsonObject): JsonObject {
  switch (review['kind']) {
    case 'TokenReview':
      return tokenReview(request, review)
    case 'SelfSubjectReview':
      return {
        ...review,
        metadata: { creationTimestamp: formatTime(request.server.host.now()) },
        status: { userInfo: userDocument(request.user) },
      }
    case 'SelfSubjectRulesReview':
      return rulesReview(request, review)
    default:
      return accessReview(request, review)
  }
}

function userDocument({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    username: name,
    ...(uid === undefined || uid === '' ? {} : { uid }),
    groups: [...groups],
    ...(extra === undefined
      ? {}
      : {
          extra: Object.fromEntries(Object.entries(extra).map(([key, list]) => [key, [...list]])),
        }),
  }
}

function tokenReview({ server }: ApiRequest, review: JsonObject): JsonObject {
  const { token = '', audiences = [] } = (review['spec'] ?? {}) as {
    token?: string
    audiences?: string[]
  }
  if (token === '') throw badRequest('token is required for TokenReview in authentication')
  const requested = audiences.length === 0 ? [server.issuer] : audiences
  const claims = server.accountTokens.verify(token)
  const own = claims?.aud ?? [server.issuer]
  const shared = requested.filter((audience) => own.includes(audience))
  const user = shared.length === 0 ? undefined : server.userOfToken(token)
  if (user !== undefined) {
    const status = { authenticated: true, user: userDocument(user), audiences: shared }
    return { ...review, status }
  }
  const refused = 'invalid bearer token'
  const isForOtherAudience = claims !== undefined && shared.length === 0
  const error = isForOtherAudience
    ? `[${refused}, token audiences ${quotedList(own)} is invalid for the target audiences ${quotedList(requested)}]`
    : refused
  return { ...review, status: { user: {}, error } }
}

/** A list of strings as Go's `%q` prints it. */
function quotedList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`
}

function rulesReview(request: ApiRequest, review: JsonObject): JsonObject {
  const { namespace = '' } = (review['spec'] ?? {}) as { namespace?: string }
  if (namespace === '') throw badRequest('no namespace on request')
  const rules = request.server.authorizer.rulesFor(request.user, namespace)
  const resourceRules = rules.filter(({ nonResourceURLs }) => nonResourceURLs === undefined)
  const pathRules = rules.filter(({ nonResourceURLs }) => nonResourceURLs !== undefined)
  return {
    ...review,
    metadata: {},
    spec: {},
    status: {
      resourceRules: resourceRules.map(ruleDocument),
      nonResourceRules: pathRules.map(ruleDocument),
      incomplete: false,
    },
  }
}

function ruleDocument(rule: PolicyRule): JsonObject {
  return Object.fromEntries(
    Object.entries(rule).map(([name, list]: [string, readonly string[]]) => [name, [...list]]),
  )
}
