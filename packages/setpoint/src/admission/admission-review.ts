import { isJsonObject, type JsonObject, type JsonValue } from '../schema/index.ts'
import type { AdmissionOperation } from './admission-options.ts'

/** A user, as in the reviews of API servers. */
export interface AdmissionUser {
  readonly username: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

interface GroupVersionResource {
  readonly group: string
  readonly version: string
  readonly resource: string
}

/** The request of an AdmissionReview. */
export interface AdmissionRequest {
  readonly uid: string
  readonly kind: GroupVersionKind
  readonly resource: GroupVersionResource
  readonly subResource?: string
  readonly requestKind?: GroupVersionKind
  readonly requestResource?: GroupVersionResource
  readonly requestSubResource?: string
  readonly name?: string
  readonly namespace?: string
  readonly operation: AdmissionOperation
  readonly userInfo: AdmissionUser
  readonly object?: JsonObject | null
  readonly oldObject?: JsonObject | null
  readonly dryRun?: boolean
  readonly options?: JsonObject | null
}

/** The Status of a refused request. */
export interface RefusalStatus {
  readonly status: 'Failure'
  readonly message: string
  readonly reason: string
  readonly code: number
  readonly details?: object
}

/** The response of an AdmissionReview. */
export interface AdmissionResponse {
  readonly uid: string
  readonly allowed: boolean
  readonly status?: RefusalStatus
  readonly patchType?: 'JSONPatch'
  /** Base64 of JSON. */
  readonly patch?: string
  readonly warnings?: readonly string[]
  readonly auditAnnotations?: Readonly<Record<string, string>>
}

const operations: ReadonlySet<unknown> = new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT'])

/** The request of a review, or what is wrong with it. */
export function readAdmissionReview(text: string): AdmissionRequest | string {
  let review: JsonValue
  try {
    review = JSON.parse(text) as JsonValue
  } catch {
    return 'the body is not JSON'
  }
  if (!isJsonObject(review) || review['kind'] !== 'AdmissionReview') {
    return 'the body is not an AdmissionReview'
  }
  if (review['apiVersion'] !== 'admission.k8s.io/v1') {
    return 'the AdmissionReview is not of the version admission.k8s.io/v1'
  }
  const request = review['request']
  if (request === undefined || !isJsonObject(request)) return 'the AdmissionReview has no request'
  const { uid, operation, userInfo, kind, resource } = request
  const isComplete =
    typeof uid === 'string' &&
    uid !== '' &&
    operations.has(operation) &&
    [userInfo, kind, resource].every((field) => field !== undefined && isJsonObject(field))
  return isComplete
    ? (request as unknown as AdmissionRequest)
    : 'the request of the AdmissionReview is incomplete'
}

/** The review that answers a request. */
export function reviewOf(response: AdmissionResponse): string {
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response })
}
