import type { Clock, HttpServer, Network, ServerResponse } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { type BoundedRequest, listenBounded } from '../server/index.ts'
import { expositionType } from './exposition.ts'
import type { ReadinessCheck } from './readiness-check.ts'

/** The data of probes, and their address. Nothing here may wait: a probe that hangs has failed. */
interface Probes {
  readonly host: Network & Clock
  readonly log: Logger
  /** 0, the default, takes a free port. */
  readonly port?: number | undefined
  /**
   * 127.0.0.1 by default; in a pod use `0.0.0.0` or `::`, because the kubelet connects from
   * outside.
   */
  readonly hostname?: string | undefined
  /**
   * `false` when the process should be restarted. It does not depend on the cluster: a restart
   * would not repair that.
   */
  readonly isAlive: () => boolean
  /** All conditions for the readiness of the process. */
  readonly readiness: () => readonly ReadinessCheck[]
  /** The content of `/metrics`; without it the path does not exist. */
  readonly metrics?: { text(): string | Promise<string> } | undefined
}

/** Few, because every connection can hold a response with all metrics. */
const connectionsMax = 32

/** How many checks are listed, and how long each may be: users read the response. */
const checksMax = 200
const problemCharsMax = 200

type Answer = (query: URLSearchParams) => ServerResponse | Promise<ServerResponse>

/**
 * Serves `/healthz`, `/livez`, `/readyz` and `/metrics`. The first three respond like Kubernetes'
 * own components, but also name the problem.
 */
export async function serveMetricsAndProbes(probes: Probes): Promise<HttpServer> {
  const { host, log, hostname, port, metrics } = probes
  const alive = (): ReadinessCheck[] => [
    { name: 'alive', problem: probes.isAlive() ? undefined : 'not alive' },
  ]
  const answers = new Map<string, Answer>([
    ['/healthz', (query) => probeResponse('healthz', alive(), query)],
    ['/livez', (query) => probeResponse('livez', alive(), query)],
    ['/readyz', (query) => probeResponse('readyz', probes.readiness(), query)],
  ])
  if (metrics !== undefined)
    answers.set('/metrics', async () => answer(200, await metrics.text(), expositionType))
  return listenBounded({
    host,
    log,
    hostname,
    port,
    connections: connectionsMax,
    handle: async (request) => handle(answers, request),
  })
}

async function handle(
  answers: ReadonlyMap<string, Answer>,
  request: BoundedRequest,
): Promise<ServerResponse> {
  const { method } = request
  const [path = '', query = ''] = request.path.split('?', 2)
  const known = answers.get(path)
  if (known === undefined) return answer(404, '404 page not found\n')
  if (method !== 'GET' && method !== 'HEAD') {
    const { headers, ...refusal } = answer(405, 'Method Not Allowed\n')
    return { ...refusal, headers: { ...headers, allow: 'GET, HEAD' } }
  }
  const response = await known(new URLSearchParams(query))
  return method === 'HEAD' ? { ...response, body: undefined } : response
}

function probeResponse(
  probe: string,
  checks: readonly ReadinessCheck[],
  query: URLSearchParams,
): ServerResponse {
  const failed = checks.filter(({ problem }) => problem !== undefined)
  const isOk = failed.length === 0
  if (isOk && !query.has('verbose')) {
    const notes = checks.flatMap(({ name, note }) =>
      note === undefined ? [] : `${name}: ${shortened(note)}`,
    )
    return answer(200, ['ok', ...notes].join('\n'))
  }
  // When not all checks are shown, only failed ones are.
  const shown = checks.length <= checksMax ? checks : failed.slice(0, checksMax)
  const left = checks.length - shown.length
  const lines = [
    ...shown.map(lineOf),
    ...(left === 0 ? [] : [`${left} more checks`]),
    `${probe} check ${isOk ? 'passed' : 'failed'}`,
  ]
  return answer(isOk ? 200 : 500, lines.map((line) => `${line}\n`).join(''))
}

function lineOf({ name, problem, note }: ReadinessCheck): string {
  if (problem !== undefined) return `[-]${name}: ${shortened(problem)}`
  return note === undefined ? `[+]${name} ok` : `[+]${name} ok: ${shortened(note)}`
}

function shortened(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, problemCharsMax)
}

function answer(status: number, body: string, type = 'text/plain; charset=utf-8'): ServerResponse {
  const headers = { 'content-type': type, 'x-content-type-options': 'nosniff' }
  return { status, headers, body }
}
