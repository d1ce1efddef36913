import { start, type AnyOperator, type RunningOperators } from 'setpoint'
import { fixedCredentials } from 'setpoint/client'
import type { Host, HttpHandler } from 'setpoint/host'
import {
  inProcessHost,
  inProcessServer,
  type InProcessHost,
  type InProcessUser,
} from '../in-process-host.ts'

interface InProcessOperatorsOptions {
  readonly host: Host
  readonly handle: HttpHandler
}

/** Operators that run in the process of the cluster. */
export class InProcessOperators {
  readonly #options: InProcessOperatorsOptions
  readonly #hosts: InProcessHost[] = []
  readonly #processes: RunningOperators[] = []
  readonly #starting = new Set<Promise<RunningOperators>>()
  #isStopping = false

  constructor(options: InProcessOperatorsOptions) {
    this.#options = options
  }

  /** The requests and watches between the operators and the API. */
  get traffic(): readonly InProcessHost['traffic'][] {
    return this.#hosts.map(({ traffic }) => traffic)
  }

  get processes(): readonly RunningOperators[] {
    return this.#processes
  }

  /** How many processes are being started. */
  get startingCount(): number {
    return this.#starting.size
  }

  /** Starts operators as one process, with the rights of a user. */
  async start(
    operators: readonly AnyOperator[],
    user: InProcessUser,
    options: { readonly install?: boolean } = {},
  ): Promise<RunningOperators> {
    const starting = this.#start(operators, user, options)
    this.#starting.add(starting)
    return starting.finally(() => this.#starting.delete(starting))
  }

  async #start(
    operators: readonly AnyOperator[],
    user: InProcessUser,
    options: { readonly install?: boolean },
  ): Promise<RunningOperators> {
    const host = inProcessHost(this.#options.host, this.#options.handle, user)
    const running = await start(operators, {
      ...options,
      host,
      connection: {
        server: inProcessServer,
        credentials: fixedCredentials({}),
        namespace: 'default',
        name: user.name,
        isLocal: true,
      },
      // API errors are visible in the cluster. Only errors of the controllers themselves are
      // logged.
      logLevel: 'error',
    })
    this.#hosts.push(host)
    this.#processes.push(running)
    // The cluster was stopped while this process started.
    if (this.#isStopping) await running.stop()
    return running
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.allSettled(this.#starting)
    await Promise.all(this.#processes.map((running) => running.stop()))
  }
}
