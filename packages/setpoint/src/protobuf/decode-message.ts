import type { Span } from './stored-message.ts'
import { type FieldPlan, fieldsOf, type MessagePlan } from './message-plan.ts'
import { malformed, MessageReader } from './message-reader.ts'
import {
  readDuration,
  readIntOrString,
  readJson,
  readQuantity,
  readStrings,
  readTime,
} from './special-values.ts'

/** Deeper than any schema; deeper bytes are an attack. */
const depthMax = 500

/**
 * Decodes a message into the object that JSON.parse would give for the JSON of the same server:
 * zero values that Go omits are omitted, values that it prints as null are null. A whole object
 * starts with its apiVersion and kind.
 */
export function decodeMessage(plan: MessagePlan, bytes: Buffer, { offset, length }: Span): object {
  const end = offset + length
  return new Decoder(new MessageReader(bytes, offset, end)).message(plan, end)
}

class Decoder {
  readonly #reader: MessageReader
  #depth = 0

  constructor(reader: MessageReader) {
    this.#reader = reader
  }

  message(plan: MessagePlan, end: number): Record<string, unknown> {
    const object = new plan.Maker()
    if (plan.identity !== undefined) {
      object['apiVersion'] = plan.identity.apiVersion
      object['kind'] = plan.identity.kind
    }
    this.#fill(object, plan, end)
    return object
  }

  #fill(object: Record<string, unknown>, plan: MessagePlan, end: number): void {
    const reader = this.#reader
    const fields = fieldsOf(plan)
    this.#depth += 1
    if (this.#depth > depthMax) throw malformed('nested too deeply')
    while (reader.at < end) {
      const tag = reader.varint32(end)
      const field = fields[tag >>> 3]
      if (field === undefined) {
        reader.skip(tag & 7, end)
        continue
      }
      if (field.wire !== (tag & 7)) throw malformed(`${field.name} has another type`)
      if (field.shape === '') {
        const value = this.#value(field, end)
        if (field.keepsZero || !isZero(value)) object[field.name] = value
      } else if (field.shape === '*') {
        const value = this.#value(field, end)
        const list = object[field.name] as unknown[] | undefined
        if (list === undefined) object[field.name] = [value]
        else list.push(value)
      } else if (field.shape === '%') {
        const map = (object[field.name] ??= {}) as Record<string, unknown>
        this.#entry(map, field, reader.limit(end))
      } else if (field.message !== undefined) {
        this.#fill(object, field.message, reader.limit(end))
      }
    }
    for (const name of plan.nulls) object[name] ??= null
    this.#depth -= 1
  }

  /**
   * An entry of a map: a message with a key and a value, each of which may be missing when it is
   * zero.
   */
  #entry(map: Record<string, unknown>, field: FieldPlan, end: number): void {
    const reader = this.#reader
    let key = ''
    let value: unknown
    while (reader.at < end) {
      const tag = reader.varint32(end)
      if (tag === 0x0a) key = reader.string(reader.limit(end))
      else if (tag === 0x12) value = this.#value(field, end)
      else reader.skip(tag & 7, end)
    }
    if (value === undefined) {
      value = field.message === undefined ? '' : this.message(field.message, reader.at)
    }
    if (key !== '__proto__') map[key] = value
    else {
      Object.defineProperty(map, key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
  }

  #value(field: FieldPlan, end: number): unknown {
    const reader = this.#reader
    const { type } = field
    if (type === 's') return reader.string(reader.limit(end))
    if (type === 'i') return reader.integer(end)
    if (type === 'b') return reader.integer(end) !== 0
    if (type === 'f') return reader.double(end)
    const limit = reader.limit(end)
    if (type === 'm' && field.message !== undefined) return this.message(field.message, limit)
    return this.#special(field, limit)
  }

  #special({ type, message }: FieldPlan, end: number): unknown {
    const reader = this.#reader
    switch (type) {
      case 't':
        return readTime(reader, end, false)
      case 'u':
        return readTime(reader, end, true)
      case 'q':
        return readQuantity(reader, end)
      case 'o':
        return readIntOrString(reader, end)
      case 'l':
        return readStrings(reader, end)
      case 'd':
        return readDuration(reader, end)
      case 'j':
        return readJson(reader, end)
      case 'y': {
        const { at } = reader
        reader.at = end
        return reader.bytes.toString('base64', at, end)
      }
      default:
        return message === undefined ? undefined : this.#alternative(type, message, end)
    }
  }

  /** A message or something else: `A` a list of it, `B` a boolean, `S` strings. */
  #alternative(type: string, message: MessagePlan, end: number): unknown {
    const reader = this.#reader
    let one: object | undefined
    let allows = false
    const messages: object[] = []
    const strings: string[] = []
    while (reader.at < end) {
      const tag = reader.varint32(end)
      const number = tag >>> 3
      if (type === 'B' && tag === 0x08) allows = reader.integer(end) !== 0
      else if ((tag & 7) !== 2 || number > 2) reader.skip(tag & 7, end)
      else {
        const limit = reader.limit(end)
        if (type === 'S' && number === 2) strings.push(reader.string(limit))
        else if (type === 'A' && number === 2) messages.push(this.message(message, limit))
        else one = this.message(message, limit)
      }
    }
    if (messages.length > 0) return messages
    if (strings.length > 0) return strings
    return one ?? (type === 'B' ? allows : null)
  }
}

/** The zero values that Go omits by default. */
function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false || value === null
}
