import { jsonEquals } from 'setpoint/schema'
import type { Authorizer } from '../auth/index.ts'
import type { AdmissionAttributes } from './admission.ts'
import { refusal, type Plugin } from './plugin.ts'

interface CertificateRequest {
  readonly spec?: { readonly signerName?: string }
  readonly status?: { readonly certificate?: string; readonly conditions?: object[] }
}

/** The approver of a CertificateSigningRequest needs the right to approve for its signer. */
export function certificateApproval(authorizer: Authorizer): Plugin {
  return {
    name: 'CertificateApproval',
    validate(attributes) {
      if (isChange(attributes, 'approval')) demand(attributes, 'approve', authorizer)
    },
  }
}

/** The signer of a CertificateSigningRequest needs the right to sign for its signerName. */
export function certificateSigning(authorizer: Authorizer): Plugin {
  return {
    name: 'CertificateSigning',
    validate(attributes) {
      if (!isChange(attributes, 'status')) return
      const now = statusOf(attributes.object)
      const before = statusOf(attributes.old)
      if (!jsonEquals(now, before)) demand(attributes, 'sign', authorizer)
    },
  }
}

function isChange({ operation, resource, subresource }: AdmissionAttributes, of: string): boolean {
  return (
    operation === 'UPDATE' &&
    subresource === of &&
    resource.group === 'certificates.k8s.io' &&
    resource.plural === 'certificatesigningrequests'
  )
}

function statusOf(object: AdmissionAttributes['old']): [string, object[]] {
  const { certificate = '', conditions = [] } = (object as CertificateRequest).status ?? {}
  return [certificate, conditions]
}

/** The right may name one signer or all signers of a domain. */
function demand(
  attributes: AdmissionAttributes,
  verb: 'approve' | 'sign',
  authorizer: Authorizer,
): void {
  const { signerName = '' } = (attributes.old as CertificateRequest).spec ?? {}
  const domain = signerName.replace(/\/[^]*$/, '')
  const isAllowed = [signerName, `${domain}/*`].some((name) => {
    const { user } = attributes
    const target = { group: 'certificates.k8s.io', version: '*', resource: 'signers', name }
    const nothing = { subresource: '', namespace: '', path: '' }
    return authorizer.authorize({ user, verb, isResource: true, ...target, ...nothing }).isAllowed
  })
  if (isAllowed) return
  const text = JSON.stringify(signerName)
  throw refusal(attributes, `user not permitted to ${verb} requests with signerName ${text}`)
}
