import type { Clock } from 'setpoint/host'
import { type AuditedAttributes, type AuditPolicy, configurationFor } from './audit-policy.ts'
import { AuditedRequest, type ReceivedRequest } from './audited-request.ts'

/** The audit log of a server: one line of JSON for each event. */
export class AuditLog {
  readonly #policy: AuditPolicy
  readonly #host: Clock
  readonly #write: (line: string) => void

  constructor(policy: AuditPolicy, host: Clock, write: (line: string) => void) {
    this.#policy = policy
    this.#host = host
    this.#write = write
  }

  /** The request whose events are written; `undefined` if the policy leaves it out. */
  begin(request: ReceivedRequest, attributes: AuditedAttributes): AuditedRequest | undefined {
    const configuration = configurationFor(this.#policy, attributes)
    if (configuration.level === 'None') return undefined
    const now = (): number => this.#host.now()
    return new AuditedRequest(request, { configuration, now, write: this.#write })
  }
}
