import { CutConnection, joinBytes, type ServerResponse } from 'setpoint/host'
import type { OpenWatch, WatchEnd } from '../../../faults/index.ts'
import { ApiError } from '../../../status/index.ts'
import type { StoreEvent, WatchHistory } from '../../../store/index.ts'
import type { ApiRequest } from '../../api-request.ts'
import { cachedRevision, faultedRequest, isCachedInTime } from '../../cached-revision.ts'
import { convertAllStored, convertStored, isUnconverted } from '../../conversion/stored-forms.ts'
import { mediaTypes } from '../../http/negotiate.ts'
import { listOptions, type ListOptions } from '../../options/list-options.ts'
import type { ServedResource } from '../../resources/served-resource.ts'
import { matcherOf, type Matcher } from '../list/matcher.ts'
import { revisionOf, tooLargeRevision } from '../read.ts'
import { includedObject } from '../represent.ts'
import { WatchEncoder } from './watch-encoder.ts'
import { WatchWaiter } from './watch-waiter.ts'

/** A real server ends a watch after 30 to 60 minutes unless the client asks for less. */
const lifetimeMinMs = 30 * 60_000

/** The interval of bookmarks, and how long before the end the last one is sent. */
const bookmarkEveryMs = 60_000
const lastBookmarkMs = 2_000

/** The largest chunk: a larger one saves nothing and delays the first event. */
const pieceBytesMax = 256 * 1024

/** GET with `watch`: a stream of events, one JSON document per line, or frames of protobuf. */
export function watchObjects(request: ApiRequest, resource: ServedResource): ServerResponse {
  const { format } = request.media
  const options = listOptions(request.info.query, true)
  if (request.media.transform === 'Table') includedObject(request)
  const matcher = matcherOf(resource, options)
  const asked = revisionOf(options.resourceVersion, 'cache')
  if (format === 'yaml') throw notAStream()
  const stream = new WatchStream(request, resource, { options, matcher, asked })
  return {
    status: 200,
    headers: { 'content-type': mediaTypes[format] + (format === 'json' ? '' : ';stream=watch') },
    body:
      request.media.transform === 'PartialObjectMetadataList'
        ? untilFirst(stream.run())
        : stream.run(),
  }
}

/**
 * An event cannot be a list: a real server finds that out with the first event, and ends the watch.
 */
async function* untilFirst(events: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const _event of events) return
}

/** A stream of YAML documents would be possible, but a real server does not support it. */
function notAStream(): ApiError {
  const types = ['application/json', 'application/vnd.kubernetes.protobuf']
  const offered = types.map((type) => `${type};stream=watch`).join(', ')
  const message = `only the following media types are accepted: ${offered}`
  return new ApiError({ code: 406, reason: 'NotAcceptable', message })
}

interface WatchPlan {
  readonly options: ListOptions
  readonly matcher: Matcher | undefined
  readonly asked: number
}

class WatchStream {
  readonly #request: ApiRequest
  readonly #resource: ServedResource
  readonly #plan: WatchPlan
  readonly #encoder: WatchEncoder
  readonly #prefix: string
  readonly #open: OpenWatch
  /** An event that cannot be sent yet, because a webhook converts its object. */
  #unconverted: StoreEvent | undefined
  readonly #count: (bytes: number) => void

  constructor(request: ApiRequest, resource: ServedResource, plan: WatchPlan) {
    this.#request = request
    this.#resource = resource
    this.#plan = plan
    this.#encoder = new WatchEncoder(request, resource, plan.matcher)
    this.#count = request.server.metrics.watchEvents(resource)
    const { namespace } = request.info
    this.#open = request.server.faults.open(faultedRequest(request.info, request.user))
    this.#prefix = namespace === '' || !resource.namespaced ? '' : `${namespace}/`
  }

  async *run(): AsyncGenerator<Uint8Array> {
    const { host } = this.#request.server
    const { timeoutSeconds } = this.#plan.options
    const lifetimeMs =
      timeoutSeconds === undefined || timeoutSeconds <= 0
        ? this.#request.isLocal
          ? Infinity
          : lifetimeMinMs * (1 + host.random())
        : timeoutSeconds * 1000
    const waiter = new WatchWaiter(host, this.#request.signal, {
      lifetimeMs,
      ...(this.#plan.options.allowWatchBookmarks && !this.#request.isLocal
        ? { bookmarkEveryMs, lastBookmarkMs }
        : {}),
    })
    this.#open.begin()
    try {
      const watch = yield* this.#begin()
      if (watch !== undefined) yield* this.#follow(watch, waiter)
    } catch (error) {
      // An object that cannot be converted ends the watch.
      if (!(error instanceof ApiError)) throw error
      yield this.#encoder.error(error)
    } finally {
      this.#open.release()
      waiter.dispose()
    }
  }

  /** Sends the existing objects if requested, and returns the position to continue from. */
  async *#begin(): AsyncGenerator<Uint8Array, WatchHistory | undefined> {
    const { store } = this.#request.server
    const { asked, options } = this.#plan
    const startsWithState =
      options.sendInitialEvents ?? (options.resourceVersion === '' || asked === 0)
    const startsNow = startsWithState || asked === 0
    // A consistent state includes everything that is stored now.
    const isConsistent = options.sendInitialEvents === true && options.resourceVersion === ''
    const least = isConsistent ? store.revision : asked
    const isTooLarge =
      startsWithState && (asked > store.revision || !(await isCachedInTime(this.#request, least)))
    if (isTooLarge) {
      yield this.#encoder.error(tooLargeRevision(least, cachedRevision(this.#request)))
      return undefined
    }
    const from = startsNow ? cachedRevision(this.#request) : asked
    if (!startsNow && (from < store.oldestRevision || from < this.#resource.firstRevision)) {
      yield this.#encoder.tooOld(from, Math.max(store.oldestRevision, this.#resource.firstRevision))
      return undefined
    }
    const watch = store.watch(this.#resource.bucket, from)
    if (startsWithState) yield* this.#state(from)
    return watch
  }

  async *#state(revision: number): AsyncGenerator<Uint8Array> {
    const { options, matcher } = this.#plan
    const { server, turns } = this.#request
    let events: Uint8Array[] = []
    let size = 0
    const objects = [...server.store.list(this.#resource.bucket, this.#prefix, revision)]
    if (this.#resource.conversion !== undefined) await convertAllStored(this.#resource, objects)
    for (const stored of objects) {
      if (matcher?.readsContent === true) await turns.worked(stored.text.length)
      if (matcher !== undefined && !matcher.matches(stored)) continue
      const event = this.#encoder.added(stored)
      this.#count(event.length)
      events.push(event)
      size += event.length
      if (size < pieceBytesMax) continue
      yield joinBytes(events)
      events = []
      size = 0
    }
    if (options.allowWatchBookmarks) {
      events.push(this.#encoder.bookmark(revision, { isInitialEnd: true }))
    }
    if (events.length > 0) yield joinBytes(events)
  }

  async *#follow(watch: WatchHistory, waiter: WatchWaiter): AsyncGenerator<Uint8Array> {
    while (!waiter.hasEnded && this.#isServed()) {
      if (this.#open.end !== undefined) {
        yield* this.#endNow(this.#open.end, watch)
        return
      }
      if (this.#open.isStalled) {
        await waiter.wait((wake) => this.#open.wait(wake))
        continue
      }
      const sent = this.#take(watch)
      if (sent === 'compacted') {
        yield this.#encoder.tooOld(watch.position, this.#request.server.store.oldestRevision)
        return
      }
      if (sent instanceof Promise) {
        await sent
        continue
      }
      if (sent !== undefined) {
        if (!this.#request.isLocal) await this.#request.events.take(sent.length)
        yield sent
        continue
      }
      watch.skipTo(cachedRevision(this.#request))
      const reason = await waiter.wait((wake) => this.#subscribe(watch, wake))
      if (reason === 'bookmark') yield this.#encoder.bookmark(watch.position)
    }
  }

  /**
   * Whether the resource is still served in the same form. The watch of a custom resource ends when
   * its definition changes, so that the client continues with objects in the new form.
   */
  #isServed(): boolean {
    const { group, version, plural, isCustom } = this.#resource
    return (
      !isCustom || this.#request.server.registry.find(group, version, plural) === this.#resource
    )
  }

  #subscribe(watch: WatchHistory, wake: () => void): () => void {
    // An event that a fault holds back is not the next write.
    const held = this.#open.newestVisible === Infinity ? undefined : watch.peek()
    const subscriptions = [
      held === undefined ? watch.wait(wake) : undefined,
      this.#open.wait(wake, held?.timeMs),
      this.#resource.isCustom ? this.#request.server.registry.onChange(wake) : undefined,
    ]
    return () => {
      for (const unsubscribe of subscriptions) unsubscribe?.()
    }
  }

  /** A fault ends the watch. */
  *#endNow(end: WatchEnd, watch: WatchHistory): Generator<Uint8Array> {
    if (end === 'reset') throw new CutConnection()
    if (end === 'expired') {
      yield this.#encoder.tooOld(watch.position, this.#request.server.store.revision)
    }
  }

  /**
   * The available events in one chunk; `undefined` when there are none. A promise when there can be
   * more, and other requests should run before: a selector can exclude a long history.
   */
  #take(watch: WatchHistory): Uint8Array | 'compacted' | Promise<void> | undefined {
    if (watch.position < this.#request.server.store.oldestRevision) return 'compacted'
    const events: Uint8Array[] = []
    let size = 0
    let pause: Promise<void> | undefined
    while (size < pieceBytesMax && pause === undefined) {
      const event = this.#unconverted ?? this.#next(watch)
      this.#unconverted = undefined
      if (event === undefined) break
      if (!event.current.key.startsWith(this.#prefix)) continue
      if (this.#needsConversion(event)) {
        this.#unconverted = event
        if (events.length === 0) return this.#convert(event)
        break
      }
      const bytes = this.#encoder.event(event)
      if (bytes === undefined) {
        pause = this.#excluded(event)
        continue
      }
      this.#count(bytes.length)
      events.push(bytes)
      size += bytes.length
    }
    const [first] = events
    if (first === undefined) return pause
    return events.length === 1 ? first : joinBytes(events)
  }

  /** The next event that the watch cache shows. */
  #next(watch: WatchHistory): StoreEvent | undefined {
    const { newestVisible } = this.#open
    if (newestVisible !== Infinity && (watch.peek()?.revision ?? 0) > newestVisible)
      return undefined
    return watch.take()
  }

  #needsConversion({ current, previous }: StoreEvent): boolean {
    if (this.#resource.conversion === undefined) return false
    if (isUnconverted(this.#resource, current)) return true
    // Only a selector reads the state before the event.
    const isRead = previous !== undefined && this.#plan.matcher !== undefined
    return isRead && isUnconverted(this.#resource, previous)
  }

  async #convert({ current, previous }: StoreEvent): Promise<void> {
    await convertStored(this.#resource, current)
    if (previous !== undefined && this.#plan.matcher !== undefined) {
      await convertStored(this.#resource, previous)
    }
  }

  /** Counts the work of finding out that a selector excludes an event. */
  #excluded({ current, previous }: StoreEvent): Promise<void> | undefined {
    const { isLocal, turns } = this.#request
    if (isLocal || this.#plan.matcher?.readsContent !== true) return undefined
    return turns.worked(current.text.length + (previous?.text.length ?? 0))
  }
}
