import type { Key } from '../../cache/index.ts'

/**
 * What the operators of a process that serve one resource failed with, object by object. They share its Ready condition:
 * each says in it what all of them failed with, or they would undo each other's words for ever.
 */
export class SharedFailures {
  /** Who serves the resource, and whether an object is among those it serves. */
  readonly #operators = new Map<string, (key: Key) => boolean>()
  /** What the last run of each came to. */
  readonly #known = new Map<Key, Map<string, string | undefined>>()

  join(operator: string, serves: (key: Key) => boolean): void {
    this.#operators.set(operator, serves)
  }

  /** Whether nobody else serves the resource. */
  get isAlone(): boolean {
    return this.#operators.size === 1
  }

  /** Notes what an operator failed with, if it did. Returns what all of them failed with. */
  note(key: Key, operator: string, failure: string | undefined): string | undefined {
    if (this.isAlone) return failure
    const known = this.#known.get(key) ?? new Map<string, string | undefined>()
    this.#known.set(key, known.set(operator, failure))
    const all = [...this.#operators.keys()].flatMap((name) => known.get(name) ?? [])
    return all.length === 0 ? undefined : all.join('; ')
  }

  /** Whether all that serve an object have looked at it. */
  isKnown(key: Key): boolean {
    const known = this.#known.get(key)
    return [...this.#operators].every(([name, serves]) => known?.has(name) === true || !serves(key))
  }

  /** An operator does not serve an object any more. */
  forget(key: Key, operator: string): void {
    const known = this.#known.get(key)
    known?.delete(operator)
    if (known?.size === 0) this.#known.delete(key)
  }
}
