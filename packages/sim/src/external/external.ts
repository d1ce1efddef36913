import { SetpointError } from 'setpoint'
import type { JsonObject, JsonValue } from 'setpoint/schema'

/** A request of the program to a system outside of the cluster. */
export interface ExternalRequest {
  readonly method: string
  /** With its query, such as `/zones/a?full=1`. */
  readonly path: string
  /** The body, if it is JSON; text otherwise. */
  readonly body: JsonValue | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** What the system answers. */
export interface ExternalAnswer {
  readonly status: number
  readonly body?: JsonValue
  /** In lower case: `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a system may use besides its state. */
export interface ExternalTools {
  readonly nowMs: number
  /** A new id, as a server chooses it. */
  id(): string
}

/**
 * A model of a system that the program calls over HTTP: a cloud, a database with an HTTP interface,
 * a DNS server. The simulator loses its answers, delays it, fails it and lets its reads be stale.
 */
export interface ExternalSystem {
  readonly name: string
  /** Requests to this origin reach the system: `http://dns.example`. */
  readonly origin: string
  /** The state at the beginning. It is JSON, so that runs can start from a checkpoint. */
  readonly initial: JsonObject
  /** Answers a request. It may change the state, and must not keep anything elsewhere. */
  handle(request: ExternalRequest, state: JsonObject, tools: ExternalTools): ExternalAnswer
  /** What exists in the system, by a key: it is compared, and must not be left behind. */
  resources(state: JsonObject): Readonly<Record<string, JsonValue>>
  /** How long an answer takes; 0 by default. */
  readonly delayMs?: number
  /** How long reads may show the state before the latest change; 0 by default. */
  readonly staleMs?: number
}

/** Declares a model of an external system, for the option `externals` of `simulate`. */
export function external(system: ExternalSystem): ExternalSystem {
  if (!/^https?:\/\/[^/]+$/.test(system.origin)) {
    throw new SetpointError(
      'HOST_MISUSED',
      `the origin of the external system ${system.name} is not a URL without a path: ${system.origin}`,
      { hint: 'use an origin such as http://dns.example' },
    )
  }
  return system
}
