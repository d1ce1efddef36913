import { SetpointError } from 'setpoint'
import type { Host, HttpBody, HttpRequest, HttpResponse } from 'setpoint/host'

/** A write of the process: a request that may change an object. */
export interface ProcessWrite {
  /** Counts the writes of the process from 1. */
  readonly index: number
  readonly method: string
  readonly path: string
  /** Whether the API server refused it, so that it changed nothing. */
  isRefused: boolean
}

/** What happens to one write. */
export type WriteFault = 'crash-before' | 'crash-after' | 'lose-answer'

interface ProcessOptions {
  readonly host: Host
  /** Called before a write is sent; its result decides what happens to it. */
  readonly onWrite: (write: ProcessWrite) => WriteFault | undefined
  /** Called after the process has ended by a fault. */
  readonly onCrash: () => void
}

/**
 * A process that can be ended at any moment without a chance to clean up: its timers no longer run,
 * and its answers never arrive. It reaches the world only through `host`.
 */
export class SimulatedProcess {
  readonly host: Host
  readonly #options: ProcessOptions
  readonly #ended = new AbortController()
  /** Watches of these plural names deliver nothing until they are released. */
  readonly #held = new Map<string, Set<() => void>>()
  #writes = 0

  constructor(options: ProcessOptions) {
    const { host } = options
    this.#options = options
    this.host = {
      ...host,
      log: () => undefined,
      setTimer: (ms, run) => host.setTimer(ms, () => (this.isAlive ? run() : undefined)),
      sleep: async (ms, signal) => this.#whileAlive(host.sleep(ms, signal)),
      request: async (request) => this.#request(request),
    }
  }

  get isAlive(): boolean {
    return !this.#ended.signal.aborted
  }

  /** Ends the process as `kill -9` does. */
  kill(): void {
    this.#ended.abort()
  }

  /** The watches of a resource deliver nothing from now on. */
  hold(plural: string): void {
    this.#held.set(plural, new Set())
  }

  /** Delivers what was held. */
  release(plural: string): void {
    const waiting = this.#held.get(plural)
    this.#held.delete(plural)
    for (const wake of waiting ?? []) wake()
  }

  async #whileAlive<T>(promise: Promise<T>): Promise<T> {
    try {
      const value = await promise
      return this.isAlive ? value : await never()
    } catch (error) {
      if (this.isAlive) throw error
      return never()
    }
  }

  async #request(request: HttpRequest): Promise<HttpResponse> {
    if (!this.isAlive) return never()
    const { pathname: path, searchParams } = new URL(request.url)
    const { method } = request
    const isWatch = searchParams.get('watch') === 'true'
    const write = isWrite(method, path) ? this.#nextWrite(method, path) : undefined
    const fault = write && this.#options.onWrite(write)
    if (fault === 'crash-before') {
      this.#crash()
      return never()
    }
    const { signal } = this.#ended
    const own = request.signal === undefined ? signal : AbortSignal.any([request.signal, signal])
    if (fault !== undefined) return this.#loseAnswer({ ...request, signal: own }, fault)
    const response = await this.#whileAlive(this.#options.host.request({ ...request, signal: own }))
    if (write !== undefined) write.isRefused = response.status >= 400
    return { ...response, body: this.#body(response.body, isWatch ? pluralOf(path) : undefined) }
  }

  #nextWrite(method: string, path: string): ProcessWrite {
    this.#writes += 1
    return { index: this.#writes, method, path, isRefused: false }
  }

  /** The server executes the request, and the process does not learn it. */
  async #loseAnswer(
    request: HttpRequest,
    fault: 'crash-after' | 'lose-answer',
  ): Promise<HttpResponse> {
    const { body } = await this.#options.host.request({ ...request, signal: undefined })
    for await (const _ of body);
    if (fault === 'lose-answer') {
      throw new SetpointError('NETWORK_CONNECTION_LOST', 'the connection was lost', {
        hint: 'the simulator lost the answer of a write that was executed',
      })
    }
    this.#crash()
    return never()
  }

  #crash(): void {
    if (!this.isAlive) return
    this.kill()
    this.#options.onCrash()
  }

  #body(body: HttpBody, plural: string | undefined): HttpBody {
    const reader = body[Symbol.asyncIterator]()
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      const result = await this.#whileAlive(reader.next())
      while (plural !== undefined && this.#held.has(plural)) {
        await new Promise<void>((resolve) => this.#held.get(plural)?.add(resolve))
      }
      return this.isAlive ? result : never()
    }
    return {
      [Symbol.asyncIterator]: () => ({ next, return: async () => reader.return() }),
    }
  }
}

/** Leases are renewed all the time, and Events are only reported. */
function isWrite(method: string, path: string): boolean {
  return method !== 'GET' && !/\/(leases|events)(\/|$)/.test(path) && !/reviews$/.test(path)
}

/** The plural name of the resource of a path such as `/apis/apps/v1/namespaces/a/deployments`. */
function pluralOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '')
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3)
  const place = rest[0] === 'namespaces' && rest.length > 2 ? 2 : 0
  return rest[place] ?? ''
}

async function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined)
}
