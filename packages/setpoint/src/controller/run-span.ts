import { isSetpointError } from '../errors/index.ts'
import type { Clock } from '../host/index.ts'
import { type ActiveSpan, inSpan } from '../trace/index.ts'
import type { Outcome } from './outcome.ts'
import type { Reason } from './reason.ts'

/** A reconcile, for its span. */
interface TracedRun {
  readonly host: Clock
  readonly controller: string
  readonly id: string
  readonly key: string
  readonly reasons: readonly Reason[]
  readonly failures: number
  /** How long the key was due. */
  readonly waitedMs: number
}

/**
 * Runs a reconcile in its own span, with its reasons and their age. The requests of the reconcile
 * are spans below it.
 */
export async function inRunSpan(
  traced: TracedRun,
  reconcile: () => Promise<Outcome>,
): Promise<Outcome> {
  const { controller, id, key, failures, waitedMs } = traced
  const attributes = () => ({
    'setpoint.operator': controller,
    'setpoint.key': key,
    'setpoint.run.id': id,
    'setpoint.run.failures': failures,
    'setpoint.queue.wait_ms': waitedMs,
  })
  return inSpan(
    { name: `reconcile ${controller}`, kind: 'run', attributes },
    async (span) => {
      if (span?.isRecording() === true) recordReasons(span, traced)
      const outcome = await reconcile()
      const recheckAfter = outcome?.recheckAfter
      if (recheckAfter !== undefined) span?.setAttributes({ 'setpoint.run.recheck': recheckAfter })
      return outcome
    },
    // A RetryLaterError is an outcome, not a failure.
    (error) => !isSetpointError(error, 'RETRY_LATER'),
  )
}

function recordReasons(span: ActiveSpan, { host, reasons }: TracedRun): void {
  const seen = reasons.flatMap((reason) => (reason.cause === 'change' ? [reason.seenMs] : []))
  if (seen.length > 0) {
    const firstMs = Math.min(...seen)
    span.setAttributes({
      'setpoint.event.time': new Date(firstMs).toISOString(),
      'setpoint.event.age_ms': host.now() - firstMs,
    })
  }
  for (const reason of reasons) {
    if (reason.cause !== 'change') {
      span.addEvent('reason', {
        'setpoint.cause': reason.cause,
        'setpoint.reason': String(reason),
      })
      continue
    }
    const { cause, change, kind, key, fields, resourceVersion } = reason
    const attributes = {
      'setpoint.cause': cause,
      'setpoint.change': change,
      'k8s.kind': kind,
      'setpoint.object': key,
      'k8s.resource_version': resourceVersion,
      'setpoint.fields': [...fields],
    }
    span.addEvent('reason', attributes, reason.seenMs)
  }
}
