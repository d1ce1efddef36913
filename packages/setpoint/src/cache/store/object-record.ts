import { SetpointError } from '../../errors/index.ts'
import type { ScannedObject } from './scan-object.ts'

/**
 * The place of a record: an object as bytes in an arena. A record has the length of the content (4
 * bytes), its encoding (1), the lengths of revision (1) and uid (2), then these three: revision and
 * uid are read without parsing the object. A place stays readable after its record was freed.
 */
export interface RecordPlace {
  /** A block with many records. */
  readonly bytes: Buffer
  readonly start: number
}

const headBytes = 8

/** The size of a record. */
export function recordBytes({ identity, content }: ScannedObject): number {
  const { uid, resourceVersion } = identity
  if (resourceVersion.length > 0xff || uid.length > 0x3fff) {
    throw new SetpointError('NETWORK_PROTOCOL_ERROR', 'a server sent an object with a huge uid')
  }
  const named = Buffer.byteLength(resourceVersion) + Buffer.byteLength(uid)
  return headBytes + named + content.byteLength
}

/** Writes a record; there must be room for it. */
export function writeRecord({ bytes, start }: RecordPlace, record: ScannedObject): void {
  const { identity, content, isProtobuf = false } = record
  const revisionEnd = start + headBytes + bytes.write(identity.resourceVersion, start + headBytes)
  const contentStart = revisionEnd + bytes.write(identity.uid, revisionEnd)
  content.copyTo(bytes, contentStart)
  bytes.writeUInt32LE(content.byteLength, start)
  bytes[start + 4] = isProtobuf ? 1 : 0
  bytes[start + 5] = revisionEnd - start - headBytes
  bytes.writeUInt16LE(contentStart - revisionEnd, start + 6)
}

/** The size of a stored record. */
export function sizeOf(place: RecordPlace): number {
  const { offset, length } = contentOf(place)
  return offset + length - place.start
}

/** The `resourceVersion` of the object. */
export function revisionOf({ bytes, start }: RecordPlace): string {
  const at = start + headBytes
  return bytes.toString('utf8', at, at + (bytes[start + 5] ?? 0))
}

/** The uid of the object. */
export function uidOf({ bytes, start }: RecordPlace): string {
  const at = start + headBytes + (bytes[start + 5] ?? 0)
  return bytes.toString('utf8', at, at + bytes.readUInt16LE(start + 6))
}

/** The place of the object's own bytes. */
export function contentOf({ bytes, start }: RecordPlace): { offset: number; length: number } {
  const offset = start + headBytes + (bytes[start + 5] ?? 0) + bytes.readUInt16LE(start + 6)
  return { offset, length: bytes.readUInt32LE(start) }
}

/** Whether the object is kept as protobuf. */
export function isProtobufAt({ bytes, start }: RecordPlace): boolean {
  return bytes[start + 4] === 1
}
