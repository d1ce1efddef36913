/** How a store treats what it keeps. */
export interface StoreOptions {
  /** Freeze objects deeply, so that a program that changes them fails at once: for tests. */
  readonly freeze?: boolean | undefined
  /** Changes an object before it is kept, to save memory. It must be a pure function. */
  readonly transform?: ((object: unknown) => unknown) | undefined
}
