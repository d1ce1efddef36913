import { operator, type AnyOperator } from 'setpoint'
import { Job } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import type { JobObject } from './job-rules.ts'

/** Deletes finished Jobs with their dependents after ttlSecondsAfterFinished. */
export function ttlAfterFinishedController(): AnyOperator {
  const name = 'ttl-after-finished-controller'
  return operator(Job, { ...controllerOptions, name })
    .writes(Job)
    .reconcile(async (job, ctx) => {
      const expiryMs = expiryOf(job)
      if (expiryMs === undefined) return undefined
      const leftMs = expiryMs - ctx.now()
      if (leftMs > 0) return { recheckAfter: leftMs }
      // Fails with a conflict if the Job changed: a user may have increased the TTL.
      await ctx.delete(Job, job, { propagation: 'Foreground' })
      return undefined
    })
}

/**
 * When a finished Job may be deleted, in epoch milliseconds; `undefined` if it is not finished or
 * has no TTL.
 */
function expiryOf({ spec, status }: JobObject): number | undefined {
  const { ttlSecondsAfterFinished } = spec
  if (ttlSecondsAfterFinished === undefined) return undefined
  const end = status?.conditions?.find(
    (condition) => ['Complete', 'Failed'].includes(condition.type) && condition.status === 'True',
  )
  const endMs = Date.parse(end?.lastTransitionTime ?? '')
  return Number.isNaN(endMs) ? undefined : endMs + ttlSecondsAfterFinished * 1000
}
