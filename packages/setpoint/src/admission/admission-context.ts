import type { HttpHeaders, PeerCertificate } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import type { AdmissionOperation } from './admission-options.ts'
import type { AdmissionRequest, AdmissionUser } from './admission-review.ts'

/** The API server that asks for a review, as it identifies itself to this server. */
export interface AdmissionCaller {
  /** With the credentials that the API server may be configured to send: do not log them. */
  readonly headers: HttpHeaders
  /**
   * Its client certificate, if it is configured to present one. No authority has verified it:
   * compare the certificate itself, not its subject.
   */
  readonly certificate: PeerCertificate | undefined
}

/** The second argument of the functions of `.validate` and `.mutate`. */
export interface AdmissionContext<Old = unknown> {
  readonly operation: AdmissionOperation
  /** The object before the request; `undefined` for `CREATE` and `CONNECT`. */
  readonly old: Old | undefined
  /** The user who sent the request. */
  readonly user: AdmissionUser
  /** Whether nothing is stored. A function with side effects must then have none. */
  readonly dryRun: boolean
  /** The name of the object; `undefined` while the server has not generated it. */
  readonly name: string | undefined
  /** `undefined` for cluster-scoped kinds. */
  readonly namespace: string | undefined
  /** The whole request, as the API server sent it: its options, and the version of the client. */
  readonly request: AdmissionRequest
  /** Who sent the review. */
  readonly caller: AdmissionCaller
  /** Shows a warning to the user, whether the request is refused or not. */
  readonly warn: (message: string) => void
  /** Adds an annotation to the event in the audit log. */
  readonly auditAnnotation: (key: string, value: string) => void
  /** Aborted at the deadline of the API server. Pass it to `fetch` and other calls. */
  readonly signal: AbortSignal
  /** Logs with the webhook and the object as fields. */
  readonly log: Logger
  /** The time in epoch milliseconds. On a virtual host it is virtual time. */
  readonly now: () => number
}

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>
