import type { Frozen } from 'setpoint'
import type { CertificateSigningRequest } from 'setpoint/kinds'
import { readCertificateRequest, type CertificateRequest } from '../../codec/index.ts'

export type RequestObject = Frozen<CertificateSigningRequest>

/** The signers of every cluster. */
const signers = {
  client: 'kubernetes.io/kube-apiserver-client',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
  legacy: 'kubernetes.io/legacy-unknown',
}

const defaultLifetimeMs = 365 * 24 * 3600_000
const shortestLifetimeMs = 10 * 60_000

export function hasCondition({ status }: RequestObject, type: string): boolean {
  return (status?.conditions ?? []).some((one) => one.type === type && one.status === 'True')
}

/** Whether a built-in signer is responsible for a request, and why it refuses. */
export function signerDecision(
  { spec }: RequestObject,
  requested: CertificateRequest,
): { readonly isResponsible: boolean; readonly refusal?: string } {
  const { signerName, usages = [] } = spec
  if (!Object.values(signers).includes(signerName)) return { isResponsible: false }
  const refusal =
    signerName === signers.client
      ? clientRefusal(usages)
      : signerName === signers.kubeletClient
        ? kubeletClientRefusal(requested, usages)
        : signerName === signers.kubeletServing
          ? kubeletServingRefusal(requested, usages)
          : undefined
  return { isResponsible: true, ...(refusal !== undefined && { refusal }) }
}

/** The lifetime of a certificate: a year, or less if the request asks for less. */
export function lifetimeMsOf({ spec }: RequestObject): number {
  const { expirationSeconds } = spec
  if (expirationSeconds === undefined) return defaultLifetimeMs
  return Math.min(defaultLifetimeMs, Math.max(shortestLifetimeMs, expirationSeconds * 1000))
}

/** A right that approves a request automatically. */
interface Approval {
  readonly subresource: 'selfnodeclient' | 'nodeclient'
  readonly message: string
}

/**
 * The rights that can approve a request: the right of a kubelet for itself, and the right for any
 * node.
 */
export function approvalsFor({ spec }: RequestObject): readonly Approval[] {
  const requested = readCertificateRequest(spec.request)
  if (spec.signerName !== signers.kubeletClient || requested === undefined) return []
  if (kubeletClientRefusal(requested, spec.usages ?? []) !== undefined) return []
  const self: Approval = {
    subresource: 'selfnodeclient',
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
  }
  const any: Approval = {
    subresource: 'nodeclient',
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
  }
  return spec.username === requested.commonName ? [self, any] : [any]
}

function clientRefusal(usages: readonly string[]): string | undefined {
  const allowed = ['digital signature', 'key encipherment', 'client auth']
  const wrong = usages.find((usage) => !allowed.includes(usage))
  if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`
  if (usages.includes('client auth')) return undefined
  return 'missing required usage for client certificate: client auth'
}

const notNodes = 'subject organization is not system:nodes'
const notNode = 'subject common name does not begin with system:node:'

function kubeletClientRefusal(
  { organizations, names, commonName }: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  if (organizations.join() !== 'system:nodes') return notNodes
  if (names.dns.length > 0) return 'DNS subjectAltNames are not allowed'
  if (names.email.length > 0) return 'Email subjectAltNames are not allowed'
  if (names.ip.length > 0) return 'IP subjectAltNames are not allowed'
  if (names.uri.length > 0) return 'URI subjectAltNames are not allowed'
  if (!commonName.startsWith('system:node:')) return notNode
  return usagesRefusal(usages, 'client auth')
}

function kubeletServingRefusal(
  { organizations, names, commonName }: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  if (organizations.join() !== 'system:nodes') return notNodes
  if (names.dns.length + names.ip.length === 0) return 'DNS or IP subjectAltName is required'
  if (names.email.length > 0) return 'Email subjectAltNames are not allowed'
  if (names.uri.length > 0) return 'URI subjectAltNames are not allowed'
  const refusal = usagesRefusal(usages, 'server auth')
  if (refusal !== undefined) return refusal
  return commonName.startsWith('system:node:') ? undefined : notNode
}

/**
 * Kubelets need exactly these usages. Key encipherment is optional, because not all keys support
 * it.
 */
function usagesRefusal(usages: readonly string[], purpose: string): string | undefined {
  const listed = (uses: readonly string[]): string => [...new Set(uses)].sort().join(' ')
  const expected = [purpose, 'digital signature', 'key encipherment']
  const hasAllowedUsages = [expected, expected.slice(0, 2)].some(
    (uses) => listed(uses) === listed(usages),
  )
  return hasAllowedUsages ? undefined : `usages did not match [${listed(expected)}]`
}
