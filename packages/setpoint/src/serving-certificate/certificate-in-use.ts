import { headline } from '../errors/index.ts'
import type { Host, TlsServerIdentity } from '../host/index.ts'
import type { Validity } from './rotation-plan.ts'
import type { CertificateCallbacks, ServingCertificate } from './serving-certificate.ts'

/** A certificate that was read and can be used. */
export interface UsableCertificate {
  readonly identity: TlsServerIdentity
  readonly validity: Validity
  /** `undefined` if another program registers the authorities. */
  readonly caBundle: string | undefined
  /** The part of the bundle that clients need for this certificate. */
  readonly issuer: string
}

/** How long API servers need to notice a changed registration. */
const propagationMs = 5000

/** A renewal is late when this part of the lifetime has passed. */
const lateAfter = 5 / 6

/** The certificate that the server shows, and the bundle that is registered for it. */
export class CertificateInUse {
  readonly #host: Host
  readonly #callbacks: CertificateCallbacks
  #used: UsableCertificate | undefined
  #registered: { readonly caBundle: string; readonly sinceMs: number } | undefined
  #lastError: unknown

  constructor(host: Host, callbacks: CertificateCallbacks) {
    this.#host = host
    this.#callbacks = callbacks
  }

  get used(): UsableCertificate | undefined {
    return this.#used
  }

  /** Since when the registrations have this bundle. */
  registeredMs(caBundle: string): number | undefined {
    return this.#registered?.caBundle === caBundle ? this.#registered.sinceMs : undefined
  }

  /** The result of the last check, for the readiness. */
  checked(error: unknown): void {
    this.#lastError = error
  }

  /**
   * Registers the bundle, then uses the certificate if it is new. Returns the error of a failed
   * registration: the certificate in use then stays.
   */
  async follow(
    certificate: UsableCertificate,
    signal: AbortSignal,
  ): Promise<{ readonly error: unknown } | undefined> {
    const { caBundle, issuer, identity } = certificate
    const wasTrusted = caBundle === undefined || this.#isRegistered(issuer)
    const failure = caBundle === undefined ? undefined : await this.#register(caBundle)
    const isTrusted = caBundle === undefined || this.#isRegistered(issuer)
    const used = this.#used
    const isExpired = used !== undefined && this.#host.now() >= used.validity.untilMs
    if (!isTrusted && !isExpired) return failure
    if (used?.identity.cert !== identity.cert || used.identity.key !== identity.key) {
      if (used !== undefined && !isExpired && !wasTrusted) {
        await this.#host.sleep(propagationMs, signal)
      }
      this.#callbacks.use(identity)
    }
    this.#used = certificate
    return failure
  }

  readiness(): ReturnType<ServingCertificate['readiness']> {
    const name = 'certificate'
    const failure = this.#lastError === undefined ? undefined : headline(this.#lastError)
    if (this.#used === undefined) return { name, problem: failure ?? 'there is no certificate yet' }
    const { fromMs, untilMs } = this.#used.validity
    const nowMs = this.#host.now()
    const end = new Date(untilMs).toISOString()
    if (nowMs >= untilMs) return { name, problem: `the certificate expired at ${end}` }
    const isLate = nowMs >= fromMs + (untilMs - fromMs) * lateAfter
    const notes = [isLate ? `the certificate expires at ${end}` : undefined, failure]
    const note = notes.filter((text) => text !== undefined).join('; ')
    return { name, problem: undefined, note: note === '' ? undefined : note }
  }

  #isRegistered(issuer: string): boolean {
    return this.#registered?.caBundle.includes(issuer) === true
  }

  async #register(caBundle: string): Promise<{ readonly error: unknown } | undefined> {
    try {
      await this.#callbacks.register(caBundle)
      if (this.#registered?.caBundle !== caBundle) {
        this.#registered = { caBundle, sinceMs: this.#host.now() }
      }
      return undefined
    } catch (error) {
      return { error }
    }
  }
}
