import { SetpointError } from '../errors/index.ts'
import type { Clock, HttpServer, Network, ServerResponse } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { type BoundedRequest, listenBounded } from '../server/index.ts'
import type { HttpSourceDeclaration, HttpSourceRequest } from './http-source.ts'
import { keysIn } from './keys-in.ts'

/** An HTTP source, and the name of the operator that declares it. */
interface OperatorSource extends HttpSourceDeclaration {
  readonly operator: string
}

/** The address of the server, the sources, and how their objects are enqueued. */
interface HttpSourceServerOptions {
  readonly host: Network & Clock
  readonly log: Logger
  readonly port?: number | undefined
  readonly hostname?: string | undefined
  readonly sources: readonly OperatorSource[]
  /** Enqueues a key of an operator; returns `false` if this replica is not the leader. */
  readonly trigger: (operator: string, key: string, why: string) => boolean
}

const connectionsMax = 256

/** Serves the HTTP sources of operators. */
export async function serveHttpSources(options: HttpSourceServerOptions): Promise<HttpServer> {
  const { host, log, hostname, port, trigger } = options
  const sources = new Map(options.sources.map((source) => [source.path, source]))
  const shared = options.sources.find((source) => sources.get(source.path) !== source)
  if (shared !== undefined) {
    throw new SetpointError(
      'OPERATOR_INVALID',
      `two operators have an HTTP source at ${shared.path}`,
      { hint: 'give each HTTP source its own path' },
    )
  }
  return listenBounded({
    host,
    log,
    hostname,
    port,
    connections: connectionsMax,
    handle: async (request, warn) => {
      const source = sources.get(request.path.split('?', 1)[0] ?? '')
      if (source === undefined) return answer(404, 'no HTTP source has this path')
      if (request.method !== 'POST') {
        return { ...answer(405, 'use the method POST'), headers: { allow: 'POST' } }
      }
      const received = await readRequest(request)
      let keys: readonly string[]
      try {
        keys = keysIn(await source.keysOf(received))
      } catch (error) {
        // The client gets no details: the reason may contain a secret.
        warn({ err: error, httpSource: source.path }, 'refused a request to an HTTP source')
        return answer(400, 'the request was refused')
      }
      const isEnqueued = keys.every((key) => trigger(source.operator, key, source.path))
      return isEnqueued
        ? answer(202, 'accepted')
        : answer(503, 'this replica is not the leader: retry')
    },
  })
}

async function readRequest(request: BoundedRequest): Promise<HttpSourceRequest> {
  const text = await request.text()
  return { headers: request.headers, text, json: () => JSON.parse(text) as unknown }
}

function answer(status: number, text: string): ServerResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` }
}
