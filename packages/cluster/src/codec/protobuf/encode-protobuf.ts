import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { compareKeys } from '../json/compare-keys.ts'
import { encodeJson } from '../json/encode-json.ts'
import { decodeBase64 } from '../go/go-base64.ts'
import { parseDuration } from '../go/go-duration.ts'
import { timestampOf } from '../go/go-time.ts'
import { ProtobufWriter } from './protobuf-writer.ts'
import { messageOf } from '../typed/type-plan.ts'
import { wirePlan, type WireField } from './wire-plan.ts'

/** Shared, because encoding is synchronous and leaves it empty. */
const shared = new ProtobufWriter()

const magic = [0x6b, 0x38, 0x73, 0x00]

/**
 * An object of a built-in kind as a real server encodes it in
 * `application/vnd.kubernetes.protobuf`: fields that are not pointers are included even when they
 * are zero, maps are sorted, kinds of nested objects are omitted. `value` must be the server's
 * JSON. Throws for kinds without a message: tables and custom kinds.
 */
export function encodeProtobuf(value: JsonObject): Uint8Array<ArrayBuffer> {
  return written((writer) => {
    writeEnvelope(writer, value)
  })
}

/**
 * A list as `encodeProtobuf` encodes it, from items that are encoded in parts: a large list is
 * encoded in several steps.
 */
export function encodeProtobufList(
  list: JsonObject,
  parts: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  return written((writer) => {
    writeEnvelope(writer, { ...list, items: [] }, () => {
      for (let index = parts.length - 1; index >= 0; index--) writer.bytes(parts[index] ?? [])
    })
  })
}

/** Some items of a list, for `encodeProtobufList`. */
export function encodeProtobufItems(
  list: JsonObject,
  items: readonly JsonValue[],
): Uint8Array<ArrayBuffer> {
  const field = wirePlan(messageOfValue(list)).find(({ name }) => name === 'items')
  return written((writer) => {
    if (field !== undefined) writeList(writer, field, [...items])
  })
}

/** One event of a watch: its length in four bytes, and a WatchEvent with the object's envelope. */
export function encodeWatchFrame(type: string, object: JsonObject): Uint8Array<ArrayBuffer> {
  return written((writer) => {
    // RawExtension { raw }, inside WatchEvent { type, object }.
    writeEnvelope(writer, object)
    writer.lengthAndTag(1, 0)
    writer.lengthAndTag(2, 0)
    writeText(writer, 1, type)
    const length = writer.mark
    writer.bytes([length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255])
  })
}

function written(write: (writer: ProtobufWriter) => void): Uint8Array<ArrayBuffer> {
  try {
    write(shared)
  } catch (error) {
    shared.finish()
    throw error
  }
  return shared.finish()
}

/**
 * Unknown { typeMeta { apiVersion, kind }, raw, contentEncoding, contentType } after the prefix.
 */
function writeEnvelope(writer: ProtobufWriter, value: JsonObject, writeItems?: () => void): void {
  const apiVersion = textOf(value['apiVersion'])
  const kind = textOf(value['kind'])
  const message = messageOfValue(value)
  writeText(writer, 4, '')
  writeText(writer, 3, '')
  writeNested(writer, 2, () => {
    writeItems?.()
    writeMessage(writer, value, message)
  })
  writeNested(writer, 1, () => {
    writeText(writer, 2, kind)
    writeText(writer, 1, apiVersion)
  })
  writer.bytes(magic)
}

function messageOfValue(value: JsonObject): string {
  const apiVersion = textOf(value['apiVersion'])
  const kind = textOf(value['kind'])
  const message = messageOf(apiVersion, kind)
  if (message === undefined) throw new Error(`${apiVersion} ${kind} has no protobuf message`)
  return message
}

function writeMessage(writer: ProtobufWriter, object: JsonObject, message: string): void {
  for (const field of wirePlan(message)) {
    if (field.shape === 'inline') {
      const start = writer.mark
      writeMessage(writer, object, field.type)
      writer.lengthAndTag(field.number, start)
      continue
    }
    const value = object[field.name]
    if (field.shape === 'single') writeSingle(writer, field, value)
    else if (value === undefined || value === null) continue
    else if (field.shape === 'list') writeList(writer, field, value)
    else writeMap(writer, field, value)
  }
}

function writeSingle(writer: ProtobufWriter, field: WireField, value: JsonValue | undefined): void {
  if (value === undefined || value === null) {
    if (field.isOptional) return
    writeValue(writer, field, null)
  } else writeValue(writer, field, value)
}

function writeList(writer: ProtobufWriter, field: WireField, value: JsonValue): void {
  if (!Array.isArray(value)) return
  for (let index = value.length - 1; index >= 0; index--) {
    writeValue(writer, field, value[index] ?? null)
  }
}

function writeMap(writer: ProtobufWriter, field: WireField, value: JsonValue): void {
  const { entryValue } = field
  if (!isJsonObject(value) || entryValue === undefined) return
  const keys = Object.keys(value).sort(compareKeys)
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index] as string
    const start = writer.mark
    const item = value[key] ?? null
    if (item !== null || field.form !== 'bytes') writeValue(writer, entryValue, item)
    writeText(writer, 1, key)
    writer.lengthAndTag(field.number, start)
  }
}

/** A field with its tag; null is the zero value of its type. */
function writeValue(writer: ProtobufWriter, field: WireField, value: JsonValue): void {
  const { number, form } = field
  switch (form) {
    case 'string':
      writeText(writer, number, textOf(value))
      return
    case 'bool':
      writeInteger(writer, number, value === true ? 1 : 0)
      return
    case 'int32':
    case 'int64':
      writeInteger(writer, number, integerOf(value))
      return
    case 'double':
      writer.double(Number(value))
      writer.tag(number, 1)
      return
    default: {
      const start = writer.mark
      writeContent(writer, field, value)
      writer.lengthAndTag(number, start)
    }
  }
}

/** The content of a length-delimited field. */
function writeContent(writer: ProtobufWriter, { form, type }: WireField, value: JsonValue): void {
  switch (form) {
    case 'bytes':
      writer.bytes(decodeBase64(textOf(value)))
      return
    case 'message':
      writeMessage(writer, isJsonObject(value) ? value : {}, type)
      return
    case 'quantity':
      writeText(writer, 1, typeof value === 'string' ? value : String(integerOf(value)))
      return
    case 'intOrString':
      writeIntOrString(writer, value)
      return
    case 'time':
    case 'microTime':
      writeTime(writer, value)
      return
    case 'duration':
      writeInteger(writer, 1, value === null ? 0 : parseDuration(textOf(value)))
      return
    case 'rawExtension':
    case 'json':
      // Compact, as Go clients send it. A real server keeps the spaces of other clients, this one
      // does not.
      if (value !== null) writeText(writer, 1, encodeJson(value))
      return
    case 'list':
      writeTexts(writer, 1, value)
      return
    default:
      writeSchemaOr(writer, { form, type }, value)
  }
}

function writeIntOrString(writer: ProtobufWriter, value: JsonValue): void {
  const isText = typeof value === 'string'
  writeText(writer, 3, isText ? value : '')
  writeInteger(writer, 2, isText ? 0 : integerOf(value))
  writeInteger(writer, 1, isText ? 1 : 0)
}

/** A zero time has no fields. */
function writeTime(writer: ProtobufWriter, value: JsonValue): void {
  if (typeof value !== 'string') return
  const { seconds, nanos } = timestampOf(value)
  writeInteger(writer, 2, nanos)
  writeInteger(writer, 1, seconds)
}

/** The three union types of a schema; their messages have the same field numbers. */
function writeSchemaOr(
  writer: ProtobufWriter,
  { form, type }: Pick<WireField, 'form' | 'type'>,
  value: JsonValue,
): void {
  const schema = type.replace(/Or[A-Za-z]+$/, '')
  const schemaAt = form === 'schemaOrBool' ? 2 : 1
  if (isJsonObject(value)) {
    writeNested(writer, schemaAt, () => {
      writeMessage(writer, value, schema)
    })
  }
  if (form === 'schemaOrBool') {
    writeInteger(writer, 1, value === false || value === null ? 0 : 1)
  } else if (Array.isArray(value)) {
    if (form === 'schemaOrStringArray') writeTexts(writer, 2, value)
    else {
      for (const item of value.toReversed()) {
        writeNested(writer, 2, () => {
          writeMessage(writer, isJsonObject(item) ? item : {}, schema)
        })
      }
    }
  }
}

function writeTexts(writer: ProtobufWriter, number: number, value: JsonValue): void {
  if (!Array.isArray(value)) return
  for (const item of value.toReversed()) writeText(writer, number, textOf(item))
}

function writeNested(writer: ProtobufWriter, number: number, write: () => void): void {
  const start = writer.mark
  write()
  writer.lengthAndTag(number, start)
}

function writeText(writer: ProtobufWriter, number: number, text: string): void {
  const start = writer.mark
  writer.text(text)
  writer.lengthAndTag(number, start)
}

function writeInteger(writer: ProtobufWriter, number: number, value: number | bigint): void {
  writer.integer(value)
  writer.tag(number, 0)
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function integerOf(value: JsonValue): number | bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0
}
