/** A write that expected another revision than the one that is stored. */
export class RevisionConflictError extends Error {
  /** The revision that is stored; 0 when there is no such object. */
  readonly stored: number

  constructor(stored: number) {
    super(`the stored revision is ${stored}`)
    this.name = 'RevisionConflictError'
    this.stored = stored
  }
}

/** The history before this point is gone. */
export class CompactedError extends Error {
  /** The oldest revision that can still be read or watched from. */
  readonly oldest: number

  constructor(oldest: number) {
    super(`history starts at revision ${oldest}`)
    this.name = 'CompactedError'
    this.oldest = oldest
  }
}
