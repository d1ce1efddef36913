import type { HttpServer, Network, ServerRequest, ServerResponse } from '../host/index.ts'
import { expositionType } from './exposition.ts'
import type { ReadinessCheck } from './readiness-check.ts'

/** What probes answer from, and where. Nothing here may wait: a probe that hangs is a failed one. */
interface Probes {
  readonly host: Network
  /** 0, the default, takes a free port. */
  readonly port?: number | undefined
  /** 127.0.0.1 unless said otherwise; in a pod it is `0.0.0.0` or `::`, for the kubelet comes from outside. */
  readonly hostname?: string | undefined
  /** Whether restarting the process would be a mistake. It is not about the cluster: that does not heal by it. */
  readonly isAlive: () => boolean
  /** Everything that has to be in order before the process counts as ready. */
  readonly readiness: () => readonly ReadinessCheck[]
  /** What `/metrics` shows; without it there is no such path. */
  readonly metrics?: { text(): string } | undefined
}

/** How many checks are written out, and how much of each: a probe's answer is read by people. */
const checksMax = 200
const problemCharsMax = 200

type Answer = (query: URLSearchParams) => ServerResponse

/**
 * Serves `/healthz`, `/livez`, `/readyz` and `/metrics`. The answers of the first three are those of Kubernetes' own
 * components, but they name what is wrong.
 */
export async function serveProbes(probes: Probes): Promise<HttpServer> {
  const { host, hostname, port, metrics } = probes
  const alive = (): ReadinessCheck[] => [
    { name: 'alive', problem: probes.isAlive() ? undefined : 'not alive' },
  ]
  const answers = new Map<string, Answer>([
    ['/healthz', (query) => verdict('healthz', alive(), query)],
    ['/livez', (query) => verdict('livez', alive(), query)],
    ['/readyz', (query) => verdict('readyz', probes.readiness(), query)],
  ])
  if (metrics !== undefined)
    answers.set('/metrics', () => answer(200, metrics.text(), expositionType))
  return host.listen({ hostname, port, handle: async (request) => handle(answers, request) })
}

function handle(answers: ReadonlyMap<string, Answer>, request: ServerRequest): ServerResponse {
  const { method } = request
  const [path = '', query = ''] = request.path.split('?', 2)
  const known = answers.get(path)
  if (known === undefined) return answer(404, '404 page not found\n')
  if (method !== 'GET' && method !== 'HEAD') {
    const { headers, ...refusal } = answer(405, 'Method Not Allowed\n')
    return { ...refusal, headers: { ...headers, allow: 'GET, HEAD' } }
  }
  const response = known(new URLSearchParams(query))
  return method === 'HEAD' ? { ...response, body: undefined } : response
}

function verdict(
  probe: string,
  checks: readonly ReadinessCheck[],
  query: URLSearchParams,
): ServerResponse {
  const failed = checks.filter(({ problem }) => problem !== undefined)
  const isOk = failed.length === 0
  if (isOk && !query.has('verbose')) return answer(200, 'ok')
  // What failed comes first when not all are shown, and in its place when all are.
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
