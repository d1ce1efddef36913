import { hasFields, jsonEquals } from '../schema/json-value.ts'

/** One difference between two states. */
export interface DiffEntry {
  readonly op: 'add' | 'change' | 'remove'
  /** The names of the fields that lead to it; empty for the whole value. */
  readonly path: readonly string[]
  readonly old: unknown
  readonly new: unknown
}

/** Everything that differs between two states, in the order of the fields. */
export type Diff = readonly DiffEntry[]

/**
 * What has to be done to the old value to make it the new one. It goes as deep as both have fields; lists are compared
 * as a whole, because an index does not tell which item is meant. `undefined` means that there is no value.
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

/** A field that every object inherits, such as `constructor`, is not there. */
function ownValue(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
