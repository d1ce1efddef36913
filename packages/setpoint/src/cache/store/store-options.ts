import type { Kind } from '../../kinds/kind.ts'

/** How a store treats what it keeps. */
export interface StoreOptions {
  /** Freeze objects deeply, so that a program that changes them fails at once: for tests. */
  readonly freeze?: boolean | undefined
  /** Changes an object before it is kept, to save memory. It must be a pure function. */
  readonly transform?: ((object: unknown) => unknown) | undefined
}

/** Told of a transform that threw. It must not throw. */
export type TransformFault = (kind: Kind, object: string, error: unknown) => void
