import { SetpointError } from '../../errors/index.ts'
import { onAbort, type ServerResponse, type Timers } from '../../host/index.ts'
import type { JsonObject, JsonValue } from '../../schema/index.ts'
import { refusals } from '../api-refusal.ts'
import { eventAnswer } from '../objects/answer-form.ts'
import { type ObjectSelection, objectSelection } from '../objects/object-selection.ts'
import { type ServedItems, type ServedJson, servedObject } from '../objects/served-objects.ts'
import { callOf, logOf, refusalOf, type VerbContext } from './call-function.ts'
import { findObjects, formOptions } from './read-verbs.ts'
import { WatchSelection } from './watch-selection.ts'
import { type WatchStart, watchStart } from './watch-start.ts'

/** Watches end after this time unless the client says otherwise, and up to twice as late. */
const watchMsDefault = 30 * 60_000

const bookmarkMs = 60_000

type Changes = AsyncIterator<unknown, unknown>

/**
 * Answers a watch. It calls the author's `watch` before `list`, so that no change between them is
 * lost. `stopped` is aborted when the process ends.
 */
export async function watchVerb(
  context: VerbContext,
  stopped: AbortSignal,
): Promise<ServerResponse> {
  const { host, request } = context
  const { query, resource, namespace } = request
  const { watch } = resource.functions
  if (watch === undefined) throw refusals.noMethod()
  const selection = objectSelection(query, request)
  const start = watchStart(query)
  const seconds = Number(query.get('timeoutSeconds') ?? '0')
  const endMs =
    host.monotonicMs() + (seconds > 0 ? seconds * 1000 : watchMsDefault * (1 + host.random()))
  const ending = endingOf([context.signal, stopped])
  const { signal } = ending
  try {
    const { labelSelector, name } = selection
    const { resourceVersion } = start
    const call = { ...callOf(context, signal), namespace, name, labelSelector }
    const changes = watch({ ...call, resourceVersion })[Symbol.asyncIterator]()
    const first = changes.next()
    // It is read below; until then a failure has no reader.
    first.catch(() => undefined)
    const initial = start.hasInitialEvents ? await findObjects(context, selection) : undefined
    const stream = new WatchStream(context, { selection, start, initial })
    const body = stream.frames({ changes, first, endMs, ending })
    return { status: 200, headers: { 'content-type': 'application/json' }, body, isWatch: true }
  } catch (error) {
    ending.end()
    throw refusalOf(context, 'watch', error)
  }
}

interface Ending {
  readonly signal: AbortSignal
  readonly end: () => void
}

/** A signal that is aborted with the first of others, or by `end`. */
function endingOf(signals: readonly AbortSignal[]): Ending {
  const controller = new AbortController()
  const end = (): void => {
    for (const stop of stops) stop()
    controller.abort(new SetpointError('ABORTED', 'the watch has ended'))
  }
  const stops = signals.map((signal) => onAbort(signal, end))
  if (signals.some(({ aborted }) => aborted)) end()
  return { signal: controller.signal, end }
}

interface StreamOptions {
  readonly selection: ObjectSelection
  readonly start: WatchStart
  readonly initial: ServedItems | undefined
}

interface FramesOptions {
  readonly changes: Changes
  readonly first: Promise<IteratorResult<unknown, unknown>>
  readonly endMs: number
  readonly ending: Ending
}

const utf8 = new TextEncoder()

/** The events of one watch, as the client gets them. */
class WatchStream {
  readonly #context: VerbContext
  readonly #options: StreamOptions
  readonly #selection: WatchSelection
  /** The version of the last event. */
  #version: string
  #isFirst = true

  constructor(context: VerbContext, options: StreamOptions) {
    const { selection, initial, start } = options
    this.#context = context
    this.#options = options
    this.#selection = new WatchSelection(selection, initial?.items.filter(selection.hasLabels))
    this.#version = initial?.resourceVersion ?? start.resourceVersion ?? this.#now()
  }

  async *frames({ changes, first, endMs, ending }: FramesOptions): AsyncGenerator<Uint8Array> {
    const { host } = this.#context
    const { start } = this.#options
    const { signal } = ending
    try {
      yield* this.#initialFrames()
      let pending = first
      while (!signal.aborted) {
        const leftMs = endMs - host.monotonicMs()
        const waitMs = start.hasBookmarks ? Math.min(leftMs, bookmarkMs) : leftMs
        const next = await firstOf(host, pending, { waitMs, signal })
        if (next === 'aborted' || host.monotonicMs() >= endMs) return
        if (next === 'late') {
          yield this.#bookmark({})
          continue
        }
        if (next.done === true) return
        const frame = this.#change(next.value)
        pending = changes.next()
        pending.catch(() => undefined)
        if (frame !== undefined) yield frame
      }
    } catch (error) {
      if (!signal.aborted) yield this.#failure(error)
    } finally {
      ending.end()
      // An author's iterator that waits ends by its signal.
      changes.return?.().catch((error: unknown) => this.#logLate(error))
    }
  }

  *#initialFrames(): Generator<Uint8Array> {
    const { selection, start, initial } = this.#options
    for (const object of initial?.items ?? []) {
      if (selection.isInScope(object) && selection.hasLabels(object)) {
        yield this.#event('ADDED', object)
      }
    }
    if (!start.hasInitialBookmark) return
    yield this.#bookmark({ annotations: { 'k8s.io/initial-events-end': 'true' } })
  }

  #change(value: unknown): Uint8Array | undefined {
    const { definition } = this.#context.request.resource
    const { type, object } = Object(value) as { readonly type?: unknown; readonly object?: unknown }
    if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') {
      throw new SetpointError('OPERATOR_INVALID', 'it yielded an event without a known type', {
        hint: "yield { type: 'ADDED' | 'MODIFIED' | 'DELETED', object }",
      })
    }
    const served = servedObject(definition, object, this.#context.request.namespace)
    const shown = this.#selection.typeOf(type, served)
    return shown === undefined ? undefined : this.#event(shown, served)
  }

  #event(type: string, object: ServedJson): Uint8Array {
    const { resourceVersion: own } = object.metadata
    const resourceVersion = typeof own === 'string' ? own : this.#now()
    this.#version = resourceVersion
    const versioned = { ...object, metadata: { ...object.metadata, resourceVersion } }
    const options = { ...formOptions(this.#context), isFirst: this.#isFirst }
    this.#isFirst = false
    return frameOf(type, eventAnswer(versioned, options))
  }

  #bookmark(fields: JsonObject): Uint8Array {
    const { form, request } = this.#context
    const { apiVersion, kind } = request.resource.definition
    const metadata = { resourceVersion: this.#version, creationTimestamp: null, ...fields }
    if (form.as === 'object') return frameOf('BOOKMARK', { kind, apiVersion, metadata })
    const meta = { apiVersion: `meta.k8s.io/${form.version}`, metadata }
    if (form.as === 'metadata')
      return frameOf('BOOKMARK', { kind: 'PartialObjectMetadata', ...meta })
    const rows = [{ cells: [], object: { kind, apiVersion, metadata } }]
    return frameOf('BOOKMARK', { kind: 'Table', ...meta, columnDefinitions: [], rows })
  }

  #failure(error: unknown): Uint8Array {
    return frameOf('ERROR', refusalOf(this.#context, 'watch', error).status)
  }

  #logLate(error: unknown): void {
    logOf(this.#context).debug({ err: error }, 'the function watch failed at its end')
  }

  #now(): string {
    return String(this.#context.host.now())
  }
}

function frameOf(type: string, object: JsonValue): Uint8Array {
  return utf8.encode(`${JSON.stringify({ type, object })}\n`)
}

/** The next event, or what happened before it. */
async function firstOf<T>(
  host: Timers,
  pending: Promise<T>,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<T | 'late' | 'aborted'> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      timer.cancel()
      stopListening()
      settle()
    }
    const timer = host.setTimer(waitMs, () => finish(() => resolve('late')))
    const stopListening = onAbort(signal, () => finish(() => resolve('aborted')))
    pending.then(
      (value) => finish(() => resolve(value)),
      (error: Error) => finish(() => reject(error)),
    )
  })
}
