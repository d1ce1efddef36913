// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/certificates-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { Time } from './meta-v1.ts'

/** Requests a certificate from a signer; approval is a separate step. */
export interface CertificateSigningRequest {
  apiVersion: 'certificates.k8s.io/v1'
  kind: 'CertificateSigningRequest'
  metadata: StoredMetadata<'Cluster'>
  spec: CertificateSigningRequestSpec
  status?: CertificateSigningRequestStatus
}

export const CertificateSigningRequest: ExactKind<CertificateSigningRequest> =
  /* @__PURE__ */ defineKind<CertificateSigningRequest>({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    singular: 'certificatesigningrequest',
    shortNames: ['csr'],
    scope: 'Cluster',
    subresources: ['approval', 'status'],
    protobuf: messages.CertificateSigningRequest,
  })

export interface CertificateSigningRequestCondition {
  lastTransitionTime?: Time | null
  lastUpdateTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface CertificateSigningRequestSpec {
  expirationSeconds?: number
  extra?: Record<string, string[]>
  groups?: string[]
  request: string
  signerName: string
  uid?: string
  usages?: (
    | 'any'
    | 'cert sign'
    | 'client auth'
    | 'code signing'
    | 'content commitment'
    | 'crl sign'
    | 'data encipherment'
    | 'decipher only'
    | 'digital signature'
    | 'email protection'
    | 'encipher only'
    | 'ipsec end system'
    | 'ipsec tunnel'
    | 'ipsec user'
    | 'key agreement'
    | 'key encipherment'
    | 'microsoft sgc'
    | 'netscape sgc'
    | 'ocsp signing'
    | 's/mime'
    | 'server auth'
    | 'signing'
    | 'timestamping'
  )[]
  username?: string
}

export interface CertificateSigningRequestStatus {
  certificate?: string
  conditions?: CertificateSigningRequestCondition[]
}
