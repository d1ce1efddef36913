import type { JsonObject, JsonValue } from 'setpoint/schema'
import { builtinData, type ProtoField } from '../../data/index.ts'
import { encodeBase64 } from '../go/go-base64.ts'
import { durationText } from '../go/go-duration.ts'
import { isoSeconds } from '../go/go-time.ts'
import { setOwn } from '../json/json-object.ts'
import { parseJson } from '../json/parse-json.ts'
import { ProtobufContentError } from './protobuf-content-error.ts'
import { ProtobufError, ProtobufReader } from './protobuf-reader.ts'
import { formOf, messageOf } from '../typed/type-plan.ts'

/** An object as it was sent, before `decodeTyped` drops the fields that Go omits. */
interface DecodedProtobuf {
  readonly apiVersion: string
  readonly kind: string
  readonly value: JsonObject
}

const magic = [0x6b, 0x38, 0x73, 0x00]

/** Whether the bytes start with the prefix of a Kubernetes protobuf body. */
function isProtobuf(bytes: Uint8Array): boolean {
  return magic.every((byte, index) => bytes[index] === byte)
}

/**
 * Decodes a body of `application/vnd.kubernetes.protobuf`. Clients send zero values too, so pass
 * the value to `decodeTyped`. `fallback` is the kind of the endpoint, for bodies that name none.
 */
export function decodeProtobuf(
  bytes: Uint8Array,
  fallback: { readonly apiVersion: string; readonly kind: string } = { apiVersion: '', kind: '' },
): DecodedProtobuf {
  if (bytes.length === 0) throw new ProtobufError('empty data')
  if (!isProtobuf(bytes)) {
    const words = 'provided data does not appear to be a protobuf message'
    throw new ProtobufError(`${words}, expected prefix [${magic.join(' ')}]`)
  }
  if (bytes.length === magic.length) throw new ProtobufError('empty body')
  const unknown = readEnvelope(bytes.subarray(magic.length))
  const apiVersion = unknown.apiVersion === '' ? fallback.apiVersion : unknown.apiVersion
  const kind = unknown.kind === '' ? fallback.kind : unknown.kind
  const message = messageOf(apiVersion, kind)
  if (message === undefined) {
    const why = `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`
    throw new ProtobufContentError(why, { apiVersion, kind })
  }
  const value: JsonObject = { kind, apiVersion }
  try {
    readMessage(value, unknown.raw, message)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw new ProtobufContentError(error.message, { apiVersion, kind })
  }
  return { apiVersion, kind, value }
}

function readEnvelope(bytes: Uint8Array): { apiVersion: string; kind: string; raw: Uint8Array } {
  const envelope = { apiVersion: '', kind: '', raw: new Uint8Array() }
  const reader = new ProtobufReader(bytes)
  while (reader.next()) {
    if (reader.field === 1) {
      const typeMeta = new ProtobufReader(reader.bytes())
      while (typeMeta.next()) {
        if (typeMeta.field === 1) envelope.apiVersion = typeMeta.string()
        else if (typeMeta.field === 2) envelope.kind = typeMeta.string()
        else typeMeta.skip()
      }
    } else if (reader.field === 2) envelope.raw = reader.bytes() as Uint8Array<ArrayBuffer>
    else reader.skip()
  }
  return envelope
}

function readMessage(object: JsonObject, bytes: Uint8Array, message: string): void {
  const fields = builtinData.proto().messages[message] ?? {}
  const reader = new ProtobufReader(bytes)
  while (reader.next()) {
    const field = fields[reader.field]
    // Other releases have fields that this one lacks.
    if (field === undefined) reader.skip()
    else if (field.inline === true) readMessage(object, reader.bytes(), field.type)
    else if (field.map !== undefined) readMapEntry(object, field, reader.bytes())
    else if (field.repeated === true) {
      const list = (object[field.name] ??= []) as JsonValue[]
      list.push(readValue(reader, field.type))
    } else object[field.name] = readValue(reader, field.type)
  }
}

function readMapEntry(object: JsonObject, field: ProtoField, bytes: Uint8Array): void {
  const map = (object[field.name] ??= {}) as JsonObject
  let key = ''
  let value: JsonValue | undefined
  const entry = new ProtobufReader(bytes)
  while (entry.next()) {
    if (entry.field === 1) key = entry.string()
    else if (entry.field === 2) value = readValue(entry, field.type)
    else entry.skip()
  }
  setOwn(map, key, value ?? null)
}

function readValue(reader: ProtobufReader, type: string): JsonValue {
  switch (formOf(type)) {
    case 'string':
      return reader.string()
    case 'bool':
      return Number(reader.integer()) !== 0
    case 'int32':
    case 'int64':
      return reader.integer()
    case 'double':
      return reader.double()
    case 'bytes':
      return encodeBase64(reader.bytes())
    case 'message': {
      const object: JsonObject = {}
      readMessage(object, reader.bytes(), type)
      return object
    }
    default:
      return readSpecial(reader.bytes(), type)
  }
}

function readSpecial(bytes: Uint8Array, type: string): JsonValue {
  const fields: JsonObject = {}
  readMessage(fields, bytes, type)
  switch (formOf(type)) {
    case 'quantity':
      return fields['string'] ?? '0'
    case 'intOrString':
      return fields['type'] === 1 ? (fields['strVal'] ?? '') : (fields['intVal'] ?? 0)
    case 'time':
      return timeText(fields, '')
    case 'microTime':
      return timeText(fields, microsText(fields))
    case 'duration':
      return durationText(BigInt(integerField(fields, 'duration')))
    case 'list':
      return fields['items'] ?? null
    case 'schemaOrArray':
      return fields['jSONSchemas'] ?? fields['schema'] ?? null
    case 'schemaOrBool':
      return fields['schema'] ?? fields['allows'] ?? false
    case 'schemaOrStringArray':
      return fields['schema'] ?? fields['property'] ?? null
    default:
      return rawJson(bytes)
  }
}

function integerField(fields: JsonObject, name: string): number | bigint {
  const value = fields[name]
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0
}

function timeText(fields: JsonObject, fraction: string): string | null {
  if (fields['seconds'] === undefined) return null
  return `${isoSeconds(Number(integerField(fields, 'seconds')))}${fraction}Z`
}

function microsText(fields: JsonObject): string {
  const micros = Math.floor(Number(integerField(fields, 'nanos')) / 1000)
  return `.${String(micros).padStart(6, '0')}`
}

/** The bytes are JSON text, or another envelope. */
function rawJson(bytes: Uint8Array): JsonValue {
  const reader = new ProtobufReader(bytes)
  let raw: Uint8Array = new Uint8Array()
  while (reader.next()) {
    if (reader.field === 1) raw = reader.bytes()
    else reader.skip()
  }
  if (raw.length === 0) return null
  if (isProtobuf(raw)) return decodeProtobuf(raw).value
  return parseJson(new TextDecoder().decode(raw)).value
}
