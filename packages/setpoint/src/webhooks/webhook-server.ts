import type { Host, HttpServer, ServerResponse, TlsServerSettings } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { listenBounded, textResponse } from '../server/index.ts'
import type { AggregatedApis } from '../aggregated-api/index.ts'
import type { WebhookMetrics } from './webhook-metrics.ts'
import type { WebhookRoute } from './webhook-routes.ts'

/** The dependencies of the server. */
interface WebhookServerOptions {
  readonly host: Host
  readonly log: Logger
  readonly metrics: WebhookMetrics
  readonly routes: ReadonlyMap<string, WebhookRoute>
  /** The aggregated APIs of the process. */
  readonly apis: AggregatedApis | undefined
  readonly hostname?: string | undefined
  readonly port?: number | undefined
  readonly tls: TlsServerSettings
}

/** A reviewed object may be large, and an update has two; lists are converted in one review. */
const bodyBytesMax = 32 * 1024 * 1024
const bodiesBytesMax = 2 * bodyBytesMax

/** Several API servers with many requests at the same time. */
const connections = 4_000

/** Longer than the longest timeout of a webhook. */
const exchangeMs = 35_000

/**
 * As long as an API server may wait. A thousand new connections keep the process busy for seconds;
 * those that wait for their handshake must not be closed.
 */
const headMs = 30_000

/** Serves webhooks and aggregated APIs over TLS. */
export async function listenForWebhooks(options: WebhookServerOptions): Promise<HttpServer> {
  const { host, log, metrics, routes, apis, hostname, port, tls } = options
  for (const path of routes.keys()) metrics.add(path)
  return listenBounded({
    host,
    log,
    hostname,
    port,
    tls,
    connections,
    headMs,
    exchangeMs,
    bodyBytesMax,
    bodiesBytesMax,
    handle: async (request): Promise<ServerResponse> => {
      const [path = ''] = request.path.split('?')
      if (apis?.handles(path) === true) {
        return metrics.measure(apis.metricPath(path), async () => apis.handle(request))
      }
      const route = routes.get(path)
      if (route === undefined) return textResponse(404, 'no webhook is served at this path')
      if (request.method !== 'POST') return textResponse(405, 'webhooks are called by POST')
      return metrics.measure(path, async () => route(request))
    },
  })
}
