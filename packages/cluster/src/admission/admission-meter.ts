import type { AdmissionAttributes } from './admission.ts'

type Operation = AdmissionAttributes['operation']

/** Which half of admission something belongs to, in the words of metrics. */
type StepType = 'admit' | 'validate'

/** A call of a webhook, and what it led to. */
export interface MeteredWebhook {
  readonly name: string
  readonly type: 'admit' | 'validating'
  readonly operation: Operation
  readonly startMs: number
  readonly isRejected: boolean
  readonly code: number
  /** Set if the request is rejected: by the webhook itself, or because it could not be called. */
  readonly rejection?: 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error'
}

/** The check of a policy, as its binding enforces it. */
export interface MeteredPolicy {
  readonly policy: string
  readonly binding: string
  readonly startMs: number
  /** The problem; undefined if there was none. */
  readonly problem?: string | undefined
  /** What a validating policy does about it; undefined for mutating policies. */
  readonly action?: 'allow' | 'audit' | 'deny' | 'warn'
}

/** Measures admission, for `/metrics`. */
export interface AdmissionMeter {
  nowMs(): number
  step(type: StepType, operation: Operation, end: { startMs: number; isRejected: boolean }): void
  webhook(call: MeteredWebhook): void
  /** A webhook could not be called, and its failures are ignored. */
  failedOpen(name: string, type: MeteredWebhook['type']): void
  policy(check: MeteredPolicy): void
}
