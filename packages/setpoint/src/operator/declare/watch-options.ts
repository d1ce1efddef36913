import type { InferResource, Kind } from '../../kinds/kind.ts'
import type { Frozen } from './operator-types.ts'

/** A change of an object that an operator looks at. */
export interface WatchedChange<K extends Kind> {
  readonly type: 'added' | 'changed' | 'removed' | 'deselected'
  /** The object; for `removed` and `deselected` as it was last. */
  readonly object: Frozen<InferResource<K>>
  /** What it was before, if it is known. */
  readonly old: Frozen<InferResource<K>> | undefined
}

/** Which objects of a kind an operator looks at, and which of their changes concern it. */
export interface WatchOptions<K extends Kind> {
  /** Changes for which this is false concern nobody. It must be a pure function. */
  readonly filter?: (change: WatchedChange<K>) => boolean
  /** Only objects with these labels. */
  readonly labelSelector?: string | Readonly<Record<string, string>>
  /** Only objects with these fields; servers allow few. */
  readonly fieldSelector?: string | Readonly<Record<string, string>>
  /**
   * What is kept of an object, to save memory: `({ data, ...rest }) => rest`. It is what all functions of the operator get, unless the
   * kind is declared without it, too. It must be a pure function; the same one is worked out once for all operators.
   */
  readonly transform?: (object: Frozen<InferResource<K>>) => Frozen<InferResource<K>>
}
