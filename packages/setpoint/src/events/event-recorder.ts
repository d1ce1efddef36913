import type { Client } from '../client/index.ts'
import type { Host } from '../host/index.ts'
import { Event } from '../kinds/index.ts'
import { secondsTime } from './seconds-time.ts'
import type { EventSubject, RecordedEvent } from './recorded-event.ts'

/** What a recorder needs. */
interface EventRecorderOptions {
  readonly host: Host
  readonly client: Client
  /** Who reports. */
  readonly component: string
}

/** An event that was told, and how often it happened. */
interface Told {
  readonly name: string
  readonly namespace: string
  count: number
  atMs: number
}

/** Different messages of one reason about one object. */
interface Family {
  readonly notes: Set<string>
  atMs: number
}

/** How many different messages of one reason are told one by one; then they are combined. */
const notesMax = 10

/** What has not happened for this long begins anew. */
const memoryMs = 600_000

/** How much is said about one object: this many events at once, then one in `refillMs`. */
const burst = 25
const refillMs = 300_000

/** How many events and objects are remembered. */
const rememberedMax = 4096

const noteCharactersMax = 1024

/**
 * Tells people what happens, as Kubernetes Events. The same event on the same object is one Event with a count, many
 * similar ones are combined, and an object that never stops failing falls silent, with the limits that the controllers
 * of Kubernetes have. Telling must never stop the work: what cannot be told is logged by whoever asked.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions
  readonly #told = new Map<string, Told>()
  readonly #families = new Map<string, Family>()
  /** When the allowance of an object will be full again. */
  readonly #fullMs = new Map<string, number>()

  constructor(options: EventRecorderOptions) {
    this.#options = options
  }

  /** Records an event about an object. */
  async record(regarding: EventSubject, event: RecordedEvent, signal?: AbortSignal): Promise<void> {
    const nowMs = this.#options.host.now()
    if (!this.#isAllowed(regarding.metadata.uid, nowMs)) return
    const { key, note } = this.#combined(regarding, event, nowMs)
    const told = this.#told.get(key)
    if (told === undefined || nowMs - told.atMs > memoryMs) {
      await this.#begin(key, regarding, { event: { ...event, message: note }, nowMs, signal })
      return
    }
    told.count += 1
    told.atMs = nowMs
    const merge = { count: told.count, lastTimestamp: secondsTime(nowMs), message: note }
    await this.#options.client.patch(Event, told, { merge, signal })
  }

  #isAllowed(uid: string, nowMs: number): boolean {
    if (this.#fullMs.size >= rememberedMax) this.#fullMs.clear()
    const fullMs = Math.max(this.#fullMs.get(uid) ?? 0, nowMs) + refillMs
    if (fullMs > nowMs + burst * refillMs) return false
    this.#fullMs.set(uid, fullMs)
    return true
  }

  /** Under which key an event is counted: its own, or that of all events like it when there are many. */
  #combined(
    { metadata }: EventSubject,
    { type, reason, message }: RecordedEvent,
    nowMs: number,
  ): { key: string; note: string } {
    const familyKey = [metadata.uid, type, reason].join('\n')
    if (this.#families.size >= rememberedMax) this.#families.clear()
    let family = this.#families.get(familyKey)
    if (family === undefined || nowMs - family.atMs > memoryMs) {
      family = { notes: new Set(), atMs: nowMs }
      this.#families.set(familyKey, family)
    }
    family.atMs = nowMs
    family.notes.add(message)
    if (family.notes.size < notesMax) return { key: `${familyKey}\n${message}`, note: message }
    family.notes.delete(message)
    return { key: familyKey, note: `(combined from similar events): ${message}` }
  }

  async #begin(key: string, regarding: EventSubject, told: Telling): Promise<void> {
    const { event, nowMs, signal } = told
    const { host, client, component } = this.#options
    const { node } = event
    const { apiVersion, kind, metadata } = regarding
    const namespace = metadata.namespace ?? 'default'
    const name = `${metadata.name}.${host.uuid().slice(0, 18).replaceAll('-', '')}`
    if (this.#told.size >= rememberedMax) this.#told.clear()
    this.#told.set(key, { name, namespace, count: 1, atMs: nowMs })
    const { uid, resourceVersion } = metadata
    const place = metadata.namespace === undefined ? {} : { namespace }
    const creating = client.create(
      Event,
      {
        metadata: { name, namespace },
        involvedObject: {
          ...{ kind, ...place, name: metadata.name, uid, apiVersion, resourceVersion },
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
      // What nobody was told cannot be counted on: the next time it is told anew.
      this.#told.delete(key)
      throw error
    })
  }
}

interface Telling {
  readonly event: RecordedEvent
  readonly nowMs: number
  readonly signal: AbortSignal | undefined
}
