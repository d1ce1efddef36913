import type { KindCache } from '../cache/index.ts'
import { type Client, isApiError } from '../client/index.ts'
import type { Run } from '../controller/index.ts'
import type { AnyResourceDefinition } from '../definition/index.ts'
import { headline, isSetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { callAuthor } from './call-author.ts'
import { type Essence, essenceOf, type ServedObject } from './essence.ts'
import type { ChangeHandler } from './handler-declaration.ts'
import { changeFor, concerns } from './match.ts'
import {
  advanced,
  baseOf,
  type Memory,
  type Progress,
  readMemory,
  settled,
  writtenMemory,
} from './memory.ts'
import type { IndexAccess } from './object-indexes.ts'
import { checkResult, replacedBy } from './result.ts'
import { oneMore, verdictOn } from './verdict.ts'

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
  readonly onCut: () => void
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

/** A try that takes longer than this lets what others achieved be written down meanwhile. */
const earlySaveMs = 5_000

/** One look at one object: calls what is due, and remembers how far everything is. */
export class HandlerRun {
  readonly #options: HandlerRunOptions
  readonly #subject: HandlerRunSubject
  readonly #essence: Essence
  readonly #results: Record<string, unknown> = {}
  readonly #thrown: Error[] = []
  readonly #given: string[] = []
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
    this.#memory = this.#advanced(known(readMemory(this.#savedText), this.#options.handlers))
    await this.#round()
    if (this.#memory?.isCreating === true && isOver(this.#memory)) {
      this.#memory = this.#advanced(settled(this.#memory))
      await this.#round()
    }
    if (this.#memory !== undefined) this.#memory = settled(this.#memory)
    await this.#save(this.#subject.run.signal)
    return { object: this.#object, thrown: this.#thrown, ...this.#waiting() }
  }

  #advanced(memory: Memory | undefined): Memory | undefined {
    const { handlers, access, host } = this.#options
    return advanced(memory, {
      essence: this.#essence,
      nowMs: host.now(),
      handlers: handlers.filter(({ on }) => on !== 'resume'),
      concerns: ({ options }) => concerns(options, this.#subject.object, access),
    })
  }

  async #round(): Promise<void> {
    const { handlers, host } = this.#options
    for (const handler of handlers) {
      const progress = this.#progressOf(handler)
      if (progress === undefined || (progress.nextMs ?? 0) > host.now()) continue
      await this.#try(handler, progress)
    }
  }

  async #try(handler: ChangeHandler, progress: Progress): Promise<void> {
    const { run, log } = this.#subject
    const { host } = this.#options
    let early: Promise<void> | undefined
    const timer = host.setTimer(earlySaveMs, () => {
      if (this.#hasFinished) early = this.#saveEarly(run.signal)
    })
    try {
      const result = await this.#call(handler, progress.attempts + 1)
      this.#keep(handler, result)
      this.#progress(handler, undefined)
      log.debug({ handler: handler.id }, 'a handler succeeded')
    } catch (error) {
      const isOverdue = isSetpointError(run.signal.reason, 'RUN_OVERDUE')
      if (run.signal.aborted && !isOverdue) throw error
      this.#failed(handler, progress, error)
      // Its time is up, and what was achieved must not be lost with it.
      if (isOverdue) await this.#save(undefined)
      if (isOverdue) throw error
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
    const { timeoutMs } = handler.options
    const what = `${handler.id} for ${run.key}`
    return callAuthor({ host, timeoutMs, signal: run.signal, what }, async (signal) =>
      handler.run(object, { ...context, ...access, ...change, signal, attempt }),
    )
  }

  #keep(handler: ChangeHandler, result: unknown): void {
    if (result === undefined || result === null) return
    checkResult(this.#options, handler.id)
    this.#results[handler.id] = result
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
    this.#progress(handler, undefined)
    if (verdict.type === 'ignore') return
    this.#given.push(failure)
    this.#thrown.push(asError(failure, error))
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
    const failures = [...all.flatMap(({ failure }) => failure ?? []), ...this.#given]
    const nextMs = Math.min(...all.map((progress) => progress.nextMs ?? 0))
    return {
      failure: failures.length === 0 ? undefined : failures.join('; '),
      waitMs: all.length === 0 ? undefined : Math.max(0, nextMs - this.#options.host.now()),
    }
  }

  /** First the results, then that there is nothing more to do: the other way round a crash would lose them. */
  async #save(signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#saveResults(signal)
      await this.#saveMemory(signal)
    } catch (error) {
      // An object that is gone needs no memory.
      if (!isApiError(error, 'API_NOT_FOUND')) throw error
    }
  }

  async #saveEarly(signal: AbortSignal): Promise<void> {
    try {
      await this.#save(signal)
    } catch (error) {
      this.#subject.log.debug({ err: error }, 'progress could not be written yet')
    }
  }

  async #saveResults(signal: AbortSignal | undefined): Promise<void> {
    const ids = Object.keys(this.#results)
    if (ids.length === 0) return
    const { client, cache, fieldManager } = this.#options
    const before = (this.#object['status'] ?? {}) as Readonly<Record<string, unknown>>
    const status = Object.fromEntries(
      ids.map((id) => [id, replacedBy(before[id], this.#results[id])]),
    )
    const { uid } = this.#object.metadata
    const written = (await client.patch(cache.kind, this.#object.metadata, {
      merge: { metadata: { uid }, status },
      subresource: 'status',
      fieldManager,
      signal,
    })) as ServedObject
    for (const id of ids) Reflect.deleteProperty(this.#results, id)
    this.#subject.run.wrote(cache, written, ['status'])
    this.#object = { ...this.#object, status: written['status'] }
  }

  async #saveMemory(signal: AbortSignal | undefined): Promise<void> {
    if (this.#memory === undefined) return
    const { client, cache, fieldManager, annotation, onCut } = this.#options
    const { text, isCut } = writtenMemory(this.#memory)
    if (text === this.#savedText) return
    if (isCut) onCut()
    const { uid, annotations } = this.#object.metadata
    // The uid: an object that was made anew under the same name has been through nothing yet.
    const written = (await client.patch(cache.kind, this.#object.metadata, {
      merge: { metadata: { uid, annotations: { [annotation]: text } } },
      fieldManager,
      signal,
    })) as ServedObject
    this.#savedText = text
    const field = annotations === undefined ? '' : `.${annotation}`
    this.#subject.run.wrote(cache, written, [`metadata.annotations${field}`])
  }
}

function isOver({ progress = {} }: Memory): boolean {
  return Object.keys(progress).length === 0
}

/** A handler that no longer exists has nothing left to do. */
function known(memory: Memory | undefined, handlers: readonly ChangeHandler[]): Memory | undefined {
  if (memory?.progress === undefined) return memory
  const ids = new Set(handlers.map(({ id }) => id))
  const progress = Object.entries(memory.progress).filter(([id]) => ids.has(id))
  return { ...memory, progress: Object.fromEntries(progress) }
}

function asError(message: string, cause: unknown): Error {
  return new Error(message, { cause })
}
