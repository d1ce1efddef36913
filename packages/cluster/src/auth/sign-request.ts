import { type CertificateAuthority, der, extension, extensionIds } from 'setpoint/certificates'
import { readCertificateRequest } from '../codec/index.ts'
import { keyUsageBits, purposeList } from './certificate-usages.ts'
import { isSelfSigned } from './request-signature.ts'

/** A signing request of a client with its own key, and the properties of the certificate. */
interface SigningRequest {
  /** Base64 of PEM, as in a CertificateSigningRequest. */
  readonly request: string
  /** Key usages and extended key usages, with the names of Kubernetes. */
  readonly usages: readonly string[]
  readonly lifetimeMs: number
}

/** The lifetime of a long certificate begins this long before its creation. */
const backdateMs = 5 * 60_000
const shortMs = 8 * 60 * 60_000

/**
 * Issues a certificate for the key of a request, with its subject and names. Other parts of the
 * request are ignored.
 */
export function signRequest(
  authority: CertificateAuthority,
  { request, usages, lifetimeMs }: SigningRequest,
): string {
  const requested = readCertificateRequest(request)
  if (requested === undefined || !isSelfSigned(requested)) {
    throw new Error('unable to verify certificate request signature')
  }
  const { dns, email, ip, uri } = requested.names
  const names = [
    ...dns.map((name) => der.context(2, name, false)),
    ...email.map((name) => der.context(1, name, false)),
    ...ip.map((name) => der.context(7, name, false)),
    ...uri.map((name) => der.context(6, name, false)),
  ]
  const [bits, purposes] = [keyUsageBits(usages), purposeList(usages)]
  const { keyUsage, extendedKeyUsage, basicConstraints, alternativeName } = extensionIds
  return authority.certify({
    subject: requested.subject,
    publicKey: requested.publicKey,
    lifetime: lifetimeMs < shortMs ? lifetimeMs : lifetimeMs - backdateMs,
    extensions: [
      ...(bits === undefined ? [] : [extension(keyUsage, bits, true)]),
      ...(purposes === undefined ? [] : [extension(extendedKeyUsage, purposes, false)]),
      extension(basicConstraints, der.sequence(), true),
      ...(names.length === 0 ? [] : [extension(alternativeName, der.sequence(...names), false)]),
    ],
  })
}
