import type { Timer } from 'setpoint/host'
import type { ApiServer, RemoteApiService } from '../../api/index.ts'
import { OutboundError } from '../../outbound/index.ts'
import { serviceAvailability, unavailable, type Availability } from './api-service-availability.ts'

interface ChecksOptions {
  readonly server: ApiServer
  /** Stores the condition of an APIService. */
  readonly write: (name: string, availability: Availability) => void
}

/** The checks of one APIService. */
interface Checked {
  isRunning: boolean
  /** It changed during a check. */
  isAgain: boolean
  failures: number
  timer: Timer | undefined
  /** When the documents of the server were read. */
  readMs: number
}

/** A server with several pods is available if one of these attempts succeeds. */
const attempts = 5
const timeoutMs = 5_000
const intervalMs = 30_000
const firstRetryMs = 5
/** How old the documents of a server may become. */
const documentAgeMs = 60_000

const user = { 'x-remote-user': 'system:kube-aggregator', 'x-remote-group': ['system:masters'] }

/** Checks the servers of aggregated APIs: after a change, and every 30 seconds. */
export class AvailabilityChecks {
  readonly #options: ChecksOptions
  readonly #checked = new Map<string, Checked>()
  #isStopped = false

  constructor(options: ChecksOptions) {
    this.#options = options
  }

  /** How many checks are running. */
  get runningCount(): number {
    return [...this.#checked.values()].filter(({ isRunning }) => isRunning).length
  }

  /** Checks these APIServices now. They or their Services have changed. */
  changed(services: Iterable<RemoteApiService>): void {
    for (const { name } of services) {
      const checked = this.#checked.get(name) ?? newChecked()
      this.#checked.set(name, checked)
      checked.readMs = -Infinity
      this.#start(name, checked)
    }
  }

  /** Ends the checks of APIServices that are not in `names`. */
  retain(names: ReadonlyMap<string, unknown>): void {
    for (const [name, { timer }] of this.#checked) {
      if (names.has(name)) continue
      timer?.cancel()
      this.#checked.delete(name)
    }
  }

  stop(): void {
    this.#isStopped = true
    this.retain(new Map())
  }

  #start(name: string, checked: Checked): void {
    checked.timer?.cancel()
    checked.timer = undefined
    if (checked.isRunning) {
      checked.isAgain = true
      return
    }
    checked.isRunning = true
    void this.#run(name, checked).finally(() => {
      checked.isRunning = false
      if (this.#isStopped || this.#checked.get(name) !== checked) return
      if (checked.isAgain) {
        checked.isAgain = false
        this.#start(name, checked)
        return
      }
      const delayMs =
        checked.failures === 0
          ? intervalMs
          : Math.min(intervalMs, firstRetryMs * 2 ** (checked.failures - 1))
      checked.timer = this.#options.server.host.setTimer(delayMs, () => this.#start(name, checked))
    })
  }

  async #run(name: string, checked: Checked): Promise<void> {
    const { server, write } = this.#options
    const service = server.aggregation.services.remote.get(name)
    if (service === undefined) return
    const { availability, isAsked } = await this.#check(service)
    checked.failures = isAsked && availability.status === 'False' ? checked.failures + 1 : 0
    const { documents } = server.aggregation
    if (!isAsked) documents.lose(service)
    else if (server.host.monotonicMs() - checked.readMs >= documentAgeMs) {
      await documents.refresh(service)
      checked.readMs = server.host.monotonicMs()
    }
    // It may have been deleted meanwhile.
    if (!this.#isStopped && this.#checked.get(name) === checked) write(name, availability)
  }

  async #check(
    service: RemoteApiService,
  ): Promise<{ readonly availability: Availability; readonly isAsked: boolean }> {
    const { server } = this.#options
    const { proxy } = server.aggregation
    const { target } = service
    if (!proxy.isForwarded(target)) {
      const known = serviceAvailability(server, target)
      if (known !== undefined) return { availability: known, isAsked: false }
    }
    const failures = await Promise.all(
      Array.from({ length: attempts }, () => this.#failure(service)),
    )
    const last = failures.includes(undefined) ? undefined : failures.at(-1)
    const availability = last === undefined ? passed : unavailable('FailedDiscoveryCheck', last)
    return { availability, isAsked: true }
  }

  /** Why the server did not answer for its version; `undefined` if it did. */
  async #failure({ target, group, version }: RemoteApiService): Promise<string | undefined> {
    const { proxy } = this.#options.server.aggregation
    let url: string
    try {
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
      url = proxy.origin(target) + path
    } catch (error) {
      if (error instanceof OutboundError) return error.message
      throw error
    }
    const failing = `failing or missing response from ${url}`
    try {
      const path = url.slice(proxy.origin(target).length)
      const request = { method: 'GET', path, headers: user, timeoutMs }
      const { status, body } = await proxy.send(target, request)
      await body[Symbol.asyncIterator]().return()
      const isGood = status >= 200 && status < 300
      return isGood ? undefined : `${failing}: bad status from ${url}: ${status}`
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return `${failing}: Get ${JSON.stringify(url)}: ${error.message}`
    }
  }
}

const passed: Availability = {
  type: 'Available',
  status: 'True',
  reason: 'Passed',
  message: 'all checks passed',
}

function newChecked(): Checked {
  return { isRunning: false, isAgain: false, failures: 0, timer: undefined, readMs: -Infinity }
}
