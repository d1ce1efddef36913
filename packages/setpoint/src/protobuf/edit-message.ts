import type { StoredMessage } from './stored-message.ts'
import {
  encodeEntry,
  encodeField,
  encodeValue,
  enveloped,
  inexpressible,
} from './encode-message.ts'
import { type FieldPlan, fieldsOf, type MessagePlan, pathTo } from './message-plan.ts'
import { malformed, MessageReader } from './message-reader.ts'
import type { MessageWriter } from './message-writer.ts'

/** A field to set or remove. The path has fields, keys and indexes; `-` appends to a list. */
export interface FieldEdit {
  readonly path: readonly string[]
  /** `null` removes the field. */
  readonly value: unknown
}

/**
 * A message with some fields changed, as a request body in its envelope. Everything else stays
 * unchanged, including fields that the table does not have. `undefined` when protobuf cannot
 * express an edit.
 */
export function editObject(
  plan: MessagePlan,
  stored: StoredMessage,
  edits: readonly FieldEdit[],
): Uint8Array<ArrayBuffer> | undefined {
  return enveloped(plan, (writer) => {
    const change = new Change()
    for (const { path, value } of edits) addEdit(change, plan, { path, value })
    const { bytes, offset, length } = stored
    const reader = new MessageReader(bytes, offset, offset + length)
    new Editor(reader, writer).message(plan, offset + length, change)
  })
}

/** The changes of one part of an object. */
class Change {
  /** The new value; `null` removes it. When undefined, only parts of it change. */
  value: unknown
  /** The changes of a message, by field. */
  readonly fields = new Map<FieldPlan, Change>()
  /** The changes of a list by index, of a map by key. */
  readonly items = new Map<string, Change>()
  /** Items to append to a list. */
  readonly added: unknown[] = []
}

function addEdit(change: Change, plan: MessagePlan, { path, value }: FieldEdit): void {
  const [name = '', ...rest] = path
  const fieldPath = pathTo(plan, name)
  const field = fieldPath.at(-1)
  if (field === undefined) throw inexpressible(`${name} is unknown`)
  let place = change
  for (const step of fieldPath) place = below(place.fields, step)
  if (rest.length === 0) return set(place, value)
  if (field.shape === '') return addBelow(place, field, { path: rest, value })
  const [item = '', ...more] = rest
  if (field.shape === '*' && item === '-' && more.length === 0) place.added.push(value)
  else if (more.length > 0) addBelow(below(place.items, item), field, { path: more, value })
  // Removing an item would move the following ones.
  else if (field.shape === '*' && value === null) throw inexpressible('an item is removed')
  else set(below(place.items, item), value)
}

function addBelow(place: Change, { message, name }: FieldPlan, edit: FieldEdit): void {
  if (message === undefined || place.value !== undefined)
    throw inexpressible(`${name} has no fields`)
  addEdit(place, message, edit)
}

function set(place: Change, value: unknown): void {
  if (value === undefined) throw inexpressible('there is no value')
  place.value = value
}

function below<Name>(places: Map<Name, Change>, name: Name): Change {
  const known = places.get(name)
  if (known !== undefined) return known
  const made = new Change()
  places.set(name, made)
  return made
}

/** Copies a message with changes. */
class Editor {
  readonly #reader: MessageReader
  readonly #writer: MessageWriter

  constructor(reader: MessageReader, writer: MessageWriter) {
    this.#reader = reader
    this.#writer = writer
  }

  message(plan: MessagePlan, end: number, change: Change): void {
    const reader = this.#reader
    const fields = fieldsOf(plan)
    const counts = new Map<FieldPlan, number>()
    let copied = reader.at
    while (reader.at < end) {
      const start = reader.at
      const tag = reader.varint32(end)
      const field = fields[tag >>> 3]
      const inner = field === undefined ? undefined : change.fields.get(field)
      if (field === undefined || inner === undefined) {
        reader.skip(tag & 7, end)
        continue
      }
      if (field.wire !== (tag & 7)) throw malformed(`${field.name} has another type`)
      this.#copy(copied, start)
      const index = counts.get(field) ?? 0
      counts.set(field, index + 1)
      this.#field(field, { start, end, index }, inner)
      copied = reader.at
    }
    this.#copy(copied, end)
    for (const [field, inner] of change.fields) this.#rest(field, inner, counts.get(field) ?? 0)
  }

  /**
   * A field, an item of a list or an entry of a map, in its place. Parts that are written later are
   * skipped.
   */
  #field(
    field: FieldPlan,
    { start, end, index }: { start: number; end: number; index: number },
    change: Change,
  ): void {
    const reader = this.#reader
    const content = reader.at
    reader.skip(field.wire, end)
    const next = reader.at
    if (change.value !== undefined) return
    const isList = field.shape === '*'
    const isMap = field.shape === '%'
    reader.at = content
    if (!isList && !isMap) return this.#nested(field, reader.limit(end), change)
    const item = change.items.get(isList ? String(index) : this.#keyOf(reader.limit(end)))
    reader.at = content
    if (isList && item !== undefined && item.value === undefined) {
      return this.#nested(field, reader.limit(end), item)
    }
    reader.at = next
    if (item === undefined) this.#copy(start, next)
    else if (isList) encodeValue(this.#writer, field, item.value)
  }

  #nested({ message, number }: FieldPlan, limit: number, change: Change): void {
    if (message === undefined) throw inexpressible('it has no fields')
    const start = this.#writer.begin(number)
    this.message(message, limit, change)
    this.#writer.end(start)
  }

  /** The key of an entry. */
  #keyOf(end: number): string {
    const { at, bytes } = this.#reader
    const reader = new MessageReader(bytes, at, end)
    while (reader.at < end) {
      const tag = reader.varint32(end)
      if (tag === 0x0a) return reader.string(reader.limit(end))
      reader.skip(tag & 7, end)
    }
    return ''
  }

  /** The remaining changes of a field, written at the end: the order of fields does not matter. */
  #rest(field: FieldPlan, change: Change, count: number): void {
    const writer = this.#writer
    if (change.value === null) return
    if (change.value !== undefined) return encodeField(writer, field, change.value)
    if (field.shape === '%') {
      for (const [key, { value }] of change.items) {
        if (value === undefined) throw inexpressible('a value of a map changes partially')
        if (value !== null) encodeEntry(writer, field, { key, value })
      }
    } else if (field.shape === '*') {
      for (const index of change.items.keys()) {
        if (!(Number(index) < count)) throw inexpressible(`${field.name} has no item ${index}`)
      }
      for (const item of change.added) encodeValue(writer, field, item)
    } else if (count !== 1) throw inexpressible(`${field.name} occurs ${count} times`)
  }

  #copy(start: number, end: number): void {
    if (end > start) this.#writer.raw(this.#reader.bytes.subarray(start, end))
  }
}
