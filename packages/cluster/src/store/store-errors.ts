/** A write that expected another revision than the stored one. */
export class RevisionConflictError extends Error {
  /** The stored revision; 0 if the object does not exist. */
  readonly stored: number

  constructor(stored: number) {
    super(`the stored revision is ${stored}`)
    this.name = 'RevisionConflictError'
    this.stored = stored
  }
}

/** The history before a revision was compacted. */
export class CompactedError extends Error {
  /** The oldest revision that can still be read or watched from. */
  readonly oldest: number

  constructor(oldest: number) {
    super(`history starts at revision ${oldest}`)
    this.name = 'CompactedError'
    this.oldest = oldest
  }
}
