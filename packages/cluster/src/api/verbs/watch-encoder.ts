import type { JsonObject } from 'setpoint/schema'
import { encodeJson, toStoredForm } from '../../codec/index.ts'
import { metadataOf } from '../../object/index.ts'
import type { ApiError } from '../../status/index.ts'
import type { StoredObject, StoreEvent } from '../../store/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { objectText, readObject } from '../object-text.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import type { Matcher } from './matcher.ts'
import { expired } from './read.ts'
import { partialMetadata, tableText } from './represent.ts'

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** Writes the lines of one watch. Lines of whole objects are shared by all watches of an event. */
export class WatchEncoder {
  readonly #request: ApiRequest
  readonly #resource: ServedResource
  readonly #matcher: Matcher
  #hasSentColumns = false

  constructor(request: ApiRequest, resource: ServedResource, matcher: Matcher) {
    this.#request = request
    this.#resource = resource
    this.#matcher = matcher
  }

  /** An object that was there before the watch began. */
  added(stored: StoredObject): string {
    return this.#text('ADDED', stored)
  }

  /** The line of an event, or `undefined` when the selector hides it. */
  line(event: StoreEvent): Uint8Array | undefined {
    const type = this.#typeOf(event)
    if (type === undefined) return undefined
    const hasLeft = type === 'DELETED' && event.type !== 'deleted'
    if (hasLeft && event.previous !== undefined) {
      return encode(this.#left(event.previous, event.revision))
    }
    if (this.#request.media.transform !== undefined) {
      return encode(this.#text(type, event.current))
    }
    const shared = `${type} ${this.#resource.apiVersion} ${this.#resource.kind}`
    const known = event.derived.get(shared)
    if (known !== undefined) return known as Uint8Array
    const bytes = encode(this.#text(type, event.current))
    event.derived.set(shared, bytes)
    return bytes
  }

  /** A sign of life: nothing up to `revision` was missed. */
  bookmark(revision: number, options: { readonly isInitialEnd?: boolean } = {}): string {
    const { kind, apiVersion, isCustom } = this.#resource
    const metadata: JsonObject = {
      resourceVersion: String(revision),
      ...(options.isInitialEnd === true
        ? { annotations: { 'k8s.io/initial-events-end': 'true' } }
        : {}),
    }
    // Go prints the empty struct of the kind around it.
    const object = isCustom
      ? { apiVersion, kind, metadata }
      : toStoredForm(apiVersion, kind, { kind, apiVersion, metadata })
    return line('BOOKMARK', this.#objectText(object))
  }

  /** The end of a watch whose history is gone. */
  tooOld(asked: number, oldest: number): Uint8Array {
    return encode(this.error(expired(`too old resource version: ${asked} (${oldest})`)))
  }

  /** The line of a refusal that comes when the answer has begun already. */
  error({ status }: ApiError): string {
    return line('ERROR', JSON.stringify(status))
  }

  #typeOf(event: StoreEvent): EventType | undefined {
    const { previous } = event
    if (this.#matcher === undefined) {
      return event.type === 'deleted' ? 'DELETED' : event.type === 'created' ? 'ADDED' : 'MODIFIED'
    }
    const wasSelected = previous !== undefined && this.#matcher(previous)
    const isSelected = event.type !== 'deleted' && this.#matcher(event.current)
    if (isSelected) return wasSelected ? 'MODIFIED' : 'ADDED'
    return wasSelected ? 'DELETED' : undefined
  }

  /** An object that left the selection: as it last was inside, at the revision it left. */
  #left(previous: StoredObject, revision: number): string {
    const object = readObject(this.#resource, previous)
    metadataOf(object).resourceVersion = String(revision)
    return line('DELETED', this.#objectText(object))
  }

  #text(type: EventType, stored: StoredObject): string {
    if (this.#request.media.transform === undefined) {
      return line(type, objectText(this.#resource, stored))
    }
    return line(type, this.#objectText(readObject(this.#resource, stored)))
  }

  #objectText(object: JsonObject): string {
    const { transform, metaVersion } = this.#request.media
    if (transform === undefined) return encodeJson(object)
    if (transform !== 'Table') return encodeJson(partialMetadata(object, metaVersion))
    const withColumns = !this.#hasSentColumns
    this.#hasSentColumns = true
    const metadata = { resourceVersion: metadataOf(object).resourceVersion ?? '' }
    return tableText(this.#request, this.#resource, { objects: [object], metadata, withColumns })
  }
}

function line(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
