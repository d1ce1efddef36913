import type { StoredMessage } from '../../protobuf/stored-message.ts'
import type { Key } from '../key.ts'

/** The part of a stored object that is known without parsing it. */
export interface ObjectIdentity {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
}

/**
 * One object at one revision, stored as bytes. It never changes; a newer revision is another entry.
 */
export interface Entry extends ObjectIdentity {
  readonly key: Key
  /** The object itself, parsed on access. Do not change it: it is shared. */
  readonly object: unknown
  /**
   * The object's protobuf bytes without `managedFields`; `undefined` when it is not stored as
   * protobuf.
   */
  readonly message: StoredMessage | undefined
}
