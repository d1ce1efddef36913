import { operator, RetryLaterError, type AnyOperator } from 'setpoint'
import { CertificateSigningRequest, SubjectAccessReview } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { approvalsFor, hasCondition } from './signer-rules.ts'

const approvalRight = {
  group: 'certificates.k8s.io',
  resource: 'certificatesigningrequests',
  verb: 'create',
  version: '*',
}

/** Approves certificate requests of nodes, if the requester has the right to it. */
export const certificateApprovalController: AnyOperator = operator(CertificateSigningRequest, {
  ...controllerOptions,
  name: 'csrapproving',
})
  .writes(CertificateSigningRequest)
  .reconcile(async (request, ctx) => {
    const { spec, status } = request
    if (status?.certificate !== undefined) return
    if (hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return
    const tried: string[] = []
    for (const { subresource, message } of approvalsFor(request)) {
      const { username, uid, groups, extra } = spec
      const review = await ctx.client.create(
        SubjectAccessReview,
        {
          metadata: {},
          spec: {
            ...(username !== undefined && { user: username }),
            ...(uid !== undefined && { uid }),
            ...(groups && { groups }),
            ...(extra && { extra }),
            resourceAttributes: { ...approvalRight, subresource },
          },
        },
        { signal: ctx.signal },
      )
      if (review.status?.allowed === true) {
        const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved', message }
        const conditions = [...(status?.conditions ?? []), approved]
        const merge = { status: { conditions } }
        await ctx.patch(CertificateSigningRequest, request, { merge, subresource: 'approval' })
        return
      }
      tried.push(subresource)
    }
    if (tried.length === 0) return
    // The right may be granted later.
    throw new RetryLaterError(
      `recognized csr "${request.metadata.name}" as [${tried.join(' ')}] but subject access review was not approved`,
    )
  })
