import type { Clock } from '../host/index.ts'
import type { MetricsRegistry } from '../metrics/index.ts'

/** The buckets of controller-runtime, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of webhooks, with the names of controller-runtime. */
export class WebhookMetrics {
  readonly #host: Clock
  readonly #families: ReturnType<typeof families>
  readonly #inFlight = new Map<string, number>()

  constructor(host: Clock, registry: MetricsRegistry) {
    this.#host = host
    this.#families = families(registry)
  }

  /** Shows a webhook with zeros before its first request, because rates need them. */
  add(webhook: string): void {
    for (const code of ['200', '500']) this.#families.total.add({ webhook, code }, 0)
    this.#families.seconds.prepare({ webhook })
    this.#setInFlight(webhook, 0)
  }

  /** Shows until when the certificate is valid, read at every scrape. */
  addCertificate(registry: MetricsRegistry, expiresMs: () => number | undefined): void {
    const expiry = registry.gauge({
      name: 'setpoint_webhook_certificate_expiry_timestamp_seconds',
      help: 'The time at which the certificate of the webhooks expires, in seconds since the epoch.',
    })
    registry.onCollect(() => {
      const ms = expiresMs()
      if (ms !== undefined) expiry.set({}, ms / 1000)
    })
  }

  /** Measures a request; the result is its status. */
  async measure<T extends { readonly status: number }>(
    webhook: string,
    run: () => Promise<T>,
  ): Promise<T> {
    const startMs = this.#host.monotonicMs()
    this.#setInFlight(webhook, 1)
    let code = '500'
    try {
      const response = await run()
      code = String(response.status)
      return response
    } finally {
      this.#setInFlight(webhook, -1)
      this.#families.total.add({ webhook, code })
      this.#families.seconds.observe({ webhook }, (this.#host.monotonicMs() - startMs) / 1000)
    }
  }

  #setInFlight(webhook: string, change: number): void {
    const count = (this.#inFlight.get(webhook) ?? 0) + change
    this.#inFlight.set(webhook, count)
    this.#families.inFlight.set({ webhook }, count)
  }
}

function families(registry: MetricsRegistry) {
  return {
    total: registry.counter({
      name: 'controller_runtime_webhook_requests_total',
      help: 'Total number of admission requests by HTTP status code.',
      labels: ['webhook', 'code'],
    }),
    inFlight: registry.gauge({
      name: 'controller_runtime_webhook_requests_in_flight',
      help: 'Current number of admission requests being served.',
      labels: ['webhook'],
    }),
    seconds: registry.histogram({
      name: 'controller_runtime_webhook_latency_seconds',
      help: 'Histogram of the latency of processing admission requests',
      labels: ['webhook'],
      buckets,
    }),
  }
}
