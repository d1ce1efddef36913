import type { StoredMetadata } from './metadata.ts'
import type { Kind } from './kind.ts'

/**
 * An object whose kind is chosen at run time: its metadata is typed, its other fields must be
 * checked before they are used.
 */
export interface DynamicObject {
  apiVersion: string
  kind: string
  metadata: Omit<StoredMetadata<'Namespaced'>, 'namespace'> & { namespace?: string }
  [field: string]: unknown
}

/**
 * A kind that is chosen at run time, for example by a reference in a spec. `ctx.kindOf` and
 * `client.kindOf` find it.
 */
export interface DynamicKind extends Kind<DynamicObject> {
  /** Distinguishes it from kinds that are declared, whose objects have types. */
  readonly isDynamic: true
}
