import { ApiError } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { AdmissionMeter, MeteredWebhook } from '../admission-meter.ts'
import { WebhookCallError, WebhookDenial } from './webhook-errors.ts'
import type { Webhook } from './webhook.ts'

interface MeteredCall {
  readonly webhook: Webhook
  readonly attributes: AdmissionAttributes
  readonly type: MeteredWebhook['type']
  readonly meter: AdmissionMeter
}

/** Measures a call with everything that follows from its response. */
export async function meteredCall<Result>(
  { webhook, attributes, type, meter }: MeteredCall,
  call: () => Promise<Result>,
): Promise<Result> {
  const { name, failurePolicy } = webhook
  const { operation } = attributes
  const startMs = meter.nowMs()
  const known = { name, type, operation, startMs }
  try {
    const result = await call()
    meter.webhook({ ...known, isRejected: false, code: 200 })
    return result
  } catch (error) {
    if (error instanceof WebhookCallError && failurePolicy === 'Ignore') {
      meter.webhook({ ...known, isRejected: false, code: error.code })
      meter.failedOpen(name, type)
    } else if (error instanceof WebhookCallError) {
      const rejection = 'calling_webhook_error'
      meter.webhook({ ...known, isRejected: true, code: error.code, rejection })
    } else if (error instanceof WebhookDenial) {
      const { code = 400 } = error.status
      meter.webhook({ ...known, isRejected: true, code, rejection: 'no_error' })
    } else if (error instanceof ApiError) {
      const rejection = 'apiserver_internal_error'
      meter.webhook({ ...known, isRejected: true, code: 0, rejection })
    }
    throw error
  } finally {
    const layer = type === 'admit' ? 'mutating-webhook' : 'validating-webhook'
    attributes.took?.(layer, meter.nowMs() - startMs)
  }
}
