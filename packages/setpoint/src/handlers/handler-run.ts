import type { KindCache } from '../cache/index.ts'
import { type Client, isApiError } from '../client/index.ts'
import type { Run } from '../controller/index.ts'
import type { AnyResourceDefinition } from '../definition/index.ts'
import { headline, isSetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { callAuthor, timeoutMsOf } from './call-author.ts'
import { type Essence, essenceOf, type ServedObject } from './essence.ts'
import type { ChangeHandler } from './declare/handler-declaration.ts'
import { changeFor } from './match.ts'
import {
  advanced,
  baseOf,
  isOver,
  leaving,
  type Memory,
  type Progress,
  readMemory,
  settled,
  writtenMemory,
} from './memory.ts'
import type { IndexAccess } from './object-indexes.ts'
import { checkedResult, replacedBy } from './result.ts'
import { oneMore, verdictOn } from './handler-verdict.ts'

/** What the handlers of one object came to in one run. */
export interface Handled {
  /** The object with what was written for it. */
  readonly object: ServedObject
  /** What those say that did not succeed, whenever they were tried. */
  readonly failure: string | undefined
  /** What was thrown in this run and is somebody's fault. */
  readonly thrown: readonly Error[]
  /** When the next one is to be tried again. */
  readonly waitMs: number | undefined
  /** Writes down that the cleanups are over, for an object that cannot go yet. */
  readonly note?: () => Promise<void>
}

/** What a run of the handlers of one object needs. */
interface HandlerRunOptions {
  readonly host: Host
  readonly client: Client
  readonly cache: KindCache
  readonly definition: AnyResourceDefinition | undefined
  readonly fieldManager: string
  /** Where the memory is kept. */
  readonly annotation: string
  readonly handlers: readonly ChangeHandler[]
  readonly access: IndexAccess
  /** Whether a handler is for the object. */
  readonly concerns: (handler: ChangeHandler) => boolean
  /** What a filter of a handler says; a filter that throws says no. */
  readonly accepts: (handler: ChangeHandler, filter: () => boolean) => boolean
  /** Warns, but not of every object. */
  readonly warnOnce: (message: string) => void
}

/** The object a run is about. */
export interface HandlerRunSubject {
  readonly object: ServedObject
  readonly run: Run
  readonly log: Logger
  /** What the author's functions get besides what is about handlers. */
  readonly context: object
  /** What remains to be done because the process began; it is no longer in here when it is done. */
  readonly resuming: Map<string, Progress>
}

/** A result that is not written yet. */
interface Result {
  readonly handler: ChangeHandler
  readonly progress: Progress
  readonly value: unknown
}

/** A try that takes longer than this lets what others achieved be written down meanwhile. */
const earlySaveMs = 5_000

/** What a cleanup can throw without having failed. */
const passed = ['GIVE_UP', 'RETRY_LATER', 'API_CONFLICT'] as const

/** One look at one object: calls what is due, and remembers how far everything is. */
export class HandlerRun {
  readonly #options: HandlerRunOptions
  readonly #subject: HandlerRunSubject
  readonly #essence: Essence
  readonly #results = new Map<string, Result>()
  readonly #thrown: Error[] = []
  #object: ServedObject
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

  async go(): Promise<Handled> {
    const { signal } = this.#subject.run
    this.#memory = this.#advanced(this.#remembered())
    await this.#round()
    if (this.#memory?.isCreating === true && isOver(this.#memory)) {
      this.#memory = this.#advanced(settled(this.#memory))
      await this.#round()
    }
    if (this.#memory !== undefined) this.#memory = settled(this.#memory)
    const note = async (): Promise<void> => this.#saveMemory(signal)
    const waiting = this.#waiting()
    // After its cleanups an object usually goes, and what is noted on it too.
    if (this.#memory?.isDeleting === undefined || waiting.waitMs !== undefined) await note()
    return { object: this.#object, thrown: this.#thrown, ...waiting, note }
  }

  /** The memory of handlers that still exist. */
  #remembered(): Memory | undefined {
    const { handlers, annotation, warnOnce } = this.#options
    const memory = readMemory(this.#savedText)
    if (memory === undefined) {
      if (this.#savedText !== undefined) {
        warnOnce(`the annotation ${annotation} was changed by others: the object counts as new`)
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
    const { deletionTimestamp } = this.#object.metadata
    const look = {
      ...this.#options,
      essence: this.#essence,
      handlers: this.#options.handlers.filter(({ on }) => on !== 'resume'),
    }
    return deletionTimestamp === undefined ? advanced(memory, look) : leaving(memory, look)
  }

  async #round(): Promise<void> {
    const { handlers, host } = this.#options
    for (const handler of handlers) {
      const progress = this.#progressOf(handler)
      if (progress === undefined) continue
      if ((progress.nextMs ?? 0) <= host.now()) await this.#try(handler, progress)
      // A cleanup may build on what those before it did.
      if (handler.on === 'delete' && this.#progressOf(handler) !== undefined) break
    }
    await this.#saveResults(this.#subject.run.signal)
  }

  async #try(handler: ChangeHandler, progress: Progress): Promise<void> {
    const { run, log } = this.#subject
    const { host } = this.#options
    let early: Promise<void> | undefined
    const timer = host.setTimer(earlySaveMs, () => {
      if (this.#hasFinished) early = this.#saveEarly(run.signal)
    })
    try {
      this.#keep(handler, progress, await this.#call(handler, progress.attempts + 1))
      this.#progress(handler, undefined)
      log.debug({ handler: handler.id }, 'a handler succeeded')
    } catch (error) {
      const isOverdue = isSetpointError(run.signal.reason, 'RUN_OVERDUE')
      if (run.signal.aborted && !isOverdue) throw error
      // Cleanups that wait for something are tried whenever there is a run: it says what comes of it.
      const isPassed =
        handler.on === 'delete' && passed.some((code) => isSetpointError(error, code))
      if (!isPassed) this.#failed(handler, progress, error)
      // What was achieved must not be lost with it.
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
    const base = this.#memory === undefined ? undefined : baseOf(this.#memory, handler)
    const change = handler.on === 'update' ? changeFor(handler, base, this.#essence) : {}
    const timeoutMs = timeoutMsOf(handler.options)
    const what = `${handler.id} for ${run.key}`
    return callAuthor({ host, timeoutMs, signal: run.signal, what }, async (signal) =>
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
    const tries = oneMore({ delays: 0, ...progress }, error)
    const verdict = verdictOn(error, tries, handler.options)
    const failure = `${handler.id}: ${headline(error)}`
    const record = { handler: handler.id, attempts: tries.attempts, err: error }
    if (verdict.type === 'retry' && !verdict.isFault) log.debug(record, 'a handler asks for time')
    else log.warn(record, 'a handler failed')
    if (verdict.type === 'retry') {
      const { failure: _, delays: __, ...rest } = progress
      const nextMs = this.#options.host.now() + verdict.afterMs
      const why = verdict.isFault ? { failure: failure.slice(0, 500) } : {}
      const { attempts, delays } = tries
      const counted = delays === 0 ? { attempts } : { attempts, delays }
      this.#progress(handler, { ...rest, ...counted, nextMs, ...why })
      if (verdict.isFault) this.#thrown.push(asError(failure, error))
      return
    }
    const isResume = handler.on === 'resume'
    const isGiven = verdict.type === 'giveUp'
    // Nothing makes a process begin anew for an object: for its time it stays as it is.
    const never = { ...progress, failure, nextMs: Infinity }
    this.#progress(handler, isGiven && isResume ? never : undefined)
    if (!isGiven) return
    const isLetGo = handler.on === 'delete'
    this.#thrown.push(asError(isLetGo ? `let go without its cleanup: ${failure}` : failure, error))
    if (isResume || isLetGo || this.#memory === undefined) return
    const failures = { ...this.#memory.failures, [handler.id]: failure.slice(0, 500) }
    this.#memory = { ...this.#memory, failures }
  }

  #progressOf({ on, id }: ChangeHandler): Progress | undefined {
    return on === 'resume' ? this.#subject.resuming.get(id) : this.#memory?.progress?.[id]
  }

  /** Notes how far a handler is; nothing remains of one that is done. */
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
    // Of cleanups one is being tried, and the others wait for it.
    const nextMs = this.#memory?.isDeleting === true ? Math.max(...times) : Math.min(...times)
    const isNever = all.length === 0 || nextMs === Infinity
    return {
      failure: failures.length === 0 ? undefined : failures.join('; '),
      waitMs: isNever ? undefined : Math.max(0, nextMs - this.#options.host.now()),
    }
  }

  /** First the results, then that there is nothing more to do: the other way round a crash would lose them. */
  async #save(signal: AbortSignal | undefined): Promise<void> {
    await this.#saveResults(signal)
    await this.#saveMemory(signal)
  }

  async #saveEarly(signal: AbortSignal): Promise<void> {
    try {
      await this.#save(signal)
    } catch (error) {
      this.#subject.log.debug({ err: error }, 'progress could not be written yet')
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
      // Alone, each shows whether it is the one that is refused.
      if (second !== undefined) for (const one of results) await this.#saveResults(signal, [one])
      else if (first !== undefined) this.#failed(first.handler, first.progress, error)
    }
    for (const { handler } of results) this.#results.delete(handler.id)
  }

  async #saveMemory(signal: AbortSignal | undefined): Promise<void> {
    if (this.#memory === undefined) return
    const { annotation, warnOnce, handlers } = this.#options
    const { uid } = this.#object.metadata
    const { text, isCut } = writtenMemory({ uid, ...this.#memory }, handlers)
    if (text === this.#savedText) return
    if (isCut) {
      warnOnce('an object is too large to be remembered: handlers of its updates get no old state')
    }
    const { annotations } = this.#object.metadata
    const field = annotations === undefined ? '' : `.${annotation}`
    const metadata = { annotations: { [annotation]: text } }
    await this.#patch({ metadata }, { signal }, `metadata.annotations${field}`)
    this.#savedText = text
  }

  /** Changes the object; nothing is changed when it is gone. */
  async #patch(
    { metadata, ...fields }: { readonly metadata?: object; readonly status?: object },
    options: { readonly subresource?: string; readonly signal: AbortSignal | undefined },
    scope: string,
  ): Promise<ServedObject | undefined> {
    const { client, cache, fieldManager } = this.#options
    const { uid } = this.#object.metadata
    // The uid: an object that was made anew under the same name has been through nothing yet.
    const merge = { ...fields, metadata: { ...metadata, uid } }
    try {
      const patch = { merge, fieldManager, ...options }
      const written = (await client.patch(cache.kind, this.#object.metadata, patch)) as ServedObject
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
