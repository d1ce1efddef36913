import { BytePieces } from './byte-pieces.ts'
import { eachField, type FieldSpan, isKey, plainString } from './byte-scan.ts'
import type { ObjectIdentity } from './entry.ts'

/** Bytes that can be copied into a store. */
interface Content {
  readonly byteLength: number
  copyTo(target: Buffer, start: number): void
}

/** An object found in bytes: its identity, and the bytes to store. */
export interface ScannedObject {
  readonly identity: ObjectIdentity
  /** The bytes without `managedFields`. */
  readonly content: Content
  /** Whether the bytes are protobuf; JSON by default. */
  readonly isProtobuf?: boolean
}

/**
 * Finds an object's identity, and its bytes without `managedFields`; `undefined` when it has to be
 * parsed.
 */
export function scanObject(bytes: Uint8Array, start: number): ScannedObject | undefined {
  let metadata: FieldSpan | undefined
  const end = eachField(bytes, start, (field) => {
    if (isKey(bytes, field.start, 'metadata')) metadata = field
  })
  if (end === -1 || metadata === undefined) return undefined
  return scanMetadata(bytes, metadata, { start, end })
}

function scanMetadata(
  bytes: Uint8Array,
  metadata: FieldSpan,
  object: { readonly start: number; readonly end: number },
): ScannedObject | undefined {
  const identity = { namespace: '', name: '', uid: '', resourceVersion: '' }
  const unreadable: string[] = []
  let cut: { start: number; end: number } | undefined
  let previousEnd = metadata.valueStart + 1
  eachField(bytes, metadata.valueStart, (field) => {
    for (const word of ['namespace', 'name', 'uid', 'resourceVersion'] as const) {
      if (!isKey(bytes, field.start, word)) continue
      const value = plainString(bytes, field.valueStart, field.valueEnd)
      if (value === undefined) unreadable.push(word)
      else identity[word] = value
    }
    if (isKey(bytes, field.start, 'managedFields')) cut = cutOf(bytes, field, previousEnd)
    previousEnd = field.valueEnd
  })
  if (unreadable.length > 0 || identity.name === '') return undefined
  const pieces =
    cut === undefined
      ? [bytes.subarray(object.start, object.end)]
      : [bytes.subarray(object.start, cut.start), bytes.subarray(cut.end, object.end)]
  return { identity, content: new BytePieces(pieces) }
}

/**
 * The range of a field with its separating comma: the one before it, or the one after the first
 * field.
 */
function cutOf(
  bytes: Uint8Array,
  field: FieldSpan,
  previousEnd: number,
): { start: number; end: number } {
  const isFirst = !bytes.subarray(previousEnd, field.start).includes(0x2c)
  if (!isFirst) return { start: previousEnd, end: field.valueEnd }
  const rest = bytes.subarray(field.valueEnd)
  const next = rest.findIndex((byte) => byte > 0x20)
  const end = rest[next] === 0x2c ? field.valueEnd + next + 1 : field.valueEnd
  return { start: field.start, end }
}

/** The parts of a watch line that are found without parsing. */
interface ScannedLine {
  readonly type: string
  /** Where the object begins. */
  readonly objectStart: number
}

/** Scans a watch line; `undefined` when it has to be parsed. */
export function scanLine(bytes: Uint8Array): ScannedLine | undefined {
  let type: string | undefined
  let objectStart = -1
  const end = eachField(bytes, 0, (field) => {
    if (isKey(bytes, field.start, 'type')) {
      type = plainString(bytes, field.valueStart, field.valueEnd)
    } else if (isKey(bytes, field.start, 'object')) objectStart = field.valueStart
  })
  if (end === -1 || type === undefined || objectStart === -1) return undefined
  return { type, objectStart }
}
