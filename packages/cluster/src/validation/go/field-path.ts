import {
  fieldError,
  goJson,
  type FieldError,
  type FieldErrorType,
  type JsonValue,
} from 'setpoint/schema'

/**
 * A field of the validated object, which collects its errors. Places are cheap: the text of a path
 * is built only for an error.
 */
export class FieldPath {
  readonly #errors: FieldError[]
  readonly #parent: FieldPath | undefined
  readonly #segment: string

  private constructor(errors: FieldError[], parent?: FieldPath, segment = '') {
    this.#errors = errors
    this.#parent = parent
    this.#segment = segment
  }

  /** The whole object; its errors are added to the list. */
  static root(errors: FieldError[]): FieldPath {
    return new FieldPath(errors)
  }

  /** A field of this object. Names may contain dots where the server's paths do. */
  child(...names: readonly string[]): FieldPath {
    return this.#step(`.${names.join('.')}`)
  }

  /** An item of this list. */
  index(index: number): FieldPath {
    return this.#step(`[${index}]`)
  }

  /** An entry of this map. */
  key(key: string): FieldPath {
    return this.#step(`[${key}]`)
  }

  /** A place without a name, for errors about no particular field. */
  unnamed(): FieldPath {
    return this.#step('[]')
  }

  #step(segment: string): FieldPath {
    return new FieldPath(this.#errors, this, segment)
  }

  /** The path as the server prints it. */
  get path(): string {
    const above = this.#parent?.path ?? ''
    return above === '' && this.#segment.startsWith('.')
      ? this.#segment.slice(1)
      : above + this.#segment
  }

  /** A place with the same path whose errors are not reported, for checks of the old object. */
  silent(errors: FieldError[] = []): FieldPath {
    return new FieldPath(errors, this, '')
  }

  /** Runs checks and returns whether they found an error, anywhere in the object. */
  collects(check: (place: FieldPath) => void): boolean {
    const before = this.#errors.length
    check(this)
    return this.#errors.length > before
  }

  /** Adds errors that were found elsewhere. */
  add(errors: readonly FieldError[]): void {
    this.#errors.push(...errors)
  }

  /** A malformed or out-of-range value; a missing one prints as `null`. */
  invalid(value: unknown, detail: string): void {
    this.#errors.push(fieldError.invalid(this.path, asJson(value), detail))
  }

  /** Like `invalid`, for a text of a named Go type, which is printed as JSON. */
  invalidNamed(text: string, detail: string): void {
    this.invalidPrinted(goJson(text), detail)
  }

  /** One error per detail, all about the same value. */
  invalidEach(value: unknown, details: readonly string[]): void {
    for (const detail of details) this.invalid(value, detail)
  }

  /** Like `invalidEach`, for a text of a named Go type. */
  invalidNamedEach(text: string, details: readonly string[]): void {
    for (const detail of details) this.invalidNamed(text, detail)
  }

  /** Like `invalid`, for a value that Go prints in its own form. */
  invalidPrinted(printed: string, detail: string): void {
    if (detail === '') this.#printed('FieldValueInvalid', printed)
    else this.#errors.push(fieldError.invalidPrinted(this.path, printed, detail))
  }

  /** An invalid value that the message does not repeat. */
  invalidOmitted(detail: string): void {
    this.#printed('FieldValueInvalid', detail)
  }

  required(detail = ''): void {
    this.#errors.push(fieldError.required(this.path, detail))
  }

  forbidden(detail: string): void {
    this.#errors.push(fieldError.forbidden(this.path, detail))
  }

  duplicate(value: unknown): void {
    this.#errors.push(fieldError.duplicate(this.path, asJson(value)))
  }

  /** A duplicate that Go prints in its own form, with an optional explanation. */
  duplicatePrinted(printed: string, detail?: string): void {
    const rest = detail === undefined ? printed : `${printed}: ${detail}`
    this.#printed('FieldValueDuplicate', rest)
  }

  /** A value that is not one of an enumeration. Texts of named Go types are printed as JSON. */
  notSupported(value: unknown, supported: readonly string[]): void {
    if (typeof value === 'string') this.notSupportedPrinted(goJson(value), supported)
    else this.#errors.push(fieldError.notSupported(this.path, asJson(value), supported))
  }

  /** Like `notSupported`, for a field that is a plain string in Go. */
  notSupportedText(text: string, supported: readonly string[]): void {
    this.#errors.push(fieldError.notSupported(this.path, text, supported))
  }

  /** An unsupported struct, which Go prints in its own form. */
  notSupportedPrinted(printed: string, supported: readonly string[]): void {
    const { detail } = fieldError.notSupported(this.path, '', supported)
    this.#printed('FieldValueNotSupported', `${printed}: ${detail}`)
  }

  tooLong(maximum: number): void {
    this.#errors.push(fieldError.tooLong(this.path, maximum))
  }

  tooMany(actual: number, maximum: number): void {
    this.#errors.push(fieldError.tooMany(this.path, actual, maximum))
  }

  /** A reference to a missing object, with an optional explanation. */
  notFound(value: unknown, detail?: string): void {
    const error = fieldError.notFound(this.path, asJson(value))
    this.#errors.push(
      detail === undefined ? error : { ...error, detail, message: `${error.message}: ${detail}` },
    )
  }

  internal(detail: string): void {
    this.#errors.push(fieldError.internal(this.path, detail))
  }

  #printed(type: FieldErrorType, rest: string): void {
    this.#errors.push(fieldError.printed(type, this.path, rest))
  }
}

/** Values are from decoded objects, which contain only JSON; a missing one is Go's nil. */
function asJson(value: unknown): JsonValue {
  return (value ?? null) as JsonValue
}
