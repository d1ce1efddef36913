import { X509Certificate } from 'node:crypto'
import type { PeerCertificate } from './http.ts'

/** A certificate as Node describes it: an attribute that occurs twice is an array. */
interface NodeCertificate {
  readonly raw: Uint8Array
  readonly subject: object
}

/** Translates Node's description, in which one value and several have different types. */
export function peerCertificate(certificate: NodeCertificate, verified: boolean): PeerCertificate {
  const subject: Record<string, readonly string[]> = {}
  for (const [attribute, value] of Object.entries(certificate.subject) as [string, unknown][]) {
    subject[attribute] = Array.isArray(value) ? value.map(String) : [String(value)]
  }
  return { der: new Uint8Array(certificate.raw), subject, verified }
}

/**
 * What a virtual server sees of the PEM certificate of its client. The signature is really
 * checked; what a virtual network leaves out is the proof that the client holds the key.
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
