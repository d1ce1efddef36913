import { withIdentity } from '../../client/transport/representation.ts'
import type { Kind } from '../../kinds/kind.ts'
import { decodeMessage, type MessagePlan, planOf } from '../../protobuf/index.ts'
import { deepFreeze } from '../../schema/deep-freeze.ts'
import { messageOf } from '../watch/kind-message.ts'
import { contentOf, isProtobufAt, type RecordPlace } from './object-record.ts'
import type { ScannedObject } from './scan-object.ts'
import type { RecordReader } from './stored-entry.ts'

/** Decodes stored objects of a kind. */
export class ObjectReader implements RecordReader {
  readonly #kind: Kind
  readonly #freezes: boolean
  readonly #plan: MessagePlan

  constructor(kind: Kind, freezes: boolean) {
    this.#kind = kind
    this.#freezes = freezes
    // A kind without a message is never sent as protobuf.
    this.#plan = planOf(messageOf(kind) ?? [''], { apiVersion: kind.apiVersion, kind: kind.kind })
  }

  read(place: RecordPlace): object {
    const object = isProtobufAt(place)
      ? decodeMessage(this.#plan, place.bytes, contentOf(place))
      : this.#parsed(place)
    return this.#freezes ? deepFreeze(object) : object
  }

  /** Decodes an object that is not stored yet. */
  readScanned({ content, isProtobuf = false }: ScannedObject): object {
    const bytes = Buffer.alloc(content.byteLength)
    content.copyTo(bytes, 0)
    return isProtobuf
      ? decodeMessage(this.#plan, bytes, { offset: 0, length: bytes.length })
      : withIdentity(this.#kind, JSON.parse(bytes.toString()) as object)
  }

  /** The items of a list have no apiVersion and kind: adds them. */
  #parsed(place: RecordPlace): object {
    const { offset, length } = contentOf(place)
    const object = JSON.parse(place.bytes.toString('utf8', offset, offset + length)) as object
    return withIdentity(this.#kind, object)
  }
}
