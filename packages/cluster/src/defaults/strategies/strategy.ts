import type { JsonObject } from 'setpoint/schema'

/** A new object before it is stored. */
export interface NewObject {
  readonly object: JsonObject
  /**
   * RFC 3339 in seconds. Without it, times that the server sets are absent or the creation time.
   */
  readonly now?: string
  /** Makes the generated name of a limit range. */
  readonly newUid?: () => string
  /** The user of the request; only CertificateSigningRequests record it. */
  readonly user?: RequestingUser
  /** Adds a warning about fields that the preparation removes. */
  readonly warn?: (text: string) => void
}

/** The user of a request. */
export interface RequestingUser {
  readonly username: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** An object that is about to replace another one. */
export interface ChangedObject extends NewObject {
  readonly old: JsonObject
}

/** The registry strategy of a kind; everything is optional. */
export interface Strategy {
  /**
   * The status belongs to the status subresource. `wiped`: a new object has no status, and an
   * update keeps the old one. `kept`: a new object may have a status.
   */
  readonly status?: 'wiped' | 'kept'
  /** The status after it was wiped, if it differs from Go's empty struct. */
  readonly emptyStatus?: (created: NewObject) => JsonObject
  /** New objects get generation 1. */
  readonly startsGeneration?: true
  /** Paths in the object; a change in one of them increases the generation. */
  readonly generationOf?: readonly (readonly string[])[]
  /** An empty list counts as a change of a missing one. */
  readonly comparesStrictly?: true
  /** Disabled fields count as a change although they are dropped. */
  readonly countsDisabledFields?: true
  /** Fields of metadata that a write of the status cannot change. */
  readonly metadataKeptByStatus?: readonly string[]
  readonly onCreate?: (created: NewObject) => void
  readonly onUpdate?: (changed: ChangedObject) => void
  readonly onStatusUpdate?: (changed: ChangedObject) => void
  /** Writes of other subresources, by name; the other steps do not apply to them. */
  readonly subresources?: Readonly<Record<string, (changed: ChangedObject) => void>>
}
