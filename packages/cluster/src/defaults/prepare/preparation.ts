import type { JsonObject } from 'setpoint/schema'

/** A new object about to be stored. */
export interface NewObject {
  readonly object: JsonObject
  /** RFC 3339 in seconds; without it, times the server would set stay unset (or are the creation's). */
  readonly now?: string
  /** Who asks; only requests for certificates record it. */
  readonly user?: RequestingUser
  /** Tells the writer what cannot be seen any more once the object is prepared. */
  readonly warn?: (text: string) => void
}

/** The user of a request. */
export interface RequestingUser {
  readonly username: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** An object about to replace another one. */
export interface ChangedObject extends NewObject {
  readonly old: JsonObject
}

/** How the server itself has a hand in the objects of a kind; everything is optional. */
export interface Preparation {
  /**
   * The status belongs to the status endpoint. `wiped`: a new object has none, an update of the object
   * itself keeps the old one. `kept`: a new object may bring one.
   */
  readonly status?: 'wiped' | 'kept'
  /** What the status is after it was wiped, if not what Go prints for an empty one. */
  readonly emptyStatus?: (created: NewObject) => JsonObject
  /** New objects get generation 1. */
  readonly startsGeneration?: true
  /** Paths below the object; a change in one of them raises the generation. */
  readonly generationOf?: readonly (readonly string[])[]
  /** Parts of metadata that a write of the status does not change. */
  readonly metadataKeptByStatus?: readonly string[]
  readonly onCreate?: (created: NewObject) => void
  readonly onUpdate?: (changed: ChangedObject) => void
  readonly onStatusUpdate?: (changed: ChangedObject) => void
  /** Writes to other subresources, by their names; they do not go through the other steps. */
  readonly subresources?: Readonly<Record<string, (changed: ChangedObject) => void>>
}
