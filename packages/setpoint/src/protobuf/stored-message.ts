/** Where a message lies in a buffer. */
export interface Span {
  readonly offset: number
  readonly length: number
}

/** A message, and the buffer it lies in. */
export interface StoredMessage extends Span {
  readonly bytes: Buffer
}
