import type { JsonObject, JsonValue } from 'setpoint/schema'

/** A request to an external system. */
export interface ExternalRequest {
  readonly method: string
  readonly path: string
  readonly body: JsonValue | undefined
}

/** What an external system answers. */
export interface ExternalAnswer {
  readonly status: number
  readonly body?: JsonValue
}

/** A system outside of the cluster, which the program reaches with `host.request`. */
export interface ExternalSystem {
  readonly name: string
  /** Such as `http://zookeeper.external`. */
  readonly origin: string
  readonly initial: JsonObject
  /** Answers a request; it may change the state. */
  handle(
    request: ExternalRequest,
    state: JsonObject,
    tools: { readonly nowMs: number; id(): string },
  ): ExternalAnswer
  /** The live resources by key. */
  resources(state: JsonObject): Readonly<Record<string, JsonValue>>
  /** How long an answer takes. */
  readonly delayMs?: number
}

/** Declares an external system. */
export function external(options: ExternalSystem): ExternalSystem {
  return options
}
