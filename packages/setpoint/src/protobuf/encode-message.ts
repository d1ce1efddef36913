import { isPlainObject } from '../schema/json-value.ts'
import { type FieldPlan, type MessagePlan, pathTo } from './message-plan.ts'
import { MessageWriter } from './message-writer.ts'

/**
 * Protobuf cannot express the object, or only with a risk. This error does not leave this folder.
 */
class InexpressibleError extends Error {}

/** The error for a value that may have another meaning in protobuf than in JSON. */
export function inexpressible(why: string): InexpressibleError {
  return new InexpressibleError(why)
}

const magic = Uint8Array.of(0x6b, 0x38, 0x73, 0)

/** One writer is enough: encoding is never interrupted. */
const shared = new MessageWriter()

/**
 * An object as a protobuf request body in its envelope; `undefined` when it has to be sent as JSON:
 * a field that the table does not have, a value of another type, times and other rare types. The
 * server then reports the problem.
 */
export function encodeObject(
  plan: MessagePlan,
  object: object,
): Uint8Array<ArrayBuffer> | undefined {
  return enveloped(plan, (writer) => {
    encodeFields(writer, plan, object)
  })
}

/** Writes an object into its envelope; `undefined` when that is not possible. */
export function enveloped(
  { identity }: MessagePlan,
  write: (writer: MessageWriter) => void,
): Uint8Array<ArrayBuffer> | undefined {
  if (identity === undefined) return undefined
  try {
    shared.reset()
    shared.raw(magic)
    const type = shared.begin(1)
    shared.text(1, identity.apiVersion)
    shared.text(2, identity.kind)
    shared.end(type)
    const content = shared.begin(2)
    write(shared)
    shared.end(content)
    return shared.finish()
  } catch (error) {
    if (error instanceof InexpressibleError) return undefined
    throw error
  }
}

function encodeFields(writer: MessageWriter, plan: MessagePlan, object: object): void {
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    if (value === undefined || value === null || isIdentity(plan, name, value)) continue
    encodeAtPath(writer, pathTo(plan, name), value)
  }
}

/** Writes a field into the messages from which it is inlined, if any. */
function encodeAtPath(writer: MessageWriter, path: readonly FieldPlan[], value: unknown): void {
  const [field] = path
  if (field === undefined) throw inexpressible('a field is unknown')
  if (path.length === 1) return encodeField(writer, field, value)
  const start = writer.begin(field.number)
  encodeAtPath(writer, path.slice(1), value)
  writer.end(start)
}

/** Objects have apiVersion and kind; messages do not. */
function isIdentity({ identity }: MessagePlan, name: string, value: unknown): boolean {
  return (
    identity !== undefined && (name === 'apiVersion' || name === 'kind') && identity[name] === value
  )
}

/** Writes a whole field: a value, all items of a list, or all entries of a map. */
export function encodeField(writer: MessageWriter, field: FieldPlan, value: unknown): void {
  if (field.shape === '*') {
    if (!Array.isArray(value)) throw inexpressible(`${field.name} is not a list`)
    for (const item of value) encodeValue(writer, field, item)
  } else if (field.shape === '%') {
    for (const [key, one] of Object.entries(fieldsIn(value)))
      encodeEntry(writer, field, { key, value: one })
  } else encodeValue(writer, field, value)
}

/** An entry of a map: a message with a key and a value. */
export function encodeEntry(
  writer: MessageWriter,
  field: FieldPlan,
  { key, value }: { readonly key: string; readonly value: unknown },
): void {
  const start = writer.begin(field.number)
  writer.text(1, key)
  encodeValue(writer, { ...field, number: 2 }, value)
  writer.end(start)
}

/** One value, or one item of a list. */
export function encodeValue(writer: MessageWriter, field: FieldPlan, value: unknown): void {
  const { number, type } = field
  if (type === 's') writer.text(number, textIn(value))
  else if (type === 'i') writeInteger(writer, number, value)
  else if (type === 'b') writeInteger(writer, number, booleanIn(value))
  else if (type === 'y') writer.bytes(number, bytesIn(value))
  else {
    const start = writer.begin(number)
    encodeContent(writer, field, value)
    writer.end(start)
  }
}

/** A value that is a message. */
function encodeContent(
  writer: MessageWriter,
  { name, type, message }: FieldPlan,
  value: unknown,
): void {
  if (type === 'm' && message !== undefined) encodeFields(writer, message, fieldsIn(value))
  else if (type === 'q') writer.text(1, quantityIn(value))
  else if (type === 'l' && Array.isArray(value)) {
    for (const text of value) writer.text(1, textIn(text))
  } else if (type === 'o' && typeof value === 'string') {
    writeInteger(writer, 1, 1)
    writer.text(3, value)
  } else if (type === 'o') writeInteger(writer, 2, value)
  else throw inexpressible(`${name} has the type ${type}`)
}

/** Servers truncate numbers that do not fit the type of a field, which may have 32 bits. */
function writeInteger(writer: MessageWriter, number: number, value: unknown): void {
  if (typeof value !== 'number' || (value | 0) !== value)
    throw inexpressible(`${String(value)} is not a 32-bit integer`)
  writer.tag(number, 0)
  writer.varint(value)
}

function booleanIn(value: unknown): number {
  if (typeof value === 'boolean') return Number(value)
  throw inexpressible('it is not a boolean')
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  throw inexpressible('it is not a string')
}

const quantityPattern = /^[+-]?\d+(?:\.\d+)?(?:m|k|[MGTPE]|[KMGTPE]i)?$/

function quantityIn(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : textIn(value)
  if (quantityPattern.test(text)) return text
  throw inexpressible(`${text} is an unusual quantity`)
}

const base64Pattern = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{3}=|[A-Za-z\d+/]{2}==)?$/

function bytesIn(value: unknown): Uint8Array {
  const text = textIn(value)
  if (base64Pattern.test(text)) return Buffer.from(text, 'base64')
  throw inexpressible('it is not base64')
}

/** A plain object: JSON may convert others by toJSON. */
function fieldsIn(value: unknown): object {
  if (isPlainObject(value)) return value
  throw inexpressible('it has no fields')
}
