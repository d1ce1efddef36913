/** Which events the client of a watch gets. */
import type { ObjectSelection } from '../objects/object-selection.ts'
import { keyOf, type ServedJson } from '../objects/served-objects.ts'

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/**
 * Follows which objects a client knows, so that one that the selector no longer selects is DELETED
 * for it.
 */
export class WatchSelection {
  readonly #selection: ObjectSelection
  /** The objects that the client knows; `undefined` if it has a list that is not known here. */
  readonly #known: Set<string> | undefined

  constructor(selection: ObjectSelection, initial: readonly ServedJson[] | undefined) {
    this.#selection = selection
    this.#known = initial && new Set(initial.map((one) => keyOf(one)))
  }

  /** The type of the event for the client; `undefined` if it gets none. */
  typeOf(type: EventType, object: ServedJson): EventType | undefined {
    const { isInScope, hasLabels, labelSelector } = this.#selection
    if (!isInScope(object)) return undefined
    if (labelSelector === '') return type
    const key = keyOf(object)
    const isKnown = this.#known?.has(key)
    if (type === 'DELETED' || !hasLabels(object)) {
      this.#known?.delete(key)
      return isKnown === false ? undefined : 'DELETED'
    }
    this.#known?.add(key)
    if (isKnown === undefined) return type
    return isKnown ? 'MODIFIED' : 'ADDED'
  }
}
