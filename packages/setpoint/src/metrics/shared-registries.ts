import { SetpointError } from '../errors/index.ts'
import type { Timers } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import type { MetricsRegistry } from './metrics-registry.ts'

/**
 * A registry of another library whose metrics are served with those of Setpoint. A `Registry` of
 * `prom-client` is one.
 */
export interface SharedRegistry {
  /** All metrics in Prometheus' text format. */
  metrics(): string | Promise<string>
  readonly contentType?: string
}

interface SharedRegistriesOptions {
  readonly host: Timers
  readonly log: Logger
  readonly registry: MetricsRegistry
  readonly registries: readonly SharedRegistry[]
}

/** A registry that takes longer is left out, because a scrape has a timeout, often 10 s. */
const registryMs = 5_000

/**
 * Serves several registries as one text. A registry that fails is left out and logged; the others
 * are served.
 */
export class SharedRegistries {
  readonly #options: SharedRegistriesOptions
  readonly #warned = new Set<string>()

  constructor(options: SharedRegistriesOptions) {
    for (const { contentType = '' } of options.registries) {
      if (!contentType.includes('openmetrics')) continue
      throw new SetpointError('METRIC_INVALID', `a registry of ${contentType} cannot be shared`, {
        hint: "use the Prometheus text format: register.setContentType('text/plain; version=0.0.4; charset=utf-8')",
      })
    }
    this.#options = options
  }

  async text(): Promise<string> {
    const { registry, registries } = this.#options
    const own = registry.text()
    if (registries.length === 0) return own
    const others = await Promise.all(registries.map(async (shared) => this.#read(shared)))
    const { text, repeated } = joinedTexts([own, ...others])
    for (const name of repeated) {
      this.#warnOnce(name, `two registries have the metric ${name}: the second one is not served`)
    }
    return text
  }

  async #read(shared: SharedRegistry): Promise<string> {
    const { host, log } = this.#options
    const timeout = new AbortController()
    const expired = host.sleep(registryMs, timeout.signal).then(() => {
      throw new Error(`no answer within ${registryMs} ms`)
    })
    // The sleep rejects when it is aborted, which is expected.
    expired.catch(() => undefined)
    try {
      return await Promise.race([shared.metrics(), expired])
    } catch (err) {
      log.error({ err }, 'a shared metrics registry failed: its metrics are not served')
      return ''
    } finally {
      timeout.abort()
    }
  }

  #warnOnce(name: string, message: string): void {
    if (this.#warned.has(name)) return
    this.#warned.add(name)
    this.#options.log.warn({ metric: name }, message)
  }
}

/** Several texts as one. Prometheus refuses a metric that is there twice: the first one stays. */
function joinedTexts(texts: readonly string[]): {
  readonly text: string
  readonly repeated: readonly string[]
} {
  const ownerOf = new Map<string, number>()
  const repeated = new Set<string>()
  const lines = texts.flatMap((text, index) => {
    let current: string | undefined
    return text.split('\n').filter((line) => {
      if (line === '') return false
      const declared = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1]
      const name = declared ?? current
      if (declared !== undefined) current = declared
      if (name === undefined) return true
      const owner = ownerOf.get(name) ?? index
      ownerOf.set(name, owner)
      if (owner !== index) repeated.add(name)
      return owner === index
    })
  })
  return { text: lines.map((line) => `${line}\n`).join(''), repeated: [...repeated] }
}
