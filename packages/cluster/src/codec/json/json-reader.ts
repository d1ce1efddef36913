import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { JsonSyntaxError, unexpectedCharacter, unexpectedEnd } from './json-syntax-error.ts'
import { setOwn } from './json-object.ts'
import { rememberNumberText } from './number-text.ts'

/** Go decodes a duplicate object field into the first object. */
function merged(first: JsonValue, second: JsonValue): JsonValue {
  if (!isJsonObject(first) || !isJsonObject(second)) return second
  const both: JsonObject = { ...first }
  for (const [key, value] of Object.entries(second)) {
    const known = Object.hasOwn(both, key) ? both[key] : undefined
    setOwn(both, key, known === undefined ? value : merged(known, value))
  }
  return both
}

/** The result of parsing a text. */
export interface ParsedText {
  readonly value: JsonValue
  /** Paths such as `spec.containers[0].name`, in the order of the duplicates. */
  readonly duplicateFields: string[]
}

/** Go's encoding/json refuses deeper nesting. */
const depthMax = 10_000
/** Go's strict decoder stops counting there. */
const duplicatesMax = 100

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** Go replaces lone surrogates; a surrogate of a pair does not match in unicode mode. */
const loneSurrogate = /\p{Surrogate}/gu
const plainText = /[^"\\\u0000-\u001f]*/y

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

interface ObjectFrame {
  readonly container: JsonObject
  readonly seen: Set<string>
  key: string
}

interface ListFrame {
  readonly container: JsonValue[]
  readonly seen: undefined
  key: number
}

type Frame = ObjectFrame | ListFrame

/** Called with the path of a field, and whether it is a duplicate. */
type FieldListener = (path: string, isRepeated: boolean) => void

/**
 * Parses JSON character by character: slower than JSON.parse, but it finds duplicate fields, keeps
 * integers above 2^53 and has Go's error messages. It does not recurse, so that depth is limited by
 * Go's rule and not by the stack.
 */
export class JsonReader {
  readonly #text: string
  readonly #onField: FieldListener | undefined
  readonly #mergesRepeated: boolean
  readonly #stack: Frame[] = []
  readonly #duplicates = new Set<string>()
  #at = 0

  /** `onField` is called for every field in the order of the text. */
  constructor(text: string, onField?: FieldListener, mergesRepeated = false) {
    this.#text = text
    this.#onField = onField
    this.#mergesRepeated = mergesRepeated
  }

  read(): ParsedText {
    let value = this.#open()
    for (;;) {
      const frame = this.#stack.at(-1)
      if (frame === undefined) break
      if (value !== undefined) this.#store(frame, value)
      value =
        frame.seen === undefined ? this.#nextItem(frame, value) : this.#nextField(frame, value)
    }
    this.#skipSpace()
    if (this.#at < this.#text.length) throw this.#unexpected('after top-level value')
    return { value: value as JsonValue, duplicateFields: [...this.#duplicates] }
  }

  /** Reads a scalar, or opens a container and returns undefined. */
  #open(): JsonValue | undefined {
    this.#skipSpace()
    const char = this.#text[this.#at]
    if (char === '{' || char === '[') {
      if (this.#stack.length >= depthMax) throw new JsonSyntaxError('exceeded max depth')
      this.#at++
      this.#stack.push(
        char === '{'
          ? { container: {}, seen: new Set(), key: '' }
          : { container: [], seen: undefined, key: -1 },
      )
      return undefined
    }
    if (char === '"') return this.#string()
    if (char === 't') return this.#literal('true', true)
    if (char === 'f') return this.#literal('false', false)
    if (char === 'n') return this.#literal('null', null)
    if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) return this.#number()
    throw this.#unexpected('looking for beginning of value')
  }

  #store(frame: Frame, value: JsonValue): void {
    if (frame.seen === undefined) frame.container.push(value)
    else if (this.#mergesRepeated && Object.hasOwn(frame.container, frame.key)) {
      setOwn(frame.container, frame.key, merged(frame.container[frame.key] as JsonValue, value))
    } else setOwn(frame.container, frame.key, value)
  }

  #close(frame: Frame): JsonValue {
    this.#stack.pop()
    this.#at++
    return frame.container
  }

  #nextItem(frame: ListFrame, previous: JsonValue | undefined): JsonValue | undefined {
    this.#skipSpace()
    const char = this.#text[this.#at]
    if (char === ']' && (previous !== undefined || frame.key === -1)) return this.#close(frame)
    if (previous !== undefined) {
      if (char !== ',') throw this.#unexpected('after array element')
      this.#at++
    }
    frame.key++
    return this.#open()
  }

  #nextField(frame: ObjectFrame, previous: JsonValue | undefined): JsonValue | undefined {
    this.#skipSpace()
    if (this.#text[this.#at] === '}') return this.#close(frame)
    if (previous !== undefined) {
      if (this.#text[this.#at] !== ',') throw this.#unexpected('after object key:value pair')
      this.#at++
      this.#skipSpace()
    }
    if (this.#text[this.#at] !== '"') {
      throw this.#unexpected('looking for beginning of object key string')
    }
    frame.key = this.#string()
    this.#skipSpace()
    if (this.#text[this.#at] !== ':') throw this.#unexpected('after object key')
    this.#at++
    const isRepeated = frame.seen.has(frame.key)
    if (isRepeated && this.#duplicates.size < duplicatesMax) this.#duplicates.add(this.#path())
    frame.seen.add(frame.key)
    this.#onField?.(this.#path(), isRepeated)
    return this.#open()
  }

  #path(): string {
    let path = ''
    for (const { key } of this.#stack) {
      if (typeof key === 'number') path += `[${key}]`
      else path += path === '' ? key : `.${key}`
    }
    return path
  }

  #number(): number | bigint {
    numberPattern.lastIndex = this.#at
    const text = numberPattern.exec(this.#text)?.[0] ?? ''
    const end = this.#at + text.length
    const next = this.#text[end]
    // The position where a number ends decides how Go names the missing part.
    if (text === '') this.#failNumber(this.#at + 1, 'in numeric literal')
    if (next === '.' && !/[.eE]/.test(text)) {
      this.#failNumber(end + 1, 'after decimal point in numeric literal')
    }
    if ((next === 'e' || next === 'E') && !/[eE]/.test(text)) {
      const sign = /[+-]/.test(this.#text[end + 1] ?? '') ? 1 : 0
      this.#failNumber(end + 1 + sign, 'in exponent of numeric literal')
    }
    this.#at = end
    return this.#numberValue(text)
  }

  #failNumber(at: number, context: string): never {
    this.#at = at
    throw this.#unexpectedInside(context)
  }

  #numberValue(text: string): number | bigint {
    const value = Number(text)
    if (/^-?\d+$/.test(text)) {
      if (Number.isSafeInteger(value)) return value === 0 ? 0 : value
      const exact = BigInt(text)
      if (exact >= minInt64 && exact <= maxInt64) return exact
    }
    if (!Number.isFinite(value)) {
      throw new JsonSyntaxError(
        `json: cannot unmarshal number ${text} into Go value of type float64`,
      )
    }
    const frame = this.#stack.at(-1)
    if (frame !== undefined && String(value) !== text) {
      rememberNumberText(frame.container, frame.key, text)
    }
    return value
  }

  #literal<T extends JsonValue>(word: string, value: T): T {
    for (let index = 1; index < word.length; index++) {
      this.#at++
      if (this.#text[this.#at] !== word[index]) {
        throw this.#unexpectedInside(`in literal ${word} (expecting '${word[index] ?? ''}')`)
      }
    }
    this.#at++
    return value
  }

  #string(): string {
    this.#at++
    let result = ''
    for (;;) {
      plainText.lastIndex = this.#at
      const plain = plainText.exec(this.#text)?.[0] ?? ''
      result += plain
      this.#at += plain.length
      const char = this.#text[this.#at]
      if (char === '"') {
        this.#at++
        return result.replace(loneSurrogate, '\ufffd')
      }
      if (char !== '\\') throw this.#unexpected('in string literal')
      this.#at++
      result += this.#escape()
    }
  }

  #escape(): string {
    const char = this.#text[this.#at] ?? ''
    if (char === 'u') {
      let code = 0
      for (let index = 0; index < 4; index++) {
        this.#at++
        const digit = Number.parseInt(this.#text[this.#at] ?? '', 16)
        if (Number.isNaN(digit)) throw this.#unexpectedInside('in \\u hexadecimal character escape')
        code = code * 16 + digit
      }
      this.#at++
      return String.fromCharCode(code)
    }
    const plain = Object.hasOwn(escapes, char) ? escapes[char] : undefined
    if (plain === undefined) throw this.#unexpectedInside('in string escape code')
    this.#at++
    return plain
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return
      this.#at++
    }
  }

  #unexpected(context: string): JsonSyntaxError {
    const point = this.#text.codePointAt(this.#at)
    return point === undefined ? unexpectedEnd() : unexpectedCharacter(point, context)
  }

  /** Inside a word or a number Go treats the end of the text as a space. */
  #unexpectedInside(context: string): JsonSyntaxError {
    return unexpectedCharacter(this.#text.codePointAt(this.#at) ?? 0x20, context)
  }
}
