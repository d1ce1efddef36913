import type { Host, TlsServerIdentity } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { CertificateInUse } from './certificate-in-use.ts'
import { checkUntilAborted, checkUntilSuccess, type RepeatedCheck } from './repeated-check.ts'
import type { CertificateCallbacks, ServingCertificate } from './serving-certificate.ts'

/** The common part of certificates of all origins: a check that is repeated. */
export abstract class CheckedCertificate implements ServingCertificate {
  protected readonly inUse: CertificateInUse
  readonly #repeated: RepeatedCheck

  constructor(
    options: CertificateCallbacks & { readonly host: Host; readonly log: Logger },
    settings: Pick<RepeatedCheck, 'subject' | 'retryMsMax'>,
  ) {
    const { host, log } = options
    this.inUse = new CertificateInUse(host, options)
    this.#repeated = {
      host,
      log,
      ...settings,
      check: (signal) => this.check(signal),
      checked: (error) => this.inUse.checked(error),
    }
  }

  /** Reads the certificate and uses it. Returns how long to wait until the next check. */
  protected abstract check(signal: AbortSignal): Promise<number>

  prepare(signal: AbortSignal): Promise<void> {
    return checkUntilSuccess(this.#repeated, signal)
  }

  run(signal: AbortSignal): Promise<void> {
    return checkUntilAborted(this.#repeated, signal)
  }

  readiness(): ReturnType<ServingCertificate['readiness']> {
    return this.inUse.readiness()
  }

  get identity(): TlsServerIdentity | undefined {
    return this.inUse.used?.identity
  }

  get caBundle(): string | undefined {
    return this.inUse.used?.caBundle
  }

  get expiresMs(): number | undefined {
    return this.inUse.used?.validity.untilMs
  }
}
