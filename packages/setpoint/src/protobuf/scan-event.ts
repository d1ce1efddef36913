import { CutMessage } from './cut-message.ts'
import type { Span } from './stored-message.ts'
import { malformed, MessageReader } from './message-reader.ts'

/** The parts of a watch event that are found without decoding its object. */
interface ScannedEvent {
  readonly type: string
  /** The place of the object's message, without its envelope. */
  readonly object: Span
}

/** The identity of an object, without decoding it. */
interface Identity {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
}

/** Tags of the scanned fields: a number and its wire type. */
const tag1 = 0x0a
const tag2 = 0x12
const nameTag = 0x0a
const namespaceTag = 0x1a
const uidTag = 0x2a
const resourceVersionTag = 0x32
const managedFieldsTag = 0x8a

/** Every object that is sent alone starts with this: `k8s` and a zero. */
const magic = 0x6b387300

/** Scans a frame of a watch: the type of an event, and the object in its envelope. */
export function scanEvent(frame: Buffer): ScannedEvent {
  const end = frame.length
  const reader = new MessageReader(frame, 0, end)
  let type = ''
  let object: Span | undefined
  while (reader.at < end) {
    const tag = reader.varint32(end)
    if (tag === tag1) type = textTo(reader, reader.limit(end))
    else if (tag === tag2) object = wrapped(reader, reader.limit(end))
    else reader.skip(tag & 7, end)
  }
  if (object === undefined) throw malformed(`an event of type ${type} has no object`)
  return { type, object }
}

/** The place of the message of an object that was sent alone. */
export function scanEnvelope(bytes: Buffer): Span {
  return envelopeContent(new MessageReader(bytes, 0, bytes.length), bytes.length)
}

/** The object in a field for objects of any kind: its only field has an envelope. */
function wrapped(reader: MessageReader, end: number): Span | undefined {
  let object: Span | undefined
  while (reader.at < end) {
    const tag = reader.varint32(end)
    if (tag === tag1) object = envelopeContent(reader, reader.limit(end))
    else reader.skip(tag & 7, end)
  }
  return object
}

/** The message in an envelope, which starts with its kind. */
function envelopeContent(reader: MessageReader, end: number): Span {
  if (end - reader.at < 4 || reader.bytes.readUInt32BE(reader.at) !== magic) {
    throw malformed('an object does not start with the magic number')
  }
  reader.at += 4
  let content: Span = { offset: end, length: 0 }
  while (reader.at < end) {
    const tag = reader.varint32(end)
    if (tag !== tag2) reader.skip(tag & 7, end)
    else {
      const limit = reader.limit(end)
      content = { offset: reader.at, length: limit - reader.at }
      reader.at = limit
    }
  }
  return content
}

/**
 * Finds the identity of an object, and its bytes without `managedFields`. In every kind the first
 * field is the metadata.
 */
export function scanMessage(
  bytes: Buffer,
  { offset, length }: Span,
): { readonly identity: Identity; readonly content: CutMessage } {
  const end = offset + length
  const reader = new MessageReader(bytes, offset, end)
  while (reader.at < end) {
    const tag = reader.varint32(end)
    if (tag !== tag1) {
      reader.skip(tag & 7, end)
      continue
    }
    const lengthStart = reader.at
    const limit = reader.limit(end)
    const lengthEnd = reader.at
    const { identity, cuts } = scanMetadata(reader, limit)
    if (identity.name === '') break
    const metadata = { lengthStart, lengthEnd, end: limit }
    return { identity, content: new CutMessage(bytes, { offset, length }, { metadata, cuts }) }
  }
  throw malformed('an object has no name')
}

/** Scans metadata to its end: the identity, and the ranges to cut out. */
function scanMetadata(
  reader: MessageReader,
  end: number,
): { readonly identity: Identity; readonly cuts: readonly number[] } {
  const identity = { namespace: '', name: '', uid: '', resourceVersion: '' }
  const cuts: number[] = []
  while (reader.at < end) {
    const start = reader.at
    const tag = reader.varint32(end)
    if (tag === nameTag) identity.name = textTo(reader, reader.limit(end))
    else if (tag === namespaceTag) identity.namespace = textTo(reader, reader.limit(end))
    else if (tag === uidTag) identity.uid = textTo(reader, reader.limit(end))
    else if (tag === resourceVersionTag) {
      identity.resourceVersion = textTo(reader, reader.limit(end))
    } else {
      reader.skip(tag & 7, end)
      if (tag === managedFieldsTag) cuts.push(start, reader.at)
    }
  }
  return { identity, cuts }
}

/** A copy: a string that is cut from a longer text would keep that in memory. */
function textTo(reader: MessageReader, limit: number): string {
  const { at, bytes } = reader
  reader.at = limit
  return bytes.toString('utf8', at, limit)
}
