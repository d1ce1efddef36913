import { CutConnection, onAbort, type ServerResponse, type Timers } from 'setpoint/host'
import { tooManyRequests } from '../limits/index.ts'
import { ApiError, internalError, staleObject } from '../status/index.ts'
import type { FaultCode } from './legal-answers.ts'
import type { FaultedRequest } from './request-match.ts'

/** What happens to a request. */
export type FaultEffect =
  | {
      readonly type: 'answer'
      readonly code: FaultCode
      readonly retryAfterSeconds: number
      readonly afterMs: number
    }
  | { readonly type: 'lose-request'; readonly afterMs: number }
  | { readonly type: 'lose-answer'; readonly how: 'reset' | 'silent' }
  | { readonly type: 'delay'; readonly byMs: number }

/** A response or an error instead of the execution of a request. */
type EarlyAnswer = { readonly response: ServerResponse } | { readonly error: ApiError }

/** The fault of one request. */
export class RequestFault {
  readonly #effect: FaultEffect
  readonly #request: FaultedRequest
  readonly #host: Timers

  constructor(effect: FaultEffect, request: FaultedRequest, host: Timers) {
    this.#effect = effect
    this.#request = request
    this.#host = host
  }

  /** The revision of the requested page has expired. */
  get expiresPage(): boolean {
    return this.#effect.type === 'answer' && this.#effect.code === 410
  }

  /** The request is executed even if its client is gone by then: its body has to arrive first. */
  get isDelayed(): boolean {
    return this.#effect.type === 'delay'
  }

  /** Runs before the request is executed. Throws `CutConnection` to break the connection. */
  async before(signal: () => AbortSignal): Promise<EarlyAnswer | undefined> {
    const effect = this.#effect
    if (effect.type === 'lose-answer' || this.expiresPage) return undefined
    if (effect.type === 'delay') {
      await this.#host.sleep(effect.byMs)
      return undefined
    }
    if (effect.afterMs > 0) {
      await this.#host.sleep(effect.afterMs, signal()).catch(() => {
        // The client has disconnected.
        throw new CutConnection()
      })
    }
    if (effect.type === 'lose-request') throw new CutConnection()
    return earlyAnswer(effect.code, this.#request, effect.retryAfterSeconds)
  }

  /** Runs after the request is executed. Throws `CutConnection` if its answer is lost. */
  async after(signal: () => AbortSignal): Promise<void> {
    const effect = this.#effect
    if (effect.type !== 'lose-answer') return
    if (effect.how === 'silent' && !signal().aborted) {
      await new Promise<void>((resolve) => void onAbort(signal(), resolve))
    }
    throw new CutConnection()
  }
}

function earlyAnswer(
  code: FaultCode,
  { group, resource, name }: FaultedRequest,
  retryAfterSeconds: number,
): EarlyAnswer {
  switch (code) {
    case 409:
      return { error: staleObject({ group, resource }, name) }
    case 429:
      return { response: tooManyRequests(retryAfterSeconds) }
    case 500:
      return { error: internalError('etcdserver: leader changed') }
    case 503:
      return {
        error: new ApiError({
          code,
          reason: 'ServiceUnavailable',
          message: 'apiserver is shutting down',
          details: { retryAfterSeconds },
        }),
      }
    default:
      return { error: storageTimeout() }
  }
}

/** 504: the storage did not answer in time. */
function storageTimeout(): ApiError {
  const message =
    'Timeout: request did not complete within requested timeout - context deadline exceeded'
  return new ApiError({ code: 504, reason: 'Timeout', message, details: {} })
}
