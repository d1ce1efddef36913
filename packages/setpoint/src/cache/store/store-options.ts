import type { Kind } from '../../kinds/kind.ts'

/** How a store treats its objects. */
export interface StoreOptions {
  /** Freezes objects deeply, so that code that changes them fails immediately: for tests. */
  readonly freeze?: boolean | undefined
  /** Changes an object before it is kept, to save memory. It must be a pure function. */
  readonly transform?: ((object: unknown) => unknown) | undefined
}

/** Called when a transform throws. It must not throw. */
export type TransformFault = (kind: Kind, object: string, error: unknown) => void
