import { ApiError } from '../../status/index.ts'

/** A call that failed; the failure policy decides whether the write fails too. */
export class WebhookCallError extends Error {
  /** The status code in metrics. */
  readonly code: number

  constructor(webhook: string, reason: string, code = 400) {
    super(`failed calling webhook "${webhook}": ${reason}`)
    this.name = 'WebhookCallError'
    this.code = code
  }
}

/** A webhook denied the request. */
export class WebhookDenial extends ApiError {}
