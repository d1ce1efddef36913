import type { StoredMessage } from '../../protobuf/index.ts'
import type { Entry } from './entry.ts'
import { type Key, partsOf } from '../key.ts'
import { contentOf, isProtobufAt, type RecordPlace, revisionOf, uidOf } from './object-record.ts'

/** Decodes records; shared by all entries of a store. */
export interface RecordReader {
  read(place: RecordPlace): object
}

/** An entry that reads its fields from its record. It keeps the record in memory. */
export class StoredEntry implements Entry {
  readonly key: Key
  readonly #place: RecordPlace
  readonly #reader: RecordReader
  /** Kept while in use: a reconcile reads its object several times. */
  #object: WeakRef<object> | undefined

  constructor(key: Key, place: RecordPlace, reader: RecordReader) {
    this.key = key
    this.#place = place
    this.#reader = reader
  }

  get namespace(): string {
    return partsOf(this.key).namespace
  }

  get name(): string {
    return partsOf(this.key).name
  }

  get uid(): string {
    return uidOf(this.#place)
  }

  get resourceVersion(): string {
    return revisionOf(this.#place)
  }

  get message(): StoredMessage | undefined {
    if (!isProtobufAt(this.#place)) return undefined
    return { bytes: this.#place.bytes, ...contentOf(this.#place) }
  }

  get object(): unknown {
    const known = this.#object?.deref()
    if (known !== undefined) return known
    const object = this.#reader.read(this.#place)
    this.#object = new WeakRef(object)
    return object
  }
}
