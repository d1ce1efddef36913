import type { TlsServerIdentity } from '../host/index.ts'

/** The state of a certificate for the readiness of the process. */
interface CertificateReadiness {
  readonly name: string
  readonly problem: string | undefined
  readonly note?: string | undefined
}

/**
 * The certificate of a server that the API server calls: of webhooks or of an aggregated API.
 * `prepare` it before the server listens, and `run` it as long as the server runs.
 */
export interface ServingCertificate {
  /** Resolves when there is a usable certificate whose authorities are registered. */
  prepare(signal: AbortSignal): Promise<void>
  /** Keeps the certificate current until the signal is aborted. Failures are logged and retried. */
  run(signal: AbortSignal): Promise<void>
  /** An expired or missing certificate is a problem; one that expires soon is a note. */
  readiness(): CertificateReadiness
  /** The certificate and key in use; `undefined` before `prepare` has resolved. */
  readonly identity: TlsServerIdentity | undefined
  /**
   * The authorities that clients must trust, in PEM; `undefined` if another program registers them.
   */
  readonly caBundle: string | undefined
  /** The end of the certificate in use, as epoch milliseconds. */
  readonly expiresMs: number | undefined
}

/** What the process does with a certificate. */
export interface CertificateCallbacks {
  /**
   * Writes the authorities to all registrations, such as webhook configurations. Called at every
   * check, even when the bundle has not changed, so that lost registrations are repaired: compare
   * before you write. A new certificate is used only after it has resolved.
   */
  readonly register: (caBundle: string) => Promise<void>
  /** Called with every new certificate, for `HttpServer.setTls`. */
  readonly use: (identity: TlsServerIdentity) => void
}
