import type { JsonObject, JsonValue } from 'setpoint/schema'
import type { ExternalAnswer, ExternalSystem } from '../external.ts'

/** A model on its own, without a simulation. */
export class Asked {
  nowMs = 0
  readonly #system: ExternalSystem
  readonly #state: JsonObject
  #ids = 0

  constructor(system: ExternalSystem) {
    this.#system = system
    this.#state = structuredClone(system.initial)
  }

  /** Sends `PUT /path`, with a body. */
  ask(request: string, body?: JsonValue): ExternalAnswer {
    const [method = '', path = ''] = request.split(' ')
    const id = (): string => `id-${(this.#ids += 1)}`
    const tools = { nowMs: this.nowMs, id }
    return this.#system.handle({ method, path, body, headers: {} }, this.#state, tools)
  }

  /** Whether a request leaves the state as it is. */
  isRead(request: string): boolean {
    const before = JSON.stringify(this.#state)
    this.ask(request)
    return JSON.stringify(this.#state) === before
  }

  resources(): Readonly<Record<string, JsonValue>> {
    return this.#system.resources(this.#state)
  }
}
