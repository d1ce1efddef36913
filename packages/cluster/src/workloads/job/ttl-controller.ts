import { operator, type AnyOperator } from 'setpoint'
import { Job } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import type { JobObject } from './job-rules.ts'

/** Deletes Jobs some time after they are over, with what they own, if they say how long they are kept. */
export function ttlAfterFinishedController(): AnyOperator {
  const name = 'ttl-after-finished-controller'
  return operator(Job, { ...controllerOptions, name })
    .writes(Job)
    .reconcile(async (job, ctx) => {
      const expiryMs = expiryOf(job)
      if (expiryMs === undefined) return undefined
      const leftMs = expiryMs - ctx.now()
      if (leftMs > 0) return { recheckAfter: leftMs }
      // Not if it has changed: somebody may have given it more time.
      await ctx.delete(Job, job, { propagation: 'Foreground' })
      return undefined
    })
}

/** When a Job that is over may go, as epoch milliseconds; never while it is not, or if it does not say. */
function expiryOf({ spec, status }: JobObject): number | undefined {
  const { ttlSecondsAfterFinished } = spec
  if (ttlSecondsAfterFinished === undefined) return undefined
  const end = status?.conditions?.find(
    (condition) => ['Complete', 'Failed'].includes(condition.type) && condition.status === 'True',
  )
  const endMs = Date.parse(end?.lastTransitionTime ?? '')
  return Number.isNaN(endMs) ? undefined : endMs + ttlSecondsAfterFinished * 1000
}
