import type { Clock } from 'setpoint/host'
import type {
  AdmissionAttributes,
  AdmissionMeter,
  MeteredPolicy,
  MeteredWebhook,
} from '../../admission/index.ts'
import type { MetricSeries } from './metric-series.ts'

/** Larger codes count as this one, so that a webhook cannot add series without end. */
const codeMax = 600

/** Counts webhooks, policies and the steps of admission. */
export class AdmissionMetrics implements AdmissionMeter {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #series: MetricSeries

  constructor(clock: Pick<Clock, 'monotonicMs'>, series: MetricSeries) {
    this.#clock = clock
    this.#series = series
  }

  nowMs(): number {
    return this.#clock.monotonicMs()
  }

  step(
    type: 'admit' | 'validate',
    operation: AdmissionAttributes['operation'],
    { startMs, isRejected }: { readonly startMs: number; readonly isRejected: boolean },
  ): void {
    const labels = [operation, String(isRejected), type]
    this.#series.histogram('admissionSteps', labels).observe(this.#secondsSince(startMs))
  }

  webhook(call: MeteredWebhook): void {
    const { name, type, operation, startMs, isRejected, rejection } = call
    const code = String(Math.min(call.code, codeMax))
    const rejected = String(isRejected)
    const labels = [name, operation, rejected, type]
    this.#series.histogram('webhookDurations', labels).observe(this.#secondsSince(startMs))
    this.#series.number('webhookRequests', [code, ...labels]).value += 1
    if (rejection === undefined) return
    this.#series.number('webhookRejections', [rejection, name, operation, code, type]).value += 1
  }

  failedOpen(name: string, type: MeteredWebhook['type']): void {
    this.#series.number('webhooksFailedOpen', [name, type]).value += 1
  }

  policy({ policy, binding, startMs, problem, action }: MeteredPolicy): void {
    const labels = [errorType(problem), policy, binding]
    const seconds = this.#secondsSince(startMs)
    if (action === undefined) {
      this.#series.number('mutatingPolicies', labels).value += 1
      this.#series.histogram('mutatingPolicyDurations', labels).observe(seconds)
    } else {
      this.#series.number('validatingPolicies', [action, ...labels]).value += 1
      this.#series.histogram('validatingPolicyDurations', [action, ...labels]).observe(seconds)
    }
  }

  #secondsSince(startMs: number): number {
    return Math.max(0, this.#clock.monotonicMs() - startMs) / 1000
  }
}

function errorType(problem: string | undefined): string {
  if (problem === undefined) return 'no_error'
  if (/compil/.test(problem)) return 'compile_error'
  return /cost budget/.test(problem) ? 'out_of_budget' : 'invalid_error'
}
