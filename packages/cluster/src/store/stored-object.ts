/** One object at one revision. It never changes; a write makes another one. */
export interface StoredObject {
  /** `namespace/name`, or the bare name of a cluster-scoped object. */
  readonly key: string
  readonly revision: number
  /**
   * The object as JSON, without its `apiVersion` and `kind` and without the opening brace, so that
   * a reader can put the version it asked for in front without parsing.
   */
  readonly text: string
  /** Kept beside the text because selectors look at nothing else. */
  readonly labels: Readonly<Record<string, string>> | undefined
  /** Tells which schema it was written by; readers with another one must bring it up to date. */
  readonly schemaTag: string
}

/** One entry of the log. */
export interface StoreEvent {
  readonly revision: number
  readonly type: 'created' | 'changed' | 'deleted'
  readonly bucket: string
  /** The state after it; for a deletion the last state, stamped with the deletion's revision. */
  readonly current: StoredObject
  readonly previous: StoredObject | undefined
  /** When it was written, for compaction by age. */
  readonly timeMs: number
  /** What readers derived from the event (the bytes of a watch line), shared by all of them. */
  readonly derived: Map<string, unknown>
}
