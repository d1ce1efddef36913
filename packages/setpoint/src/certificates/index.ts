/**
 * certificates/: X.509 certificates and the authorities that sign them.
 *
 * The embedded cluster makes the certificates of its API server and its users with it
 * (`setpoint/certificates`). Decision 0008 says why no library is used.
 *
 * Keys come from the randomness of the host. OpenSSL and Go find the authority of a certificate in a
 * bundle, even if several authorities have the same name.
 */
export {
  type AuthorityOptions,
  type CertificateAndKey,
  CertificateAuthority,
  type CertificateBody,
  type CertificateUse,
  extension,
  extensionIds,
} from './certificate-authority.ts'
export { der, pem } from './der.ts'
export { type DerElement, derElements } from './der-elements.ts'
