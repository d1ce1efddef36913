import { fieldError, type JsonObject } from 'setpoint/schema'
import type { AccessAttributes, UserInfo } from '../../auth/index.ts'
import { invalidObject } from '../../status/index.ts'
import type { ApiRequest } from '../api-request.ts'

interface ResourceAttributes {
  readonly namespace?: string
  readonly verb?: string
  readonly group?: string
  readonly version?: string
  readonly resource?: string
  readonly subresource?: string
  readonly name?: string
}

interface ReviewSpec {
  readonly resourceAttributes?: ResourceAttributes
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string }
  readonly user?: string
  readonly groups?: readonly string[]
  readonly uid?: string
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** May this user (or, in the self form, may I)? Nothing is stored. */
export function accessReview(request: ApiRequest, review: JsonObject): JsonObject {
  const spec = (review['spec'] ?? {}) as unknown as ReviewSpec
  const isSelf = review['kind'] === 'SelfSubjectAccessReview'
  checkReview(spec, isSelf)
  const user: UserInfo = isSelf
    ? request.user
    : { name: spec.user ?? '', uid: spec.uid, groups: spec.groups ?? [], extra: spec.extra }
  const { isAllowed, reason } = request.server.authorizer.authorize(attributesOf(spec, user))
  return {
    ...review,
    status: { allowed: isAllowed, ...(reason === '' ? {} : { reason }) },
  }
}

function checkReview(spec: ReviewSpec, isSelf: boolean): void {
  const errors = []
  if (spec.resourceAttributes !== undefined && spec.nonResourceAttributes !== undefined) {
    const { path = '', verb = '' } = spec.nonResourceAttributes
    const detail = 'cannot be specified in combination with resourceAttributes'
    errors.push(
      fieldError.invalid('spec.nonResourceAttributes', { Path: path, Verb: verb }, detail),
    )
  }
  if (spec.resourceAttributes === undefined && spec.nonResourceAttributes === undefined) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    errors.push(fieldError.invalid('spec.resourceAttributes', null, detail))
  }
  if (!isSelf && (spec.user ?? '') === '' && (spec.groups ?? []).length === 0) {
    const detail = 'at least one of user or group must be specified'
    errors.push(fieldError.invalid('spec.user', '', detail))
  }
  if (errors.length > 0)
    throw invalidObject({ group: 'authorization.k8s.io', kind: '' }, '', errors)
}

function attributesOf(spec: ReviewSpec, user: UserInfo): AccessAttributes {
  const { resourceAttributes: about, nonResourceAttributes: path } = spec
  return {
    user,
    verb: about?.verb ?? path?.verb ?? '',
    isResource: about !== undefined,
    group: about?.group ?? '',
    version: about?.version ?? '',
    resource: about?.resource ?? '',
    subresource: about?.subresource ?? '',
    namespace: about?.namespace ?? '',
    name: about?.name ?? '',
    path: path?.path ?? '',
  }
}
