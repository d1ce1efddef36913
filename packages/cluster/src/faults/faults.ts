import { type Duration, durationMs } from 'setpoint/host'
import type { FaultInjection } from './fault-injection.ts'
import { checkLegal, type FaultCode } from './legal-answers.ts'
import type { RequestMatch } from './request-match.ts'
import type { FaultEffect } from './request-fault.ts'

/** How many requests a fault is about; 1 by default. */
interface FaultTimes {
  readonly times?: number
}

/** Another API server of a cluster. */
export interface ApiReplica extends AsyncDisposable {
  /** The URL of its API, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** A kubeconfig for this server, with the users of the cluster. */
  kubeconfig(): string
  readonly faults: Faults
  dispose(): Promise<void>
}

/**
 * Faults on request, for tests of programs that must survive them. Each is something that a
 * conforming cluster may do. Disposing the returned value, or `clear`, ends a fault.
 */
export class Faults {
  readonly #injection: FaultInjection
  readonly #startReplica: () => Promise<ApiReplica>

  /** Made by the cluster: use `cluster.faults`. */
  constructor(injection: FaultInjection, startReplica: () => Promise<ApiReplica>) {
    this.#injection = injection
    this.#startReplica = startReplica
  }

  /**
   * Answers the next requests with an error instead of executing them. 409 is possible only for
   * updates and patches, and 410 only for lists with a continue token: other requests are executed.
   * `retryAfter` is sent with 429 and 503, `1s` by default.
   */
  answer(
    match: RequestMatch,
    code: FaultCode,
    options: FaultTimes & { readonly retryAfter?: Duration } = {},
  ): Disposable {
    checkLegal(code, match)
    const retryAfterMs = durationMs(options.retryAfter ?? '1s', 'retryAfter')
    const retryAfterSeconds = Math.ceil(retryAfterMs / 1000)
    return this.#rule(match, { type: 'answer', code, retryAfterSeconds, afterMs: 0 }, options)
  }

  /** Breaks the connection before the next requests are executed. */
  loseRequest(match: RequestMatch, options: FaultTimes = {}): Disposable {
    return this.#rule(match, { type: 'lose-request', afterMs: 0 }, options)
  }

  /**
   * Executes the next requests, and loses their answers. With `reset` the connection breaks, with
   * `silent` it stays open until the client gives up.
   */
  loseAnswer(
    match: RequestMatch,
    options: FaultTimes & { readonly how?: 'reset' | 'silent' } = {},
  ): Disposable {
    return this.#rule(match, { type: 'lose-answer', how: options.how ?? 'reset' }, options)
  }

  /**
   * Executes the next requests later. A client that does not wait so long sees a timeout, and the
   * request is executed nevertheless.
   */
  delayRequest(match: RequestMatch, by: Duration, options: FaultTimes = {}): Disposable {
    return this.#rule(match, { type: 'delay', byMs: durationMs(by, 'by') }, options)
  }

  /**
   * Ends open watches: `closed` in order, `reset` without an end of the response, `expired` with an
   * ERROR event of code 410.
   */
  endWatches(match: RequestMatch, how: 'closed' | 'reset' | 'expired'): void {
    this.#injection.endWatches(match, how)
  }

  /** Sends nothing to open and new watches, although their connections stay open. */
  stallWatches(match: RequestMatch): Disposable {
    return disposable(this.#injection.addStall(match))
  }

  /**
   * Freezes the watch cache: watches get no later events, and reads with `resourceVersion=0` get
   * the state of now, or that of an older revision: a client that connects to another API server
   * may find one that is behind.
   */
  holdEvents(match: RequestMatch, options: { readonly revision?: number } = {}): Disposable {
    return disposable(this.#injection.hold(match, options.revision))
  }

  /** Lets the watch cache lag behind: everything is visible only after this time. */
  delayEvents(match: RequestMatch, by: Duration): Disposable {
    return disposable(this.#injection.delay(match, durationMs(by, 'by')))
  }

  /**
   * The storage does not respond. Writes fail with 504 after `writesAfter` (`34s` by default), reads
   * lose their connection after `readsAfter` (`60s`); watches and reads from the watch cache work.
   */
  stopStorage(
    options: { readonly writesAfter?: Duration; readonly readsAfter?: Duration } = {},
  ): Disposable {
    const { writesAfter = '34s', readsAfter = '60s' } = options
    const end = this.#injection.stopStorage({
      writesAfterMs: durationMs(writesAfter, 'writesAfter'),
      readsAfterMs: durationMs(readsAfter, 'readsAfter'),
    })
    return disposable(end)
  }

  /**
   * Starts another API server over the same storage, with a watch cache and faults of its own. A
   * client that changes from one server to the other may see older states: hold the events of one.
   */
  async startReplica(): Promise<ApiReplica> {
    return this.#startReplica()
  }

  /** Ends all faults of this server. */
  clear(): void {
    this.#injection.clear()
  }

  #rule(match: RequestMatch, effect: FaultEffect, { times = 1 }: FaultTimes): Disposable {
    return disposable(this.#injection.addRule({ match, effect, left: times }))
  }
}

function disposable(end: () => void): Disposable {
  return { [Symbol.dispose]: end }
}
