import type { StoredMessage } from '../../protobuf/stored-message.ts'
import type { Key } from '../key.ts'

/** What is known of a stored object without parsing it. */
export interface ObjectIdentity {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
}

/** One object at one revision, kept as bytes. It never changes; a newer revision is another entry. */
export interface Entry extends ObjectIdentity {
  readonly key: Key
  /** The object itself, parsed when it is asked for. Do not change it: it is shared. */
  readonly object: unknown
  /** Its bytes, but for `managedFields`; `undefined` unless it is kept as it came, in protobuf. */
  readonly message: StoredMessage | undefined
}
