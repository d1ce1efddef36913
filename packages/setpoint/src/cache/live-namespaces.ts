/** Namespaces that may change while operators work in them. */
export class LiveNamespaces {
  #names: ReadonlySet<string> | undefined
  readonly #listeners = new Set<(names: ReadonlySet<string>) => void>()

  /** Without names, nothing is known yet: those who look at them wait. */
  constructor(names?: Iterable<string>) {
    this.#names = names === undefined ? undefined : new Set(names)
  }

  /** The namespaces, as far as they are known. */
  get names(): ReadonlySet<string> | undefined {
    return this.#names
  }

  /** Makes these the namespaces: work begins in new ones and ends in those that are left out. */
  set(names: Iterable<string>): void {
    this.#names = new Set(names)
    for (const listener of this.#listeners) listener(this.#names)
  }

  /** Hears of the namespaces, now and whenever they change. Returns the way to stop. */
  subscribe(listener: (names: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener)
    if (this.#names !== undefined) listener(this.#names)
    return () => void this.#listeners.delete(listener)
  }
}
