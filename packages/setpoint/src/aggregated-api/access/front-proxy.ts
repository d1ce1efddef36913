import { type Client, isApiError } from '../../client/index.ts'
import { isSetpointError } from '../../errors/index.ts'
import type { Timers } from '../../host/index.ts'
import { ConfigMap } from '../../kinds/index.ts'
import { type Logger, plainError } from '../../log/index.ts'
import { type FrontProxySettings, frontProxySettings } from './front-proxy-settings.ts'

/** The dependencies of `FrontProxy`. */
interface FrontProxyOptions {
  readonly host: Timers
  readonly client: Client
  readonly log: Logger
  /** Called when another authority signs the certificates of API servers. */
  readonly onChange: () => void
}

/** The ConfigMap that every cluster has. */
const place = { name: 'extension-apiserver-authentication', namespace: 'kube-system' }

/** How often it is read. A new authority is published long before it is used. */
const readMs = 60_000

/** How often it is read while it cannot be read. */
const retryMs = 5_000

/** Knows how API servers authenticate themselves and their users. */
export class FrontProxy {
  readonly #options: FrontProxyOptions
  #settings: FrontProxySettings | undefined
  #problem: string | undefined = 'not read yet'

  constructor(options: FrontProxyOptions) {
    this.#options = options
  }

  get settings(): FrontProxySettings | undefined {
    return this.#settings
  }

  /** Why no request can be authenticated. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Reads the ConfigMap. A failure is logged; old settings stay. */
  async read(): Promise<void> {
    const { client, log, onChange } = this.#options
    try {
      const { data } = await client.get(ConfigMap, place)
      const before = this.#settings
      this.#settings = frontProxySettings(data)
      this.#report(
        this.#settings === undefined
          ? 'the ConfigMap extension-apiserver-authentication has no requestheader-client-ca-file'
          : undefined,
      )
      if (before?.clientCa !== this.#settings?.clientCa) onChange()
    } catch (error) {
      if (isSetpointError(error, 'ABORTED')) return
      const err = plainError(error, { stack: false })
      log.warn({ err }, 'cannot read the ConfigMap extension-apiserver-authentication')
      if (this.#settings !== undefined) return
      this.#problem = isApiError(error, 'API_FORBIDDEN')
        ? 'the role does not allow to read the ConfigMap extension-apiserver-authentication'
        : 'the ConfigMap extension-apiserver-authentication could not be read'
    }
  }

  /** Reads it again until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        await this.#options.host.sleep(this.#problem === undefined ? readMs : retryMs, signal)
        await this.read()
      }
    } catch (error) {
      if (!isSetpointError(error, 'ABORTED')) throw error
    }
  }

  #report(problem: string | undefined): void {
    if (problem !== undefined && problem !== this.#problem) this.#options.log.warn(problem)
    this.#problem = problem
  }
}
