import type { Client } from '../client/index.ts'
import type { Host } from '../host/index.ts'
import { EventsEvent } from '../kinds/index.ts'
import type { ApiResource } from './operator-declaration.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** What a recorder needs. */
interface EventRecorderOptions {
  readonly host: Host
  readonly client: Client
  /** Who reports. */
  readonly controller: string
}

interface Series {
  readonly name: string
  readonly namespace: string
  count: number
  /** When the server last heard of it. */
  toldMs: number
  readonly startedMs: number
}

/** The same event again within this time is counted instead of told anew. */
const seriesMs = 600_000

/** How often a count is told at most: a failing object must not become a load on the server. */
const retellMs = 60_000

/** How many different events are remembered. */
const seriesMax = 4096

const noteCharactersMax = 1000

/**
 * Tells people what happens, as Kubernetes Events. The same event on the same object is one Event with a count.
 * Telling must never stop the work: what cannot be told is logged by whoever asked.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions
  readonly #series = new Map<string, Series>()

  constructor(options: EventRecorderOptions) {
    this.#options = options
  }

  /** Records an event about an object. */
  async record(regarding: ApiResource, event: RecordedEvent, signal?: AbortSignal): Promise<void> {
    const nowMs = this.#options.host.now()
    const key = [regarding.metadata.uid, event.type, event.reason, event.note].join('\n')
    const known = this.#series.get(key)
    if (known === undefined || nowMs - known.startedMs > seriesMs) {
      await this.#begin(key, regarding, { event, nowMs, signal })
      return
    }
    known.count += 1
    if (nowMs - known.toldMs < retellMs) return
    known.toldMs = nowMs
    const series = { count: known.count, lastObservedTime: microTime(nowMs) }
    await this.#options.client.patch(EventsEvent, known, { merge: { series }, signal })
  }

  async #begin(
    key: string,
    regarding: ApiResource,
    {
      event,
      nowMs,
      signal,
    }: { event: RecordedEvent; nowMs: number; signal: AbortSignal | undefined },
  ): Promise<void> {
    const { host, client, controller } = this.#options
    const { apiVersion, kind, metadata } = regarding
    const namespace = metadata.namespace ?? 'default'
    const name = `${metadata.name}.${host.uuid().slice(0, 16).replace('-', '')}`
    if (this.#series.size >= seriesMax) this.#series.clear()
    this.#series.set(key, { name, namespace, count: 1, toldMs: nowMs, startedMs: nowMs })
    const { uid, resourceVersion } = metadata
    const creating = client.create(
      EventsEvent,
      {
        metadata: { name, namespace },
        eventTime: microTime(nowMs),
        type: event.type ?? 'Normal',
        reason: event.reason,
        note: event.note.slice(0, noteCharactersMax),
        action: 'Reconcile',
        reportingController: controller,
        reportingInstance: controller,
        regarding: { apiVersion, kind, name: metadata.name, namespace, uid, resourceVersion },
      },
      { signal },
    )
    await creating.catch((error: unknown) => {
      // What nobody was told cannot be counted on: the next time it is told anew.
      this.#series.delete(key)
      throw error
    })
  }
}

/** Time as Kubernetes' MicroTime prints it. */
function microTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('Z', '000Z')
}
