import type { KeysConcerned } from './keys-in.ts'
import type { HttpHeaders } from '../../host/index.ts'

/** A message that somebody outside the cluster sent. */
export interface IncomingWebhook {
  /** By their names in lower case. Check a signature before you believe anything: anybody can send. */
  readonly headers: HttpHeaders
  /** The body as it came, for signatures. */
  readonly text: string
  /** The body as JSON; throws when it is none, which the sender is told. */
  json(): unknown
}

/** A way in for messages, as declared. */
export interface WebhookDeclaration {
  /** Where it is served: `/hooks/github`. */
  readonly path: string
  readonly keysOf: (message: IncomingWebhook) => KeysConcerned | Promise<KeysConcerned>
}
