import { operator, type AnyOperator } from 'setpoint'
import { CertificateSigningRequest } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { obsoleteAtMs } from './obsolete-at.ts'

/** Deletes requests when nobody needs them any more: some time after they were decided, or were not. */
export const certificateCleaningController: AnyOperator = operator(CertificateSigningRequest, {
  ...controllerOptions,
  name: 'csrcleaner',
})
  .writes(CertificateSigningRequest)
  .reconcile(async (request, ctx) => {
    const endMs = obsoleteAtMs(request)
    if (endMs === undefined) return
    const waitMs = endMs - ctx.now()
    // A request is there until its time is over, not until it is up.
    if (waitMs >= 0) return { recheckAfter: waitMs + 1 }
    await ctx.delete(CertificateSigningRequest, request, { evenIfChanged: true })
    return undefined
  })
