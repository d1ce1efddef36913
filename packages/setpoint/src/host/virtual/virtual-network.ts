import { SetpointError } from '../../errors/index.ts'
import type { HttpRequest, HttpResponse, HttpServer, ListenOptions } from '../http/http.ts'
import { checkListen } from '../http/check-listen.ts'
import type { SeededRandom } from '../random/seeded-random.ts'
import { sendableRequest } from '../http/sendable-request.ts'
import { VirtualRequest } from './virtual-request.ts'
import type { Scheduler } from './scheduler.ts'
import { VirtualServer } from './virtual-server.ts'
import { VirtualConnection } from './virtual-connection.ts'

/** The ports that a virtual host assigns. */
const FIRST_FREE_PORT = 49_152
const LAST_FREE_PORT = 65_535

/** The network of a virtual host: its servers and connections. */
export class VirtualNetwork {
  readonly #scheduler: Scheduler
  readonly #chunking: SeededRandom | undefined
  readonly #servers = new Map<string, VirtualServer>()
  #nextPort = FIRST_FREE_PORT
  #connectionCount = 0

  constructor(scheduler: Scheduler, chunking: SeededRandom | undefined) {
    this.#scheduler = scheduler
    this.#chunking = chunking
  }

  async request(options: HttpRequest): Promise<HttpResponse> {
    const request = sendableRequest(options)
    this.#connectionCount += 1
    const connection = new VirtualConnection({
      scheduler: this.#scheduler,
      connection: this.#connectionCount,
      method: request.method,
      url: options.url,
      chunking: this.#chunking,
    })
    const find = (address: URL) => this.#find(address)
    return new VirtualRequest({ scheduler: this.#scheduler, connection, request, find }).run()
  }

  async listen(listen: ListenOptions, log: (line: string) => void): Promise<HttpServer> {
    checkListen(listen)
    return new Promise((resolve, reject) => {
      const { hostname = '127.0.0.1', port = 0 } = listen
      this.#scheduler.soon({
        label: `listen ${hostname}:${port}`,
        run: () => {
          try {
            resolve(this.#register(listen, log))
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)))
          }
        },
      })
    })
  }

  #register(listen: ListenOptions, log: (line: string) => void): HttpServer {
    const hostname = canonical(listen.hostname ?? '127.0.0.1')
    const { port: requested = 0 } = listen
    const port = requested === 0 ? this.#freePort(hostname) : requested
    const address = `${hostname}:${port}`
    if (this.#servers.has(address)) {
      throw new SetpointError('NETWORK_ADDRESS_IN_USE', `could not listen on ${address}: taken`, {
        hint: 'stop the other server, or use another port (0 takes a free one)',
      })
    }
    const server = new VirtualServer({
      scheduler: this.#scheduler,
      listen,
      port,
      log,
      unregister: () => this.#servers.delete(address),
    })
    this.#servers.set(address, server)
    return server
  }

  /** The next free port; when all are in use, one that is in use. */
  #freePort(hostname: string): number {
    for (let tries = FIRST_FREE_PORT; tries <= LAST_FREE_PORT; tries += 1) {
      const port = this.#nextPort
      this.#nextPort = port === LAST_FREE_PORT ? FIRST_FREE_PORT : port + 1
      if (!this.#servers.has(`${hostname}:${port}`)) return port
    }
    return this.#nextPort
  }

  #find(url: URL): VirtualServer | undefined {
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port
    return this.#servers.get(`${canonical(url.hostname)}:${port}`)
  }
}

/** All names of this machine are the same: a server is reached by all of them. */
function canonical(hostname: string): string {
  const names = ['localhost', '0.0.0.0', '::', '[::]', '::1', '[::1]']
  return names.includes(hostname) ? '127.0.0.1' : hostname
}
