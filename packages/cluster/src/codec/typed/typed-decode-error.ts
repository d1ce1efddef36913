/** An object that does not fit its Go type; the message is Go's. */
export class TypedDecodeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TypedDecodeError'
  }
}

/** A value of the wrong JSON type, before it is known which field it was meant for. */
export interface TypeMismatch {
  /** `string`, `number`, `number 1.5`, `object`, ... */
  readonly given: string
  readonly goType: string
}
