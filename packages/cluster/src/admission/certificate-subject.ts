import { readCertificateRequest } from '../codec/index.ts'
import type { AdmissionAttributes } from './admission.ts'
import { isAbout, refusal, type Plugin } from './plugin.ts'

const signer = 'kubernetes.io/kube-apiserver-client'
const masters = 'system:masters'

/** Refuses certificates for the group system:masters, which bypasses RBAC. */
export const certificateSubject: Plugin = {
  name: 'CertificateSubjectRestriction',
  validate(attributes: AdmissionAttributes) {
    const { object, operation } = attributes
    if (operation === 'DELETE') return
    if (!isAbout(attributes, 'certificates.k8s.io', 'certificatesigningrequests')) return
    const { spec } = object as { spec?: { signerName?: string; request?: string } }
    if (spec?.signerName !== signer) return
    // Validation has already refused a request that cannot be parsed.
    const { organizations = [] } = readCertificateRequest(spec.request ?? '') ?? {}
    if (!organizations.includes(masters)) return
    throw refusal(attributes, `use of ${signer} signer with ${masters} group is not allowed`)
  },
}
