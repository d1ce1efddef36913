/** One object at one revision. It is immutable; a write creates another one. */
export interface StoredObject {
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string
  readonly revision: number
  /**
   * The object as JSON, without its `apiVersion` and `kind` and without the opening brace, so that
   * a reader can prepend the requested version without parsing.
   */
  readonly text: string
  /** Stored in addition to the text, for label selectors. */
  readonly labels: Readonly<Record<string, string>> | undefined
  /** The schema that it was written with. A reader with another schema has to update the object. */
  readonly schemaTag: string
}

/** A change of the stored state. */
export interface StoredChange {
  readonly revision: number
  readonly type: 'created' | 'changed' | 'deleted'
  /** `GROUP/PLURAL`; the group of core kinds is empty. */
  readonly bucket: string
  /** The state after it; for a deletion the last state with the deletion's revision. */
  readonly current: StoredObject
  readonly previous: StoredObject | undefined
}

/** One entry of the log. */
export interface StoreEvent extends StoredChange {
  /** When it was written, for compaction by age. */
  readonly timeMs: number
  /**
   * Values that readers derive from the event (the bytes of a watch line), shared by all readers.
   */
  readonly derived: Map<string, unknown>
}
