import { describe, expect, it } from 'vitest'
import type { AccessAttributes, Authorizer } from '../auth/index.ts'
import type { AdmissionAttributes } from './admission.ts'
import { certificateApproval, certificateSigning } from './certificate-signers.ts'

function authorizerFor(...signers: string[]): Authorizer {
  return {
    authorize: ({ verb, resource, name }: AccessAttributes) => ({
      isAllowed: resource === 'signers' && signers.includes(`${verb} ${name}`),
      reason: '',
    }),
    rulesFor: () => [],
  }
}

const old = {
  metadata: { name: 'adm-csr' },
  spec: { signerName: 'example.com/some' },
  status: {},
}

function change(subresource: string, status: Record<string, string>): AdmissionAttributes {
  return {
    operation: 'UPDATE',
    resource: {
      group: 'certificates.k8s.io',
      version: 'v1',
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      plural: 'certificatesigningrequests',
      namespaced: false,
      isCustom: false,
    },
    subresource,
    namespace: '',
    name: 'adm-csr',
    object: { ...old, status },
    old,
    user: { name: 'jane', uid: '', groups: [], extra: {} },
    isDryRun: false,
    options: () => undefined,
    equivalents: () => [],
    decode: async (changed) => changed,
    unknownFields: () => [],
    mergeConfiguration: (live) => live,
    warn: () => undefined,
  }
}

const refusedTo = (verb: string): string =>
  `certificatesigningrequests.certificates.k8s.io "adm-csr" is forbidden: user not permitted to ${verb} requests with signerName "example.com/some"`

describe('a CertificateSigningRequest', () => {
  it('can be approved only with the right to approve for its signer', () => {
    const attempt = (authorizer: Authorizer) => (): void => {
      void certificateApproval(authorizer).validate?.(change('approval', {}))
    }
    expect(attempt(authorizerFor())).toThrow(refusedTo('approve'))
    expect(attempt(authorizerFor('sign example.com/some'))).toThrow(refusedTo('approve'))
    expect(attempt(authorizerFor('approve example.com/some'))).not.toThrow()
    expect(attempt(authorizerFor('approve example.com/*'))).not.toThrow()
  })

  it('can be signed only with the right to sign for its signer', () => {
    const attempt = (authorizer: Authorizer, certificate: string) => (): void => {
      void certificateSigning(authorizer).validate?.(change('status', { certificate }))
    }
    expect(attempt(authorizerFor(), 'LS0t')).toThrow(refusedTo('sign'))
    expect(attempt(authorizerFor(), '')).not.toThrow()
    expect(attempt(authorizerFor('sign example.com/*'), 'LS0t')).not.toThrow()
  })
})
