import type { Change, Entry } from '../cache/index.ts'
import { changedFields } from './changed-fields.ts'

/** Why a key is reconciled. */
export type Reason = ChangeReason | TimedReason

/** An object changed. */
export class ChangeReason {
  readonly cause = 'change'
  /** The kind of the object that changed. */
  readonly kind: string
  readonly key: string
  readonly change: Change['type']
  readonly resourceVersion: string
  /** When this process received the change, as epoch milliseconds. */
  readonly seenMs: number
  readonly #current: Entry
  readonly #previous: Entry | undefined
  #fields: readonly string[] | undefined

  constructor(kind: string, { type, key, current, previous }: Change, seenMs: number) {
    this.kind = kind
    this.seenMs = seenMs
    this.key = key
    this.change = type
    this.resourceVersion = current.resourceVersion
    this.#current = current
    this.#previous = previous
  }

  /**
   * The fields that differ from the state before, for example `spec.replicas`; empty for other
   * changes.
   */
  get fields(): readonly string[] {
    if (this.change !== 'changed' || this.#previous === undefined) return []
    this.#fields ??= changedFields(this.#previous.object, this.#current.object)
    return this.#fields
  }

  toString(): string {
    const fields = this.fields.length === 0 ? '' : ` (${this.fields.join(', ')})`
    return `${this.kind} ${this.key} ${this.change}${fields}`
  }
}

/** A delay has passed, or an event outside the cluster triggered it. */
export class TimedReason {
  readonly cause: 'recheck' | 'retry' | 'external'
  readonly #text: string

  constructor(cause: TimedReason['cause'], text: string) {
    this.cause = cause
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}
