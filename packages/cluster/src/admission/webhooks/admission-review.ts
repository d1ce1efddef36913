import { isJsonObject, type JsonObject } from 'setpoint/schema'
import { encodeJson } from '../../codec/index.ts'
import { OutboundError, readReview, shownKind } from '../../outbound/index.ts'
import type { Status } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { Invocation } from './invocation.ts'

/** The versions of the protocol, the preferred one first. */
export type ReviewVersion = 'v1' | 'v1beta1'

/** A verified response of a webhook. */
export interface ReviewResponse {
  readonly isAllowed: boolean
  readonly result: Partial<Status> | undefined
  /** The text of a JSON patch; empty without one. */
  readonly patch: string
  readonly patchType: string
  readonly warnings: readonly string[]
  readonly auditAnnotations: Readonly<Record<string, string>>
}

/** The request for a webhook, in the order in which a real server writes its fields. */
export function reviewRequest(
  attributes: AdmissionAttributes,
  invocation: Invocation,
  { uid, version }: { readonly uid: string; readonly version: ReviewVersion },
): string {
  const { object, old } = invocation.write
  const { dryRun, options, ...request } = describedRequest(attributes, invocation)
  return encodeJson({
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      ...request,
      object: object ?? null,
      oldObject: old ?? null,
      dryRun,
      options,
    },
  })
}

/** What webhooks and expressions know of a request, except its objects. */
export function describedRequest(
  attributes: AdmissionAttributes,
  { write, resource }: Invocation,
): { readonly dryRun: boolean; readonly options: JsonObject | null } & JsonObject {
  const { subresource, name, user, isDryRun } = attributes
  const { group, version, plural, kind } = attributes.resource
  const requestKind = attributes.subject?.kind ?? { group, version, kind }
  const { extra = {} } = user
  return {
    kind: { ...write.kind },
    resource: { group: resource.group, version: resource.version, resource: resource.plural },
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: { ...requestKind },
    requestResource: { group, version, resource: plural },
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(write.namespace === '' ? {} : { namespace: write.namespace }),
    operation: attributes.operation,
    userInfo: {
      username: user.name,
      ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
      ...(Object.keys(extra).length === 0 ? {} : { extra: extra as unknown as JsonObject }),
    },
    dryRun: isDryRun,
    options: attributes.options() ?? null,
  }
}

interface RawResponse {
  readonly uid?: string
  readonly allowed?: boolean
  readonly status?: Partial<Status>
  readonly patch?: string | null
  readonly patchType?: string | null
  readonly warnings?: readonly string[] | null
  readonly auditAnnotations?: Readonly<Record<string, string>> | null
}

/** Reads and verifies the response of a webhook; throws an `OutboundError`. */
export function reviewResponse(
  text: string,
  { uid, version, isMutating }: { uid: string; version: ReviewVersion; isMutating: boolean },
): ReviewResponse {
  const review = readAdmissionReview(text, version)
  const response = review['response']
  if (!isJsonObject(response)) throw invalid('webhook response was absent')
  const raw = response as unknown as RawResponse
  const patch = Buffer.from(raw.patch ?? '', 'base64').toString('utf8')
  if (version === 'v1') verify(review, { ...raw, patch }, { uid, isMutating })
  return {
    isAllowed: raw.allowed === true,
    result: raw.status,
    patch: isMutating ? patch : '',
    patchType: raw.patchType ?? (patch === '' ? '' : 'JSONPatch'),
    warnings: raw.warnings ?? [],
    auditAnnotations: raw.auditAnnotations ?? {},
  }
}

/** Reads an AdmissionReview; throws an `OutboundError`. */
function readAdmissionReview(text: string, version: ReviewVersion): JsonObject {
  try {
    return readReview(text, { group: 'admission.k8s.io', version, kind: 'AdmissionReview' })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new OutboundError(`failed to call webhook: ${error.message}`)
  }
}

function verify(
  review: JsonObject,
  { uid = '', patch, patchType }: RawResponse,
  expected: { readonly uid: string; readonly isMutating: boolean },
): void {
  if (uid !== expected.uid) {
    throw invalid(`expected response.uid="${expected.uid}", got "${uid}"`)
  }
  const kind = shownKind(review)
  if (kind !== 'admission.k8s.io/v1, Kind=AdmissionReview') {
    throw invalid(
      `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${kind}`,
    )
  }
  const hasPatch = (patch ?? '') !== ''
  const hasType = patchType !== undefined && patchType !== null
  if (!expected.isMutating) {
    if (hasPatch) throw invalid('validating webhook may not return response.patch')
    if (hasType) throw invalid('validating webhook may not return response.patchType')
    return
  }
  if (hasPatch && !hasType)
    throw invalid('webhook returned response.patch but not response.patchType')
  if (!hasPatch && hasType)
    throw invalid('webhook returned response.patchType but not response.patch')
  if (patchType === '') throw invalid('webhook returned invalid response.patchType of ""')
}

function invalid(why: string): OutboundError {
  return new OutboundError(`received invalid webhook response: ${why}`)
}
