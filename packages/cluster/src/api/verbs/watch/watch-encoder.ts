import type { JsonObject } from 'setpoint/schema'
import { encodeJson, encodeWatchFrame, toStoredForm } from '../../../codec/index.ts'
import { metadataOf } from '../../../object/index.ts'
import type { ApiError } from '../../../status/index.ts'
import type { StoredObject, StoreEvent } from '../../../store/index.ts'
import type { ApiRequest } from '../../api-request.ts'
import { objectText, readObject } from '../../object-text.ts'
import { templateGeneration } from '../../resources/builtin-strategy.ts'
import type { ServedResource } from '../../resources/served-resource.ts'
import type { Matcher } from '../list/matcher.ts'
import { expired } from '../read.ts'
import { partialMetadata, rowWriter, tableText } from '../represent.ts'

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

const utf8 = new TextEncoder()

/**
 * Encodes the events of one watch, as lines of JSON or as frames of protobuf. Encodings that do not
 * depend on the watch are cached and shared by all watches of an event.
 */
export class WatchEncoder {
  readonly #request: ApiRequest
  readonly #resource: ServedResource
  readonly #matcher: Matcher | undefined
  /**
   * The cache key of this watch's encoding; none where it depends on earlier events of the watch.
   */
  readonly #sharedForm: string | undefined
  #hasSentColumns = false

  constructor(request: ApiRequest, resource: ServedResource, matcher?: Matcher) {
    this.#request = request
    this.#resource = resource
    this.#matcher = matcher
    const { format, transform = '', metaVersion } = request.media
    this.#sharedForm =
      transform === 'Table'
        ? undefined
        : `${format} ${transform} ${metaVersion} ${resource.apiVersion} ${resource.kind}`
  }

  /** An object that existed before the watch began. */
  added(stored: StoredObject): Uint8Array {
    return this.#stored('ADDED', stored)
  }

  /** The bytes of an event, or `undefined` when the selector excludes it. */
  event(event: StoreEvent): Uint8Array | undefined {
    const type = this.#typeOf(event)
    if (type === undefined) return undefined
    const hasLeft = type === 'DELETED' && event.type !== 'deleted'
    if (hasLeft && event.previous !== undefined) return this.#left(event.previous, event.revision)
    if (this.#sharedForm === undefined) return this.#stored(type, event.current)
    const shared = `${type} ${this.#sharedForm}`
    const known = event.derived.get(shared)
    if (known !== undefined) return known as Uint8Array
    const bytes = this.#stored(type, event.current)
    event.derived.set(shared, bytes)
    return bytes
  }

  /** A bookmark: all events up to `revision` were sent. */
  bookmark(revision: number, options: { readonly isInitialEnd?: boolean } = {}): Uint8Array {
    const { kind, apiVersion, isCustom, group, subresources } = this.#resource
    const annotations = {
      // A conversion in Go adds it to every object.
      ...(kind === 'DaemonSet' && group === 'apps' ? { [templateGeneration]: '0' } : {}),
      ...(options.isInitialEnd === true ? { 'k8s.io/initial-events-end': 'true' } : {}),
    }
    const metadata: JsonObject = {
      resourceVersion: String(revision),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    }
    // Go prints the empty struct of the kind; workloads with a scale have a zero number of
    // replicas.
    const spec = group === 'apps' && subresources.has('scale') ? { spec: { replicas: 0 } } : {}
    const object = isCustom
      ? { apiVersion, kind, metadata }
      : toStoredForm(apiVersion, kind, { kind, apiVersion, metadata, ...spec })
    return this.#object('BOOKMARK', object)
  }

  /** The end of a watch whose history was compacted. */
  tooOld(asked: number, oldest: number): Uint8Array {
    return this.error(expired(`too old resource version: ${asked} (${oldest})`))
  }

  /** An error after the answer has begun. */
  error({ status }: ApiError): Uint8Array {
    const text = JSON.stringify(status)
    return this.#isProtobuf
      ? encodeWatchFrame('ERROR', JSON.parse(text) as JsonObject)
      : line('ERROR', text)
  }

  get #isProtobuf(): boolean {
    return this.#request.media.format === 'protobuf'
  }

  #typeOf(event: StoreEvent): EventType | undefined {
    const { previous } = event
    if (this.#matcher === undefined) {
      return event.type === 'deleted' ? 'DELETED' : event.type === 'created' ? 'ADDED' : 'MODIFIED'
    }
    const wasSelected = previous !== undefined && this.#matcher.matches(previous)
    const isSelected = event.type !== 'deleted' && this.#matcher.matches(event.current)
    if (isSelected) return wasSelected ? 'MODIFIED' : 'ADDED'
    return wasSelected ? 'DELETED' : undefined
  }

  /**
   * An object that no longer matches the selector: its last matching state, with the new revision.
   */
  #left(previous: StoredObject, revision: number): Uint8Array {
    const object = readObject(this.#resource, previous)
    metadataOf(object).resourceVersion = String(revision)
    return this.#object('DELETED', object)
  }

  #stored(type: EventType, stored: StoredObject): Uint8Array {
    // Stored objects are JSON text already.
    const isAsIs = this.#request.media.transform === undefined && !this.#isProtobuf
    if (isAsIs) return line(type, objectText(this.#resource, stored))
    return this.#object(type, readObject(this.#resource, stored))
  }

  #object(type: string, object: JsonObject): Uint8Array {
    const { transform, metaVersion } = this.#request.media
    if (transform === 'Table') return line(type, this.#table(object))
    const shown = transform === undefined ? object : partialMetadata(object, metaVersion)
    return this.#isProtobuf ? encodeWatchFrame(type, shown) : line(type, encodeJson(shown))
  }

  #table(object: JsonObject): string {
    const withColumns = !this.#hasSentColumns
    this.#hasSentColumns = true
    const metadata = { resourceVersion: metadataOf(object).resourceVersion ?? '' }
    const rows = [rowWriter(this.#request, this.#resource)(object)]
    return tableText(this.#request, this.#resource, { rows, metadata, withColumns })
  }
}

function line(type: string, object: string): Uint8Array {
  return utf8.encode(`{"type":"${type}","object":${object}}\n`)
}
