import type { Client } from '../client/index.ts'
import type { Host } from '../host/index.ts'
import { Event } from '../kinds/index.ts'
import { secondsTime } from './seconds-time.ts'
import type { EventSubject, RecordedEvent } from './recorded-event.ts'

/** The dependencies of a recorder. */
interface EventRecorderOptions {
  readonly host: Host
  readonly client: Client
  /** The reporting component; without one nothing is recorded. */
  readonly component: string | undefined
}

/** An Event that was recorded, and its count. */
interface Recorded {
  readonly name: string
  readonly namespace: string
  count: number
  atMs: number
}

/** Similar Events: their messages differ, their reason and object are the same. */
interface SimilarEvents {
  readonly notes: Set<string>
  atMs: number
}

/** Similar Events with more messages than this are combined. */
const notesMax = 10

/** An Event that was not repeated for this long is recorded as a new one. */
const memoryMs = 600_000

/** The rate limit of one object: a burst, then one Event per `refillMs`. */
const burst = 25
const refillMs = 300_000

/** The limit of Events and objects that are kept in memory. */
const rememberedMax = 4096

const noteCharactersMax = 1024

/**
 * Records Kubernetes Events, with the limits of the controllers of Kubernetes: a repeated Event is counted, similar Events
 * are combined, and the Events about one object are rate-limited.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions
  readonly #recorded = new Map<string, Recorded>()
  readonly #similar = new Map<string, SimilarEvents>()
  /** When the rate limit of an object is full again. */
  readonly #fullMs = new Map<string, number>()

  constructor(options: EventRecorderOptions) {
    this.#options = options
  }

  /** Records an Event about an object. */
  async record(regarding: EventSubject, event: RecordedEvent, signal?: AbortSignal): Promise<void> {
    const { component } = this.#options
    if (component === undefined) return
    const nowMs = this.#options.host.now()
    if (!this.#isAllowed(regarding.metadata.uid, nowMs)) return
    const { key, note } = this.#combined(regarding, event, nowMs)
    const recorded = this.#recorded.get(key)
    if (recorded === undefined || nowMs - recorded.atMs > memoryMs) {
      const recording = { event: { ...event, message: note }, component, nowMs, signal }
      await this.#begin(key, regarding, recording)
      return
    }
    recorded.count += 1
    recorded.atMs = nowMs
    const merge = { count: recorded.count, lastTimestamp: secondsTime(nowMs), message: note }
    await this.#options.client.patch(Event, recorded, { merge, signal })
  }

  #isAllowed(uid: string, nowMs: number): boolean {
    if (this.#fullMs.size >= rememberedMax) this.#fullMs.clear()
    const fullMs = Math.max(this.#fullMs.get(uid) ?? 0, nowMs) + refillMs
    if (fullMs > nowMs + burst * refillMs) return false
    this.#fullMs.set(uid, fullMs)
    return true
  }

  /**
   * The key under which an Event is counted: its own key, or the common key of all similar Events.
   */
  #combined(
    { metadata }: EventSubject,
    { type, reason, message }: RecordedEvent,
    nowMs: number,
  ): { key: string; note: string } {
    const similarKey = [metadata.uid, type, reason].join('\n')
    if (this.#similar.size >= rememberedMax) this.#similar.clear()
    let similar = this.#similar.get(similarKey)
    if (similar === undefined || nowMs - similar.atMs > memoryMs) {
      similar = { notes: new Set(), atMs: nowMs }
      this.#similar.set(similarKey, similar)
    }
    similar.atMs = nowMs
    similar.notes.add(message)
    if (similar.notes.size < notesMax) return { key: `${similarKey}\n${message}`, note: message }
    similar.notes.delete(message)
    return { key: similarKey, note: `(combined from similar events): ${message}` }
  }

  async #begin(key: string, regarding: EventSubject, recording: Recording): Promise<void> {
    const { event, component, nowMs, signal } = recording
    const { host, client } = this.#options
    const { node } = event
    const { apiVersion, kind, metadata } = regarding
    const namespace = metadata.namespace ?? 'default'
    const name = `${metadata.name}.${host.uuid().slice(0, 18).replaceAll('-', '')}`
    if (this.#recorded.size >= rememberedMax) this.#recorded.clear()
    this.#recorded.set(key, { name, namespace, count: 1, atMs: nowMs })
    const { uid, resourceVersion } = metadata
    const place = metadata.namespace === undefined ? {} : { namespace }
    const creating = client.create(
      Event,
      {
        metadata: { name, namespace },
        involvedObject: {
          kind,
          ...place,
          name: metadata.name,
          uid,
          apiVersion,
          resourceVersion,
          ...(event.fieldPath === undefined ? {} : { fieldPath: event.fieldPath }),
        },
        reason: event.reason,
        message: event.message.slice(0, noteCharactersMax),
        source: { component, ...(node === undefined ? {} : { host: node }) },
        firstTimestamp: secondsTime(nowMs),
        lastTimestamp: secondsTime(nowMs),
        count: 1,
        type: event.type ?? 'Normal',
        reportingComponent: component,
        reportingInstance: node ?? '',
      },
      { signal },
    )
    await creating.catch((error: unknown) => {
      // It was not recorded, so it cannot be counted: the next one is recorded as new.
      this.#recorded.delete(key)
      throw error
    })
  }
}

interface Recording {
  readonly event: RecordedEvent
  readonly component: string
  readonly nowMs: number
  readonly signal: AbortSignal | undefined
}
