/** An object that does not match its Go type; the message is Go's. */
export class TypedDecodeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TypedDecodeError'
  }
}

/** A value of the wrong JSON type, before its field is known. */
export interface TypeMismatch {
  /** `string`, `number`, `number 1.5`, `object`, ... */
  readonly given: string
  readonly goType: string
}
