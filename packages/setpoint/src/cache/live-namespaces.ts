/** A set of namespaces that may change while operators work in them. */
export class LiveNamespaces {
  #names: ReadonlySet<string> | undefined
  readonly #listeners = new Set<(names: ReadonlySet<string>) => void>()

  /** Without names the set is not known yet, and caches that use it wait. */
  constructor(names?: Iterable<string>) {
    this.#names = names === undefined ? undefined : new Set(names)
  }

  /** The namespaces; `undefined` until they are known. */
  get names(): ReadonlySet<string> | undefined {
    return this.#names
  }

  /**
   * Replaces the set: operators start to work in the new namespaces and stop in the missing ones.
   */
  set(names: Iterable<string>): void {
    this.#names = new Set(names)
    for (const listener of this.#listeners) listener(this.#names)
  }

  /**
   * Calls the listener with the current set, if it is known, and after each change. Returns a
   * function that unsubscribes.
   */
  subscribe(listener: (names: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener)
    if (this.#names !== undefined) listener(this.#names)
    return () => void this.#listeners.delete(listener)
  }
}
