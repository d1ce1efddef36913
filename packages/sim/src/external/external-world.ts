import { SetpointError } from 'setpoint'
import { type Host, type HttpRequest, type HttpResponse, joinBytes } from 'setpoint/host'
import type { JsonObject, JsonValue } from 'setpoint/schema'
import { wholeBody } from '../body.ts'
import type { ExternalAnswer, ExternalRequest, ExternalSystem } from './external.ts'

/** The states of all systems, by name. */
export type ExternalState = Readonly<Record<string, JsonObject>>

/** What happens to one call of an external system. */
export type CallFault = 'call-lost' | 'call-failed' | 'call-limited' | 'call-repeated' | 'call-late'

/** A call of an external system. */
export interface ExternalCall {
  /** Counts the calls from 1. */
  readonly number: number
  readonly system: string
  readonly method: string
  readonly path: string
  readonly timeMs: number
  /** Whether it changed what exists in the system. */
  isEffective: boolean
}

const lateMs = 20_000

interface SystemState {
  current: JsonObject
  /** The state before the latest change, which stale reads see. */
  before: JsonObject
  changedMs: number
}

/** The systems outside of the cluster, in virtual time. */
export class ExternalWorld {
  readonly calls: ExternalCall[] = []
  /** Decides what happens to a call. */
  faultOf: (call: ExternalCall) => CallFault | undefined = () => undefined
  /** How long reads may be stale, in addition to what the systems declare. */
  staleMs = 0
  readonly #systems: readonly ExternalSystem[]
  readonly #host: Host
  readonly #states = new Map<string, SystemState>()

  constructor(
    systems: readonly ExternalSystem[],
    { host, state }: { readonly host: Host; readonly state: ExternalState | undefined },
  ) {
    this.#systems = systems
    this.#host = host
    for (const { name, initial } of systems) {
      const current = structuredClone(state?.[name] ?? initial)
      this.#states.set(name, { current, before: current, changedMs: -Infinity })
    }
  }

  /** The states of all systems. */
  state(): ExternalState {
    return Object.fromEntries(
      [...this.#states].map(([name, { current }]) => [name, structuredClone(current)]),
    )
  }

  /** What exists in all systems, by `system key`. */
  resources(): Map<string, JsonValue> {
    return new Map(
      this.#systems.flatMap((system) =>
        Object.entries(system.resources(this.#stateOf(system).current)).map(
          ([key, value]) => [`${system.name} ${key}`, value] as const,
        ),
      ),
    )
  }

  /** Answers a request; `undefined` if it is for none of the systems. */
  request(request: HttpRequest): Promise<HttpResponse> | undefined {
    const { origin } = new URL(request.url)
    const system = this.#systems.find((one) => one.origin === origin)
    return system && this.#answer(system, request)
  }

  #stateOf({ name }: ExternalSystem): SystemState {
    const state = this.#states.get(name)
    if (state === undefined) throw new Error(`no state of the external system ${name}`)
    return state
  }

  async #answer(system: ExternalSystem, request: HttpRequest): Promise<HttpResponse> {
    const { pathname, search } = new URL(request.url)
    const read: ExternalRequest = {
      method: request.method,
      path: pathname + search,
      body: await bodyOf(request),
      headers: Object.fromEntries(
        Object.entries(request.headers ?? {}).map(([name, value]) => [name, String(value)]),
      ),
    }
    const { method, path } = read
    const call = {
      number: this.calls.length + 1,
      system: system.name,
      method,
      path,
      timeMs: this.#host.monotonicMs(),
      isEffective: false,
    }
    this.calls.push(call)
    const fault = this.faultOf(call)
    await this.#host.sleep(system.delayMs ?? 0)
    if (fault === 'call-failed') return responseOf({ status: 503, body: 'unavailable' })
    if (fault === 'call-limited') return responseOf(tooManyRequests)
    if (fault === 'call-late') {
      this.#host.setTimer(lateMs, () => void this.#execute(system, read, call))
      throw timedOut(system)
    }
    const answer = this.#execute(system, read, call)
    if (fault === 'call-repeated') this.#execute(system, read, call)
    if (fault === 'call-lost') throw timedOut(system)
    return responseOf(answer)
  }

  #execute(system: ExternalSystem, request: ExternalRequest, call: ExternalCall): ExternalAnswer {
    const state = this.#stateOf(system)
    const nowMs = this.#host.now()
    const tools = { nowMs, id: () => this.#host.uuid() }
    const staleMs = Math.max(this.staleMs, system.staleMs ?? 0)
    const isStale = request.method === 'GET' && this.#host.monotonicMs() - state.changedMs < staleMs
    if (isStale) return system.handle(request, structuredClone(state.before), tools)
    const before = structuredClone(state.current)
    const answer = system.handle(request, state.current, tools)
    if (JSON.stringify(before) !== JSON.stringify(state.current)) {
      call.isEffective = true
      state.before = before
      state.changedMs = this.#host.monotonicMs()
    }
    return answer
  }
}

/** What a service answers to a client that calls it too often. */
const tooManyRequests: ExternalAnswer = {
  status: 429,
  body: 'too many requests',
  headers: { 'retry-after': '10' },
}

function timedOut({ name }: ExternalSystem): SetpointError {
  return new SetpointError('NETWORK_CONNECTION_LOST', `the connection to ${name} was lost`, {
    hint: 'the simulator lost the answer of an external system',
  })
}

async function bodyOf({ body }: HttpRequest): Promise<JsonValue | undefined> {
  if (body === undefined) return undefined
  const text = typeof body === 'string' ? body : new TextDecoder().decode(await bytesOf(body))
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}

async function bytesOf(body: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return joinBytes(chunks)
}

function responseOf({ status, body, headers }: ExternalAnswer): HttpResponse {
  const text = body === undefined ? '' : JSON.stringify(body)
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: wholeBody(new TextEncoder().encode(text)),
  }
}
