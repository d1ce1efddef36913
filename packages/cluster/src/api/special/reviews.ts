import type { JsonObject } from 'setpoint/schema'
import { encodeJson } from '../../codec/index.ts'
import type { PolicyRule, UserInfo } from '../../auth/index.ts'
import { formatTime, namespaceOf } from '../../object/index.ts'
import { badRequest } from '../../status/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { decodeObject } from '../body.ts'
import type { JsonAnswer } from '../http/respond.ts'
import { writeOptions } from '../options/write-options.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { matchNamespace } from '../verbs/create.ts'
import { accessReview } from './access-reviews.ts'

/** Kinds that are questions: they are answered, never stored. */
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
  const review = await decodeObject(request, resource, () => {
    const source = { query: info.query, userAgent: headers['user-agent'] ?? '' }
    return writeOptions('CreateOptions', source).fieldValidation
  })
  matchNamespace(review, { namespace: info.namespace, resource })
  if (!resource.namespaced && namespaceOf(review) === '') {
    Reflect.deleteProperty(review['metadata'] as JsonObject, 'namespace')
  }
  return { code: 201, text: encodeJson(reviewed(request, review)) }
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
  const { token = '' } = (review['spec'] ?? {}) as { token?: string }
  if (token === '') throw badRequest('token is required for TokenReview in authentication')
  const user = server.userOfToken(token)
  const status: JsonObject =
    user === undefined
      ? { user: {}, error: 'invalid bearer token' }
      : { authenticated: true, user: userDocument(user), audiences: [server.issuer] }
  return { ...review, status }
}

function rulesReview(request: ApiRequest, review: JsonObject): JsonObject {
  const { namespace = '' } = (review['spec'] ?? {}) as { namespace?: string }
  if (namespace === '') throw badRequest('no namespace on request')
  const rules = request.server.authorizer.rulesFor(request.user, namespace)
  const resourceRules = rules.filter(({ nonResourceURLs }) => nonResourceURLs === undefined)
  const pathRules = rules.filter(({ nonResourceURLs }) => nonResourceURLs !== undefined)
  return {
    ...review,
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
