import type { InferResource, Kind } from '../../kinds/kind.ts'
import type { Frozen } from './operator-types.ts'

/** A change of a watched object. */
export interface WatchedChange<K extends Kind> {
  /** `deselected`: it still exists, but no longer matches the selector or the namespaces. */
  readonly type: 'added' | 'changed' | 'removed' | 'deselected'
  /** The object; for `removed` and `deselected` its last known state. */
  readonly object: Frozen<InferResource<K>>
  /** The state before the change, if it is known. */
  readonly old: Frozen<InferResource<K>> | undefined
}

/** Options of `.watch`. */
export interface WatchOptions<K extends Kind> {
  /** A change for which it returns false enqueues nothing. It must be a pure function. */
  readonly filter?: (change: WatchedChange<K>) => boolean
  /** Only objects with these labels. The server applies it. */
  readonly labelSelector?: string | Readonly<Record<string, string>>
  /** Only objects with these fields. The server applies it, and allows few fields per kind. */
  readonly fieldSelector?: string | Readonly<Record<string, string>>
  /**
   * Returns the part of an object that the cache keeps, to save memory: `({ data, ...rest }) =>
   * rest`. All functions of the operator get this part, unless the kind is also declared without
   * it. It must be a pure function; the same function is called once for all operators.
   */
  readonly transform?: (object: Frozen<InferResource<K>>) => Frozen<InferResource<K>>
}
