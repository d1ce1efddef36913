import type { Random } from 'setpoint/host'
import type { Authorizer } from '../../auth/index.ts'
import { type OutboundCalls, OutboundError } from '../../outbound/index.ts'
import { badRequest, internalError, type Status } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { AdmissionMeter } from '../admission-meter.ts'
import {
  type ReviewResponse,
  reviewRequest,
  reviewResponse,
  type ReviewVersion,
} from './admission-review.ts'
import type { Invocation } from './invocation.ts'
import { WebhookCallError, WebhookDenial } from './webhook-errors.ts'
import type { Webhook } from './webhook.ts'

/** The dependencies of webhook calls. */
export interface WebhookCalls {
  readonly calls: OutboundCalls
  readonly host: Random
  readonly authorizer: Authorizer
  readonly meter: AdmissionMeter
}

const timeoutDefaultSeconds = 10

/**
 * Calls a webhook about a write. Throws a `WebhookCallError` if there is no valid response, and an
 * `ApiError` if it denies the request or cannot be called in a dry run.
 */
export async function callWebhook(
  webhook: Webhook,
  request: {
    readonly attributes: AdmissionAttributes
    readonly invocation: Invocation
    readonly isMutating: boolean
  },
  { calls, host }: WebhookCalls,
): Promise<ReviewResponse> {
  const { attributes, invocation, isMutating } = request
  const { name, clientConfig, sideEffects = '' } = webhook
  if (attributes.isDryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') {
    throw badRequest(`admission webhook "${name}" does not support dry run`)
  }
  const version = reviewVersion(webhook)
  if (version === undefined) {
    const why = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)'
    throw new WebhookCallError(name, `could not create admission objects: ${why}`)
  }
  const uid = host.uuid()
  const { timeoutSeconds = timeoutDefaultSeconds } = webhook
  const body = reviewRequest(attributes, invocation, { uid, version })
  let text: string
  try {
    text = await calls.post(clientConfig, { body, timeoutSeconds })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new WebhookCallError(name, `failed to call webhook: ${error.message}`, error.code)
  }
  let response: ReviewResponse
  try {
    response = reviewResponse(text, { uid, version, isMutating })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new WebhookCallError(name, error.message)
  }
  for (const warning of response.warnings) attributes.warn(warning)
  for (const [key, value] of Object.entries(response.auditAnnotations)) {
    attributes.annotate?.(`${name}/${key}`, value)
  }
  if (!response.isAllowed) throw denial(name, response.result ?? {})
  return response
}

function reviewVersion({ admissionReviewVersions = [] }: Webhook): ReviewVersion | undefined {
  return admissionReviewVersions.find(
    (version): version is ReviewVersion => version === 'v1' || version === 'v1beta1',
  )
}

/** The answer to a denied request: the Status of the webhook, with its name in the message. */
function denial(webhook: string, result: Partial<Status>): WebhookDenial {
  const { message = '', reason = '', code = 0, details } = result
  const denied = `admission webhook "${webhook}" denied the request`
  const why = message === '' ? reason : message
  return new WebhookDenial({
    code: code < 400 ? 400 : code,
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
  })
}

/**
 * The error of a call under the failure policy of its webhook: `undefined` if the failure is
 * ignored.
 */
export function refusalAfter(error: unknown, { failurePolicy }: Webhook): Error | undefined {
  if (!(error instanceof Error)) return internalError(String(error))
  if (!(error instanceof WebhookCallError)) return error
  return failurePolicy === 'Ignore' ? undefined : internalError(error.message)
}
