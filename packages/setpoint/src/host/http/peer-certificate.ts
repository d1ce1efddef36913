import { X509Certificate } from 'node:crypto'
import type { PeerCertificate } from './http.ts'

/** A certificate as Node describes it: a repeated attribute is an array. */
interface NodeCertificate {
  readonly raw: Uint8Array
  readonly subject: object
}

/** Translates Node's description, in which one value and several values have different types. */
export function peerCertificate(certificate: NodeCertificate, verified: boolean): PeerCertificate {
  const subject: Record<string, readonly string[]> = {}
  for (const [attribute, value] of Object.entries(certificate.subject) as [string, unknown][]) {
    subject[attribute] = Array.isArray(value) ? value.map(String) : [String(value)]
  }
  return { der: new Uint8Array(certificate.raw), subject, verified }
}

/**
 * The client certificate as a virtual server sees it. The signature is actually verified; the
 * virtual network omits the proof that the client has the key.
 */
export function peerCertificateFromPem(pem: string, clientCa: string | undefined): PeerCertificate {
  const certificate = new X509Certificate(pem)
  const authority = clientCa === undefined ? undefined : new X509Certificate(clientCa)
  const verified =
    authority !== undefined &&
    certificate.checkIssued(authority) &&
    certificate.verify(authority.publicKey)
  return peerCertificate(certificate.toLegacyObject(), verified)
}
