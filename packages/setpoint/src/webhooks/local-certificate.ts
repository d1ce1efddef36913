import { CertificateAuthority } from '../certificates/index.ts'
import type { Clock, Random, TlsServerIdentity } from '../host/index.ts'
import type { ServingCertificate } from '../serving-certificate/index.ts'

/**
 * The certificate of a process that API servers reach by a URL, for development and tests. It is
 * kept in memory, and the next process makes and registers another one.
 */
export class LocalCertificate implements ServingCertificate {
  readonly identity: TlsServerIdentity
  readonly caBundle: string
  readonly expiresMs = undefined

  constructor(host: Clock & Random, hosts: readonly string[]) {
    const authority = new CertificateAuthority(host, { commonName: 'setpoint-local-webhooks' })
    this.identity = authority.issue('setpoint-local-webhooks', { use: 'server', hosts })
    this.caBundle = authority.cert
  }

  /** Nothing to wait for. */
  async prepare(): Promise<void> {}

  /** It does not expire before the process ends. */
  async run(): Promise<void> {}

  readiness(): ReturnType<ServingCertificate['readiness']> {
    return { name: 'certificate of the webhooks', problem: undefined }
  }
}
