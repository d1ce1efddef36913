import type { Key } from '../../cache/index.ts'

/**
 * The failures of all operators of this process that serve one resource, by object. The operators
 * share its Ready condition. Each one reports the failures of all, because otherwise they would
 * overwrite each other without end.
 */
export class SharedFailures {
  /**
   * The operators of the resource, each with a function that returns whether it serves an object.
   */
  readonly #operators = new Map<string, (key: Key) => boolean>()
  /** The failure of each operator's last reconcile, or `undefined` if that succeeded. */
  readonly #known = new Map<Key, Map<string, string | undefined>>()

  join(operator: string, serves: (key: Key) => boolean): void {
    this.#operators.set(operator, serves)
  }

  /** Whether only one operator serves the resource. */
  get isOnlyOperator(): boolean {
    return this.#operators.size === 1
  }

  /** Records the result of an operator's reconcile. */
  record(key: Key, operator: string, failure: string | undefined): void {
    if (this.isOnlyOperator) return
    const known = this.#known.get(key) ?? new Map<string, string | undefined>()
    this.#known.set(key, known.set(operator, failure))
  }

  /** The failures of all operators, with the current one of this operator. */
  allFailures(key: Key, operator: string, failure: string | undefined): string | undefined {
    if (this.isOnlyOperator) return failure
    const known = this.#known.get(key)
    const all = [...this.#operators.keys()].flatMap(
      (name) => (name === operator ? failure : known?.get(name)) ?? [],
    )
    return all.length === 0 ? undefined : all.join('; ')
  }

  /** Whether every operator that serves an object has reconciled it. */
  areKnown(key: Key): boolean {
    const known = this.#known.get(key)
    return [...this.#operators].every(([name, serves]) => known?.has(name) === true || !serves(key))
  }

  /** Forgets the result of an operator that no longer serves an object. */
  forget(key: Key, operator: string): void {
    const known = this.#known.get(key)
    known?.delete(operator)
    if (known?.size === 0) this.#known.delete(key)
  }
}
