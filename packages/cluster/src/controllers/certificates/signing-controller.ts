import { operator } from 'setpoint'
import { CertificateSigningRequest } from 'setpoint/kinds'
import { readCertificateRequest } from '../../codec/index.ts'
import { formatTime } from '../../object/index.ts'
import { controllerOptions } from '../controller-options.ts'
import { hasCondition, lifetimeMsOf, signerDecision } from './signer-rules.ts'

/** The input of a signature by the certificate authority. */
export interface CertificateOrder {
  /** The request, base64 of PEM. */
  readonly request: string
  readonly usages: readonly string[]
  readonly lifetimeMs: number
}

/** Signs approved requests of the built-in signers. `sign` returns a certificate in PEM. */
export function certificateSigningController(sign: (order: CertificateOrder) => string) {
  return operator(CertificateSigningRequest, {
    ...controllerOptions,
    name: 'csrsigning',
  }).reconcile(async (request, ctx) => {
    const { spec, status } = request
    if (status?.certificate !== undefined) return
    if (!hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return
    if (hasCondition(request, 'Failed')) return
    const requested = readCertificateRequest(spec.request)
    if (requested === undefined) return
    const { isResponsible, refusal } = signerDecision(request, requested)
    if (!isResponsible) return
    if (refusal !== undefined) {
      const failed = {
        type: 'Failed',
        status: 'True',
        reason: 'SignerValidationFailure',
        message: refusal,
        lastUpdateTime: formatTime(ctx.now()),
      }
      const conditions = [...(status?.conditions ?? []), failed]
      return ctx.updateStatus({ ...status, conditions })
    }
    const order = {
      request: spec.request,
      usages: spec.usages ?? [],
      lifetimeMs: lifetimeMsOf(request),
    }
    return ctx.updateStatus({ ...status, certificate: btoa(sign(order)) })
  })
}
