/**
 * serving-certificate/: the certificates of servers that the API server calls.
 *
 * `SecretCertificate` makes and rotates a certificate in a Secret that all replicas share;
 * `FileCertificate` follows the files that another program writes, such as cert-manager. Both
 * register the authorities before the server uses a new certificate. Servers of webhooks and of
 * aggregated APIs use this folder.
 *
 * `rotation-plan.ts` decides the steps of a rotation. A client that trusts the registered bundle
 * accepts every replica during all steps. Keys never appear in logs and errors.
 */
export { FileCertificate, type FileCertificateOptions } from './file-certificate.ts'
export type { CertificateLifetimes } from './rotation-settings.ts'
export { SecretCertificate, type SecretCertificateOptions } from './secret-certificate.ts'
export type { CertificateCallbacks, ServingCertificate } from './serving-certificate.ts'
