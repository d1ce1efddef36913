import { fieldError, type FieldError, type JsonObject } from 'setpoint/schema'
import type { AccessAttributes, UserInfo } from '../../auth/index.ts'
import { encodeJson } from '../../codec/index.ts'
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
  readonly fieldSelector?: AttributesSelector
  readonly labelSelector?: AttributesSelector
}

interface AttributesSelector {
  readonly rawSelector?: string
  readonly requirements?: readonly unknown[]
}

interface ReviewSpec {
  readonly resourceAttributes?: ResourceAttributes
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string }
  readonly user?: string
  readonly groups?: readonly string[]
  readonly uid?: string
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/**
 * Answers whether the given user (in the self form: the requesting user) may do something. Nothing
 * is stored.
 */
export function accessReview(request: ApiRequest, review: JsonObject): JsonObject {
  const spec = (review['spec'] ?? {}) as unknown as ReviewSpec
  const isSelf = review['kind'] === 'SelfSubjectAccessReview'
  checkReview(review, spec)
  const user: UserInfo = isSelf
    ? request.user
    : { name: spec.user ?? '', uid: spec.uid, groups: spec.groups ?? [], extra: spec.extra }
  const { isAllowed, reason } = request.server.authorizer.authorize(attributesOf(spec, user))
  return {
    ...review,
    status: { allowed: isAllowed, ...(reason === '' ? {} : { reason }) },
  }
}

function checkReview(review: JsonObject, spec: ReviewSpec): void {
  const errors = reviewErrors(review, spec)
  if (errors.length > 0)
    throw invalidObject({ group: 'authorization.k8s.io', kind: '' }, '', errors)
}

function reviewErrors(review: JsonObject, spec: ReviewSpec): FieldError[] {
  const isSelf = review['kind'] === 'SelfSubjectAccessReview'
  const errors = [...attributeErrors(spec), ...(isSelf ? [] : subjectErrors(spec))]
  const { managedFields: _managers, ...metadata } = (review['metadata'] ?? {}) as JsonObject
  if (review['kind'] === 'LocalSubjectAccessReview') {
    const { namespace = '', ...others } = metadata
    if (Object.keys(others).length > 0) errors.push(mustBeEmpty(review))
    return [...errors, ...placeErrors(spec, typeof namespace === 'string' ? namespace : '')]
  }
  return Object.keys(metadata).length > 0 ? [...errors, mustBeEmpty(review)] : errors
}

function mustBeEmpty(review: JsonObject): FieldError {
  const text = encodeJson(review['metadata'] ?? {})
  return fieldError.invalidPrinted('metadata', text, 'must be empty')
}

function attributeErrors(spec: ReviewSpec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    return [pathError(spec, 'cannot be specified in combination with resourceAttributes')]
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    return [fieldError.invalid('spec.resourceAttributes', null, detail)]
  }
  const at = 'spec.resourceAttributes'
  return [
    ...selectorErrors(`${at}.fieldSelector`, resourceAttributes?.fieldSelector),
    ...selectorErrors(`${at}.labelSelector`, resourceAttributes?.labelSelector),
  ]
}

function selectorErrors(at: string, selector: AttributesSelector | undefined): FieldError[] {
  const { rawSelector = '', requirements = [] } = selector ?? {}
  if (selector === undefined) return []
  if (rawSelector !== '' && requirements.length > 0) {
    const detail = 'may not specified at the same time as requirements'
    return [fieldError.invalid(`${at}.rawSelector`, rawSelector, detail)]
  }
  if (rawSelector !== '' || requirements.length > 0) return []
  const detail = `when ${at} is specified, requirements or rawSelector is required`
  return [fieldError.required(`${at}.requirements`, detail)]
}

function subjectErrors({ user = '', groups = [] }: ReviewSpec): FieldError[] {
  if (user !== '' || groups.length > 0) return []
  return [fieldError.invalid('spec.user', '', 'at least one of user or group must be specified')]
}

/** A LocalSubjectAccessReview is about the namespace it is posted to. */
function placeErrors(spec: ReviewSpec, namespace: string): FieldError[] {
  const { resourceAttributes: about, nonResourceAttributes: path } = spec
  const errors: FieldError[] = []
  if (about !== undefined && (about.namespace ?? '') !== namespace) {
    const detail = 'must match metadata.namespace'
    const field = 'spec.resourceAttributes.namespace'
    errors.push(fieldError.invalid(field, about.namespace ?? '', detail))
  }
  if (path !== undefined) errors.push(pathError(spec, 'disallowed on this kind of request'))
  return errors
}

function pathError({ nonResourceAttributes }: ReviewSpec, detail: string): FieldError {
  const { path = '', verb = '' } = nonResourceAttributes ?? {}
  return fieldError.invalid('spec.nonResourceAttributes', { Path: path, Verb: verb }, detail)
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
