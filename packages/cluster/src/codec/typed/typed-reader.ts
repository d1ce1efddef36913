import { goNumber, isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { setOwn } from '../json/json-object.ts'
import { numberText } from '../json/number-text.ts'
import { isSameQuantityValue } from '../go/quantity.ts'
import { readScalar, zeroValue, type ScalarForm } from '../go/scalar-forms.ts'
import { compareKeys } from '../json/compare-keys.ts'
import { rememberEmptyFields, rememberRewritten } from './empty-fields.ts'
import { TypedDecodeError, type TypeMismatch } from './typed-decode-error.ts'
import { planOf, type FieldPlan, type Form, type MessagePlan } from './type-plan.ts'

/** Go's strict decoder stops counting there. */
const unknownFieldsMax = 100

/** The container of a value: needed only for the text of numbers. */
type Container = JsonObject | JsonValue[]

interface ItemType {
  readonly form: Form
  readonly message: string
  readonly goType: string
}

function isInteger(value: JsonValue): value is number {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** What decides how a list is decoded. */
type ListType = Pick<FieldPlan, 'form' | 'message' | 'goType' | 'itemGoType'>

interface ReaderOptions {
  readonly prefix?: string
  readonly notesOpaque?: boolean
  /**
   * The value was parsed before: Go then converts it field by field until the first error. Integers
   * that are too large overflow.
   */
  readonly isConverted?: boolean
}

/**
 * Decodes one JSON object into the form of a Go struct, as `encoding/json` does: fields in document
 * order. The first type mismatch is recorded while decoding continues. An error of a type with its
 * own syntax (times, quantities) ends the decoding immediately and takes precedence.
 */
export class TypedReader {
  readonly unknownFields = new Set<string>()
  /** Fields whose types decode themselves, where Go does not check for duplicate fields. */
  readonly opaqueFields: string[] = []
  readonly #path: (string | number)[]
  readonly #fields: string[] = []
  readonly #notesOpaque: boolean
  readonly #isConverted: boolean
  #struct = ''
  #mismatch: string | undefined
  /** Inside a type that calls the decoder itself, which is then not strict. */
  #isLenient = false
  /** The number of empty lists and maps so far. */
  #emptyCount = 0
  /** The number of quantities so far that Go keeps in another form than the stored one. */
  #rewrittenCount = 0

  /** `prefix` starts the paths of unknown fields; opaque fields are recorded only on request. */
  constructor(options: ReaderOptions = {}) {
    this.#path = options.prefix === undefined ? [] : [options.prefix]
    this.#notesOpaque = options.notesOpaque === true
    this.#isConverted = options.isConverted === true
  }

  /** Decodes the whole object. Throws TypedDecodeError. */
  read(plan: MessagePlan, value: JsonValue): JsonObject {
    const object = this.#message(plan, value) ?? emptyMessage(plan)
    if (this.#mismatch !== undefined) throw new TypedDecodeError(this.#mismatch)
    return object
  }

  /** Undefined stands for null, which leaves a Go value unchanged. */
  #message(plan: MessagePlan, value: JsonValue): JsonObject | undefined {
    if (value === null) return undefined
    if (!isJsonObject(value)) {
      this.#note({ given: this.#typeName(value), goType: plan.goType })
      return undefined
    }
    const { fields, indexByName } = plan
    const slots = new Array<JsonValue | undefined>(fields.length)
    const outerStruct = this.#struct
    const emptyBefore = this.#emptyCount
    for (const key of this.#isConverted ? inOrder(value, indexByName) : Object.keys(value)) {
      const index = indexByName.get(key)
      const field = index === undefined ? undefined : fields[index]
      if (index === undefined || field === undefined) {
        this.#noteUnknown(key)
        continue
      }
      this.#struct = plan.structName
      this.#fields.push(field.errorName)
      this.#path.push(key)
      slots[index] = this.#field(field, value, key)
      this.#path.pop()
      this.#fields.pop()
    }
    this.#struct = outerStruct
    const object = assemble(fields, slots)
    if (this.#emptyCount > emptyBefore) rememberEmptyFields(object, plan, slots)
    return object
  }

  #field(field: FieldPlan, container: JsonObject, key: string): JsonValue | undefined {
    const value = container[key] as JsonValue
    if (value === null && (field.pointer || field.shape !== 'single')) return undefined
    if (field.shape === 'list') return this.#list(field, value)
    if (field.shape === 'map') return this.#map(field, value)
    return this.#item(field, container, key)
  }

  #list(field: ListType, value: JsonValue): JsonValue[] | undefined {
    if (!Array.isArray(value)) {
      this.#note({ given: this.#typeName(value), goType: field.goType })
      return undefined
    }
    const type = { form: field.form, message: field.message, goType: field.itemGoType }
    const items = new Array<JsonValue>(value.length)
    const before = this.#emptyCount + this.#rewrittenCount
    for (let index = 0; index < value.length; index++) {
      this.#path.push(index)
      items[index] = this.#item(type, value, index) ?? zeroItem(type)
      this.#path.pop()
    }
    if (items.length === 0) this.#emptyCount += 1
    else if (this.#emptyCount + this.#rewrittenCount > before) rememberRewritten(items)
    return items
  }

  #map(field: FieldPlan, value: JsonValue): JsonObject | undefined {
    if (!isJsonObject(value)) {
      this.#note({ given: this.#typeName(value), goType: field.goType })
      return undefined
    }
    const type = { form: field.form, message: field.message, goType: field.itemGoType }
    const keys = Object.keys(value)
    const entries: JsonObject = {}
    // Errors are in document order, the output in Go's order.
    const items = keys.map((key): [string, JsonValue] => {
      this.#path.push(key)
      const item = this.#item(type, value, key) ?? zeroItem(type)
      this.#path.pop()
      return [key, item]
    })
    if (!isSorted(keys)) items.sort(([a], [b]) => compareKeys(a, b))
    for (const [key, item] of items) setOwn(entries, key, item)
    if (keys.length === 0) this.#emptyCount += 1
    return entries
  }

  #item(type: ItemType, container: Container, key: string | number): JsonValue | undefined {
    const value = (container as JsonObject)[key] as JsonValue
    switch (type.form) {
      case 'message':
        return this.#message(planOf(type.message), value)
      case 'rawExtension':
      case 'json':
        if (value !== null && this.#notesOpaque) this.opaqueFields.push(this.#pathText())
        return value
      case 'list':
        return this.#stringList(type, value)
      case 'schemaOrArray':
      case 'schemaOrBool':
      case 'schemaOrStringArray':
        return this.#schemaOr(type, value)
      default:
        return value === null ? undefined : this.#scalar(type, container, key)
    }
  }

  #scalar(type: ItemType, container: Container, key: string | number): JsonValue | undefined {
    const given = (container as JsonObject)[key] as JsonValue
    const isWrapped = this.#isConverted && type.form === 'int32' && isInteger(given)
    const wrapped = isWrapped ? Number(BigInt.asIntN(32, BigInt(given))) : undefined
    const value = wrapped ?? given
    const isNumber = typeof value === 'number' || typeof value === 'bigint'
    const sent = isNumber ? numberText(container, key, value) : ''
    const text = wrapped === undefined ? sent : String(wrapped)
    const result = readScalar(type.form as ScalarForm, { value, text, goType: type.goType })
    if (type.form === 'quantity' && typeof result.value === 'string') {
      const sentText = typeof value === 'string' ? value.trim() : text
      if (!isSameQuantityValue(sentText, result.value)) this.#rewrittenCount += 1
    }
    if (result.value !== undefined) return result.value
    if (result.mismatch !== undefined) {
      const { mismatch } = result
      const isPlain = mismatch.given === 'number'
      if (result.isFinal !== true) {
        this.#note(isPlain ? { ...mismatch, given: this.#typeName(value) } : mismatch)
      } else throw new TypedDecodeError(this.#explainFinal(mismatch))
    }
    if (result.error === undefined) return undefined
    // The decoder itself decodes base64 and continues; other syntax errors end the decoding, and
    // any error ends a conversion.
    if (type.form !== 'bytes' || this.#isConverted) throw new TypedDecodeError(result.error)
    this.#mismatch ??= result.error
    return undefined
  }

  /** A type with its own decoder does not know its field while it is converted. */
  #explainFinal(mismatch: TypeMismatch): string {
    if (!this.#isConverted) return this.#explain(mismatch)
    return `json: cannot unmarshal ${mismatch.given} into Go value of type ${mismatch.goType}`
  }

  /** A conversion distinguishes integers from other numbers. */
  #typeName(value: JsonValue): string {
    const isFloat = typeof value === 'number' && !Number.isSafeInteger(value)
    return this.#isConverted && isFloat ? `number ${goNumber(value)}` : typeName(value)
  }

  #stringList(type: ItemType, value: JsonValue): JsonValue[] | undefined {
    if (value === null) return undefined
    const { goType } = type
    return this.#list({ form: 'string', message: '', itemGoType: 'string', goType }, value)
  }

  /**
   * A JSON schema, or a value that may replace it; such a type decodes its content without
   * strictness.
   */
  #schemaOr(type: ItemType, value: JsonValue): JsonValue | undefined {
    if (this.#notesOpaque) this.opaqueFields.push(this.#pathText())
    const wasLenient = this.#isLenient
    this.#isLenient = true
    const schema = planOf(type.message.replace(/JSONSchemaPropsOr\w+$/, 'JSONSchemaProps'))
    let result: JsonValue | undefined
    if (isJsonObject(value)) result = this.#message(schema, value)
    else if (type.form === 'schemaOrBool') {
      if (typeof value !== 'boolean') {
        throw new TypedDecodeError('boolean or JSON schema expected')
      }
      result = value
    } else if (Array.isArray(value) && value.length > 0) {
      result =
        type.form === 'schemaOrArray'
          ? value.map((item) => this.#message(schema, item) ?? emptyMessage(schema))
          : this.#stringList({ ...type, goType: '[]string' }, value)
    }
    this.#isLenient = wasLenient
    return result
  }

  #note(mismatch: TypeMismatch): void {
    this.#mismatch ??= this.#explain(mismatch)
    if (this.#isConverted) throw new TypedDecodeError(this.#mismatch)
  }

  #explain({ given, goType }: TypeMismatch): string {
    const place =
      this.#fields.length === 0
        ? 'Go value'
        : `Go struct field ${this.#struct}.${this.#fields.join('.')}`
    return `json: cannot unmarshal ${given} into ${place} of type ${goType}`
  }

  #noteUnknown(key: string): void {
    if (this.#isLenient || this.unknownFields.size >= unknownFieldsMax) return
    const path = this.#pathText()
    this.unknownFields.add(path === '' ? key : `${path}.${key}`)
  }

  #pathText(): string {
    let path = ''
    for (const part of this.#path) {
      if (typeof part === 'number') path += `[${part}]`
      else path += path === '' ? part : `.${part}`
    }
    return path
  }
}

/** The keys of a value in the order of Go's fields. */
function inOrder(value: JsonObject, indexByName: ReadonlyMap<string, number>): string[] {
  const placeOf = (key: string): number => indexByName.get(key) ?? Infinity
  return Object.keys(value).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

function typeName(value: JsonValue): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'bigint' ? 'number' : typeof value
}

function isSorted(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || compareKeys(keys[index - 1] ?? '', key) < 0)
}

function zeroItem(type: ItemType): JsonValue {
  return type.form === 'message' ? emptyMessage(planOf(type.message)) : zeroValue(type.form)
}

/** An empty struct as Go prints it. */
export function emptyMessage(plan: MessagePlan): JsonObject {
  return assemble(plan.fields, [])
}

/** Sorts the fields in Go's order, without the zero values that Go omits. */
export function assemble(
  fields: readonly FieldPlan[],
  slots: readonly (JsonValue | undefined)[],
): JsonObject {
  const object: JsonObject = {}
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as FieldPlan
    const value = slots[index]
    if (field.always) object[field.name] = value === undefined ? zeroField(field) : value
    else if (value !== undefined && (isKept(field) || !isZero(field, value))) {
      object[field.name] = value
    }
  }
  return object
}

function isKept({ pointer, keepsEmpty }: FieldPlan): boolean {
  return pointer || keepsEmpty
}

function zeroField(field: FieldPlan): JsonValue {
  if (field.pointer || field.shape !== 'single' || field.form === 'bytes') return null
  return zeroItem({ form: field.form, message: field.message, goType: field.goType })
}

function isZero(field: FieldPlan, value: JsonValue): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true
  if (typeof value !== 'object') return false
  if (field.shape === 'single' && (field.form === 'rawExtension' || field.form === 'json')) {
    return false
  }
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0
}
