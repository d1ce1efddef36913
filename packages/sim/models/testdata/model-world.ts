import { type Cluster, createCluster } from '@setpoint/cluster'
import type { AnyResourceDefinition } from 'setpoint'
import { type Client, type Connection, connectionFromKubeconfig } from 'setpoint/client'
import {
  type Host,
  type HttpBody,
  type HttpRequest,
  type HttpResponse,
  virtualHost,
  type VirtualHost,
} from 'setpoint/host'
import { CustomResourceDefinition } from 'setpoint/kinds'
import type { JsonObject, JsonValue } from 'setpoint/schema'
import type { ExternalSystem } from '../../src/external/external.ts'
import type { ProcessContext, Program } from '../../src/index.ts'

/** What a world needs of a model. */
export interface Modelled {
  readonly resource: AnyResourceDefinition
  readonly options?: { readonly externals?: readonly ExternalSystem[] }
}

/** A write of the program: method and path. */
type IsHit = (write: string) => boolean

/** A cluster in virtual time on which a test runs one program, and ends it at any write. */
export class ModelWorld implements AsyncDisposable {
  readonly host: VirtualHost
  readonly client: Client
  /** The errors that the control loop of the program caught. */
  readonly errors: string[] = []
  readonly writes: string[] = []
  readonly #cluster: Cluster
  readonly #connection: Connection
  readonly #externals = new Map<ExternalSystem, JsonObject>()
  #isAlive: { current: boolean } = { current: false }

  private constructor(host: VirtualHost, cluster: Cluster, connection: Connection) {
    this.host = host
    this.client = cluster.client
    this.#cluster = cluster
    this.#connection = connection
  }

  static async open({ resource, options = {} }: Modelled): Promise<ModelWorld> {
    const host = virtualHost({ seed: 'models', trace: () => undefined })
    const users = [{ name: 'operator', groups: ['system:masters'], token: 'simulated' }]
    const cluster = await createCluster({ host, users })
    const context = { context: 'operator' }
    const connection = await connectionFromKubeconfig(host, cluster.kubeconfig(), context)
    await cluster.client.create(CustomResourceDefinition, resource.crd())
    const world = new ModelWorld(host, cluster, connection)
    for (const system of options.externals ?? []) {
      world.#externals.set(system, structuredClone(system.initial))
    }
    return world
  }

  /** Starts the program. It is killed after the write that `isHit` chooses, without its answer. */
  start(program: Program, isHit: IsHit = () => false): void {
    if (typeof program !== 'function') throw new Error('the program must be a function')
    const isAlive = { current: true }
    this.#isAlive = isAlive
    const context: ProcessContext = {
      host: this.#hostOf(isAlive, isHit),
      connection: this.#connection,
      onError: (error) => this.errors.push(String(error)),
    }
    void program(context)
  }

  /** Ends the program as `kill -9` does. */
  kill(): void {
    this.#isAlive.current = false
  }

  /** Lets virtual time pass. */
  async pass(seconds: number): Promise<void> {
    await this.host.sleep(seconds * 1000)
    await this.host.settle()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill()
    await this.#cluster.dispose()
    this.host.stop()
  }

  /** The live resources of the external systems. */
  externalResources(): string[] {
    const all = [...this.#externals].map(([system, state]) => system.resources(state))
    return all.flatMap((resources) => Object.keys(resources))
  }

  /** The answer of an external system, if the request is to one. */
  #answerOf({ method, url, body }: HttpRequest): Promise<HttpResponse> | undefined {
    const { origin, pathname: path } = new URL(url)
    const [system, state] = [...this.#externals].find(([one]) => one.origin === origin) ?? []
    if (system === undefined || state === undefined) return undefined
    const { host } = this
    const sent = typeof body === 'string' ? (JSON.parse(body) as JsonValue) : undefined
    const answer = async (): Promise<HttpResponse> => {
      await host.sleep(system.delayMs ?? 0)
      const tools = { nowMs: host.now(), id: () => host.uuid() }
      const { status, body: value } = system.handle({ method, path, body: sent }, state, tools)
      const bytes = new TextEncoder().encode(value === undefined ? '' : JSON.stringify(value))
      return { status, headers: {}, body: bodyOf(bytes) }
    }
    return answer()
  }

  #hostOf(isAlive: { current: boolean }, isHit: IsHit): Host {
    const { host } = this
    const whileAlive = async <T>(promise: Promise<T>): Promise<T> => {
      const value = await promise
      return isAlive.current ? value : never()
    }
    const send = async (request: HttpRequest): Promise<HttpResponse> => {
      if (!isAlive.current) return never()
      const answer = this.#answerOf(request) ?? host.request(request)
      const response = await whileAlive(answer)
      if (request.method === 'GET') return response
      const write = `${request.method} ${new URL(request.url).pathname}`
      this.writes.push(write)
      if (!isHit(write)) return response
      isAlive.current = false
      for await (const _ of response.body);
      return never()
    }
    return {
      ...host,
      log: () => undefined,
      setTimer: (ms, run) => host.setTimer(ms, () => (isAlive.current ? run() : undefined)),
      sleep: async (ms, signal) => whileAlive(host.sleep(ms, signal)),
      request: send,
    }
  }
}

function bodyOf(bytes: Uint8Array): HttpBody {
  const chunks = [bytes]
  const end = { done: true, value: undefined } as const
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const value = chunks.pop()
        return value === undefined ? end : { done: false, value }
      },
      return: async () => end,
    }),
  }
}

async function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined)
}
