import type { KindCache } from '../cache/index.ts'
import { type Client, isApiError } from '../client/index.ts'
import type { Run } from '../controller/index.ts'
import type { AnyResourceDefinition } from '../definition/index.ts'
import { headline, isSetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import type { ApiResource } from '../kinds/api-resource.ts'
import { isTerminating } from '../kinds/is-terminating.ts'
import type { Logger } from '../log/index.ts'
import { callWithTimeout, timeoutMsOf } from './call-with-timeout.ts'
import type { ChangeHandler } from './declare/handler-declaration.ts'
import { isSecretObject } from '../kinds/is-secret-object.ts'
import { type Essence, essenceOf } from './essence.ts'
import { countAttempt, decideRetry } from './retry-decision.ts'
import { changeFor } from './match.ts'
import {
  advanceMemory,
  lastHandledState,
  isFinished,
  type Memory,
  type Progress,
  readMemory,
  settleMemory,
  terminatingMemory,
  writtenMemory,
} from './memory.ts'
import type { IndexAccess } from './object-indexes.ts'
import { checkedResult, replacedBy } from './result.ts'

/** The result of the handlers of one object in one reconcile. */
export interface Handled {
  /** The object after the writes for it. */
  readonly object: ApiResource
  /** The failures of all handlers that have not succeeded, including those of earlier reconciles. */
  readonly failure: string | undefined
  /** The errors of this reconcile, without RetryLaterErrors. */
  readonly thrown: readonly Error[]
  /** The delay until the next handler is due. */
  readonly waitMs: number | undefined
  /** Saves that the cleanups succeeded, for an object that other finalizers keep. */
  readonly note?: () => Promise<void>
}

/** The dependencies of a handler run. */
interface HandlerRunOptions {
  readonly host: Host
  readonly client: Client
  readonly cache: KindCache
  readonly definition: AnyResourceDefinition | undefined
  readonly fieldManager: string
  /** The annotation with the handler memory. */
  readonly annotation: string
  /** The annotations of former names of the operator: their memory is taken over. */
  readonly formerAnnotations: readonly string[]
  readonly handlers: readonly ChangeHandler[]
  readonly access: IndexAccess
  /** Whether a handler is for the object. */
  readonly matches: (handler: ChangeHandler) => boolean
  /** The result of a handler's filter; a filter that throws counts as false. */
  readonly accepts: (handler: ChangeHandler, filter: () => boolean) => boolean
  /** Logs a warning once per process, not for every object. */
  readonly warnOnce: (message: string) => void
}

/** The object of a run. */
export interface HandlerRunSubject {
  readonly object: ApiResource
  readonly run: Run
  readonly log: Logger
  /** The context of the author's functions, without the part for handlers. */
  readonly context: object
  /** Throws if the object is outdated. Called before every handler. */
  readonly checkFresh: () => Promise<void>
  /**
   * The `.onResume` handlers that have not succeeded yet since the process started; a handler is
   * removed when it succeeds.
   */
  readonly resuming: Map<string, Progress>
}

/** A result that is not written yet. */
interface Result {
  readonly handler: ChangeHandler
  readonly progress: Progress
  readonly value: unknown
}

/** When an attempt takes longer than this, the progress of other handlers is saved meanwhile. */
const earlySaveMs = 5_000

/** Errors that do not count as failures of a cleanup. */
const passed = ['GIVE_UP', 'RETRY_LATER', 'API_CONFLICT'] as const

/** Calls the handlers that are due for one object, and saves their progress. */
export class HandlerRun {
  readonly #options: HandlerRunOptions
  readonly #subject: HandlerRunSubject
  readonly #essence: Essence
  readonly #results = new Map<string, Result>()
  readonly #thrown: Error[] = []
  #object: ApiResource
  #memory: Memory | undefined
  #savedText: string | undefined
  #hasFinished = false

  constructor(options: HandlerRunOptions, subject: HandlerRunSubject) {
    this.#options = options
    this.#subject = subject
    this.#object = subject.object
    this.#essence = essenceOf(subject.object)
    this.#savedText = subject.object.metadata.annotations?.[options.annotation]
  }

  async execute(): Promise<Handled> {
    const { signal } = this.#subject.run
    this.#memory = this.#advanced(this.#remembered())
    await this.#round()
    if (this.#memory?.isCreating === true && isFinished(this.#memory)) {
      this.#memory = this.#advanced(settleMemory(this.#memory))
      await this.#round()
    }
    if (this.#memory !== undefined) this.#memory = settleMemory(this.#memory)
    const note = async (): Promise<void> => this.#saveMemory(signal)
    const waiting = this.#waiting()
    // After its cleanups an object is usually deleted: progress that is saved on it would be lost.
    if (this.#memory?.isDeleting === undefined || waiting.waitMs !== undefined) await note()
    return { object: this.#object, thrown: this.#thrown, ...waiting, note }
  }

  /** The memory, without handlers that no longer exist. */
  #remembered(): Memory | undefined {
    const { handlers, annotation, formerAnnotations, warnOnce } = this.#options
    const { annotations = {} } = this.#object.metadata
    const former = formerAnnotations.find((name) => annotations[name] !== undefined)
    const formerText = former === undefined ? undefined : annotations[former]
    const memory = readMemory(this.#savedText ?? formerText)
    if (memory === undefined) {
      if (this.#savedText !== undefined) {
        warnOnce(`the annotation ${annotation} is not readable: treating the object as new`)
      }
      return undefined
    }
    const { uid } = this.#object.metadata
    if ((memory.uid ?? uid) !== uid) return undefined
    const ids = new Set(handlers.map(({ id }) => id))
    const known = <T>(
      all: Readonly<Record<string, T>> | undefined,
    ): Record<string, T> | undefined =>
      all && Object.fromEntries(Object.entries(all).filter(([id]) => ids.has(id)))
    return { ...memory, progress: known(memory.progress), failures: known(memory.failures) }
  }

  #advanced(memory: Memory | undefined): Memory | undefined {
    const observation = {
      ...this.#options,
      essence: this.#essence,
      handlers: this.#options.handlers.filter(({ on }) => on !== 'resume'),
    }
    return isTerminating(this.#object)
      ? terminatingMemory(memory, observation)
      : advanceMemory(memory, observation)
  }

  async #round(): Promise<void> {
    const { handlers, host } = this.#options
    for (const handler of handlers) {
      const progress = this.#progressOf(handler)
      if (progress === undefined) continue
      if ((progress.nextMs ?? 0) <= host.now()) await this.#try(handler, progress)
      // A cleanup may depend on those before it.
      if (handler.on === 'delete' && this.#progressOf(handler) !== undefined) break
    }
    await this.#saveResults(this.#subject.run.signal)
  }

  async #try(handler: ChangeHandler, progress: Progress): Promise<void> {
    const { run, log, checkFresh } = this.#subject
    const { host } = this.#options
    await checkFresh()
    let early: Promise<void> | undefined
    const timer = host.setTimer(earlySaveMs, () => {
      if (this.#hasFinished) early = this.#saveEarly(run.signal)
    })
    try {
      this.#keep(handler, progress, await this.#call(handler, progress.attempts + 1))
      this.#progress(handler, undefined)
      log.debug({ handler: handler.id }, 'handler succeeded')
    } catch (error) {
      const isOverdue = isSetpointError(run.signal.reason, 'RUN_OVERDUE')
      if (run.signal.aborted && !isOverdue) throw error
      // A cleanup that waits is called in every reconcile: its error becomes the outcome of the
      // reconcile.
      const isPassed =
        handler.on === 'delete' && passed.some((code) => isSetpointError(error, code))
      if (!isPassed) this.#failed(handler, progress, error)
      // The progress of other handlers must not be lost.
      if (isOverdue || (isPassed && this.#hasFinished)) await this.#save(undefined)
      if (isOverdue || isPassed) throw error
    } finally {
      timer.cancel()
      await early
    }
  }

  async #call(handler: ChangeHandler, attempt: number): Promise<unknown> {
    const { host, access } = this.#options
    const { run, context, object } = this.#subject
    const base = this.#memory === undefined ? undefined : lastHandledState(this.#memory, handler)
    const change = handler.on === 'update' ? changeFor(handler, base, this.#essence) : {}
    const timeoutMs = timeoutMsOf(handler.options)
    const what = `${handler.id} for ${run.key}`
    return callWithTimeout({ host, timeoutMs, signal: run.signal, what }, async (signal) =>
      handler.run(object, { ...context, ...access, ...change, signal, attempt }),
    )
  }

  #keep(handler: ChangeHandler, progress: Progress, result: unknown): void {
    if (result === undefined || result === null || handler.on === 'delete') return
    const value = checkedResult(this.#options, this.#object, [handler.id, result])
    this.#results.set(handler.id, { handler, progress, value })
  }

  #failed(handler: ChangeHandler, progress: Progress, error: unknown): void {
    const { log } = this.#subject
    const tries = countAttempt({ delays: 0, ...progress }, error)
    const decision = decideRetry(error, tries, handler.options)
    const failure = `${handler.id}: ${headline(error)}`
    const record = { handler: handler.id, attempts: tries.attempts, err: error }
    if (decision.type === 'retry' && !decision.isReported)
      log.debug(record, 'handler asked to be retried later')
    else log.warn(record, 'handler failed')
    if (decision.type === 'retry') {
      const { failure: _, delays: __, ...rest } = progress
      const nextMs = this.#options.host.now() + decision.afterMs
      const why = decision.isReported ? { failure: failure.slice(0, 500) } : {}
      const { attempts, delays } = tries
      const counted = delays === 0 ? { attempts } : { attempts, delays }
      this.#progress(handler, { ...rest, ...counted, nextMs, ...why })
      if (decision.isReported) this.#thrown.push(asError(failure, error))
      return
    }
    const isResume = handler.on === 'resume'
    const isGiven = decision.type === 'giveUp'
    // A resume handler runs once per process start: after giving up it is not retried.
    const never = { ...progress, failure, nextMs: Infinity }
    this.#progress(handler, isGiven && isResume ? never : undefined)
    if (!isGiven) return
    const isCleanup = handler.on === 'delete'
    this.#thrown.push(
      asError(
        isCleanup ? `finalizer removed although its cleanup failed: ${failure}` : failure,
        error,
      ),
    )
    if (isResume || isCleanup || this.#memory === undefined) return
    const failures = { ...this.#memory.failures, [handler.id]: failure.slice(0, 500) }
    this.#memory = { ...this.#memory, failures }
  }

  #progressOf({ on, id }: ChangeHandler): Progress | undefined {
    return on === 'resume' ? this.#subject.resuming.get(id) : this.#memory?.progress?.[id]
  }

  /** Records the progress of a handler; `undefined` when it is done. */
  #progress({ on, id }: ChangeHandler, next: Progress | undefined): void {
    this.#hasFinished ||= on !== 'resume' && next === undefined
    if (on === 'resume') {
      if (next === undefined) this.#subject.resuming.delete(id)
      else this.#subject.resuming.set(id, next)
    } else if (this.#memory !== undefined) {
      const { [id]: _, ...others } = this.#memory.progress ?? {}
      const progress = next === undefined ? others : { ...others, [id]: next }
      this.#memory = { ...this.#memory, progress }
    }
  }

  #waiting(): Pick<Handled, 'failure' | 'waitMs'> {
    const all = [...Object.values(this.#memory?.progress ?? {}), ...this.#subject.resuming.values()]
    const given = Object.values(this.#memory?.failures ?? {})
    const failures = [...all.flatMap(({ failure }) => failure ?? []), ...given]
    const times = all.map((progress) => progress.nextMs ?? 0)
    // Cleanups run in order: the first one is due, the others wait for it.
    const nextMs = this.#memory?.isDeleting === true ? Math.max(...times) : Math.min(...times)
    const isNever = all.length === 0 || nextMs === Infinity
    return {
      failure: failures.length === 0 ? undefined : failures.join('; '),
      waitMs: isNever ? undefined : Math.max(0, nextMs - this.#options.host.now()),
    }
  }

  /** Results first, then the progress: in the other order a crash would lose the results. */
  async #save(signal: AbortSignal | undefined): Promise<void> {
    await this.#saveResults(signal)
    await this.#saveMemory(signal)
  }

  async #saveEarly(signal: AbortSignal): Promise<void> {
    try {
      await this.#save(signal)
    } catch (error) {
      this.#subject.log.debug(
        { err: error },
        'failed to save handler progress early; saving it again at the end',
      )
    }
  }

  async #saveResults(
    signal: AbortSignal | undefined,
    results: readonly Result[] = [...this.#results.values()],
  ): Promise<void> {
    if (results.length === 0) return
    const before = (this.#object['status'] ?? {}) as Readonly<Record<string, unknown>>
    const status = Object.fromEntries(
      results.map(({ handler: { id }, value }) => [id, replacedBy(before[id], value)]),
    )
    try {
      const written = await this.#patch({ status }, { subresource: 'status', signal }, 'status')
      if (written !== undefined) this.#object = { ...this.#object, status: written['status'] }
    } catch (error) {
      if (!isApiError(error, 'API_INVALID', 'API_BAD_REQUEST')) throw error
      const [first, second] = results
      // One by one, to find the result that the server refuses.
      if (second !== undefined) for (const one of results) await this.#saveResults(signal, [one])
      else if (first !== undefined) this.#failed(first.handler, first.progress, error)
    }
    for (const { handler } of results) this.#results.delete(handler.id)
  }

  async #saveMemory(signal: AbortSignal | undefined): Promise<void> {
    if (this.#memory === undefined) return
    const { annotation, formerAnnotations, warnOnce, handlers } = this.#options
    const { uid } = this.#object.metadata
    const isSecret = isSecretObject(this.#object)
    const { text, isTooLarge } = writtenMemory({ uid, ...this.#memory }, handlers, isSecret)
    if (text === this.#savedText) return
    if (isTooLarge) {
      warnOnce('the object is too large for the handler memory: update handlers get no old state')
    }
    const { annotations } = this.#object.metadata
    const field = annotations === undefined ? '' : `.${annotation}`
    const former = formerAnnotations
      .filter((name) => annotations?.[name] !== undefined)
      .map((name) => [name, null] as const)
    const metadata = { annotations: { ...Object.fromEntries(former), [annotation]: text } }
    await this.#patch({ metadata }, { signal }, `metadata.annotations${field}`)
    this.#savedText = text
  }

  /** Patches the object; does nothing when it was deleted. */
  async #patch(
    { metadata, ...fields }: { readonly metadata?: object; readonly status?: object },
    options: { readonly subresource?: string; readonly signal: AbortSignal | undefined },
    scope: string,
  ): Promise<ApiResource | undefined> {
    const { client, cache, fieldManager } = this.#options
    const { uid } = this.#object.metadata
    // With the uid, so that an object that was recreated under the same name is not patched.
    const merge = { ...fields, metadata: { ...metadata, uid } }
    try {
      const patch = { merge, fieldManager, ...options }
      const written = (await client.patch(cache.kind, this.#object.metadata, patch)) as ApiResource
      this.#subject.run.wrote(cache, written, [scope])
      return written
    } catch (error) {
      if (!isApiError(error, 'API_NOT_FOUND')) throw error
      return undefined
    }
  }
}

function asError(message: string, cause: unknown): Error {
  return new Error(message, { cause })
}
