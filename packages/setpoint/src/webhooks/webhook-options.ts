import type { CertificateLifetimes } from '../serving-certificate/index.ts'

/** The server of the webhooks of a process. */
export interface WebhooksOptions {
  /** 127.0.0.1 unless given; in a pod `0.0.0.0`. */
  readonly hostname?: string | undefined
  /** A free port unless given; in a pod 9443. */
  readonly port?: number | undefined
  /**
   * The Service of the pods, by which API servers call them. The certificate is then in a Secret
   * that all pods share: the name of the Service with `-tls`.
   */
  readonly service?: { readonly name: string; readonly namespace: string } | undefined
  /**
   * The URL by which API servers call this process, such as that of a tunnel. Without it and
   * without a Service, the address on which it listens: for an API server on the same machine.
   */
  readonly url?: string | undefined
  /**
   * A directory with `tls.crt`, `tls.key` and `ca.crt`, such as a mounted Secret of cert-manager.
   * The files are read again when they change.
   */
  readonly certificates?: string | undefined
  /**
   * Removes the configurations at the end of the process, if `install` applied them: for a process
   * on the machine of a developer. Otherwise API servers refuse what no process reviews.
   */
  readonly removeOnStop?: boolean | undefined
  /** The lifetimes of the certificates in the Secret: a year for the CA, 90 days for the others. */
  readonly lifetimes?: CertificateLifetimes | undefined
}
