/** The place of a message in a buffer. */
export interface Span {
  readonly offset: number
  readonly length: number
}

/** A message, and its buffer. */
export interface StoredMessage extends Span {
  readonly bytes: Buffer
}
