import { operator, type AnyOperator } from 'setpoint'
import { CertificateSigningRequest } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { requestExpiryMs } from './request-expiry.ts'

/** Deletes certificate requests some time after they were approved, denied or created. */
export const certificateCleaningController: AnyOperator = operator(CertificateSigningRequest, {
  ...controllerOptions,
  name: 'csrcleaner',
})
  .writes(CertificateSigningRequest)
  .reconcile(async (request, ctx) => {
    const endMs = requestExpiryMs(request)
    if (endMs === undefined) return
    const waitMs = endMs - ctx.now()
    // Deletes after the time, not at the time, so one millisecond is added.
    if (waitMs >= 0) return { recheckAfter: waitMs + 1 }
    await ctx.delete(CertificateSigningRequest, request, { evenIfChanged: true })
    return undefined
  })
