import { isPlainObject } from '../schema/json-value.ts'
import { type FieldPlan, type MessagePlan, wayTo } from './message-plan.ts'
import { MessageWriter } from './message-writer.ts'

/** What is to be written cannot be said in protobuf, or only with a risk. It does not leave this folder. */
class InexpressibleError extends Error {}

/** For everything but what is known to mean the same in both encodings. */
export function inexpressible(why: string): InexpressibleError {
  return new InexpressibleError(why)
}

const magic = Uint8Array.of(0x6b, 0x38, 0x73, 0)

/** One is enough: writing is never interrupted. */
const shared = new MessageWriter()

/**
 * An object as a body in protobuf, in an envelope that says what it is; `undefined` where it has to be sent as JSON: a field
 * that the table lacks, a value of another type, times and other rare things. A server then says what is wrong with it.
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
    encodeAlong(writer, wayTo(plan, name), value)
  }
}

/** Writes a field into the messages it is inlined from, if there are any. */
function encodeAlong(writer: MessageWriter, way: readonly FieldPlan[], value: unknown): void {
  const [field] = way
  if (field === undefined) throw inexpressible('a field is not known')
  if (way.length === 1) return encodeField(writer, field, value)
  const start = writer.begin(field.number)
  encodeAlong(writer, way.slice(1), value)
  writer.end(start)
}

/** Objects say what they are; messages do not. */
function isIdentity({ identity }: MessagePlan, name: string, value: unknown): boolean {
  return (
    identity !== undefined && (name === 'apiVersion' || name === 'kind') && identity[name] === value
  )
}

/** Writes all of a field: a value, or all items of a list, or all entries of a map. */
export function encodeField(writer: MessageWriter, field: FieldPlan, value: unknown): void {
  if (field.shape === '*') {
    if (!Array.isArray(value)) throw inexpressible(`${field.name} is no list`)
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
  else throw inexpressible(`${name} is of the type ${type}`)
}

/** Servers cut what does not fit into the type of a field, which may have 32 bits. */
function writeInteger(writer: MessageWriter, number: number, value: unknown): void {
  if (typeof value !== 'number' || (value | 0) !== value)
    throw inexpressible(`${String(value)} is no integer of 32 bits`)
  writer.tag(number, 0)
  writer.varint(value)
}

function booleanIn(value: unknown): number {
  if (typeof value === 'boolean') return Number(value)
  throw inexpressible('it is no boolean')
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  throw inexpressible('it is no text')
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
  throw inexpressible('it is no base64')
}

/** An object that is nothing but its fields: JSON makes of others what they say. */
function fieldsIn(value: unknown): object {
  if (isPlainObject(value)) return value
  throw inexpressible('it has no fields')
}
