import { hasFields, jsonEquals } from '../schema/json-value.ts'

/** One difference between two states. */
export interface DiffEntry {
  readonly op: 'add' | 'change' | 'remove'
  /** The path of the changed field; empty for the whole value. */
  readonly path: readonly string[]
  readonly old: unknown
  readonly new: unknown
}

/** All differences between two states, in the order of the fields. */
export type Diff = readonly DiffEntry[]

/**
 * The changes that turn the old value into the new one. It descends while both have fields; lists
 * are compared as a whole, because an index does not identify an item. `undefined` means that there
 * is no value.
 */
export function diffOf(before: unknown, after: unknown): Diff {
  const found: DiffEntry[] = []
  const visit = (path: readonly string[], left: unknown, right: unknown): void => {
    if (hasFields(left) && hasFields(right)) {
      for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
        visit([...path, name], ownValue(left, name), ownValue(right, name))
      }
    } else if (!jsonEquals(left, right)) {
      const op = left === undefined ? 'add' : right === undefined ? 'remove' : 'change'
      found.push({ op, path, old: left, new: right })
    }
  }
  visit([], before, after)
  return found
}

/** Inherited properties such as `constructor` do not count. */
function ownValue(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
