import {
  fieldSetNode,
  fieldSetOf,
  isEmptySet,
  withoutSubtrees,
  type FieldSet,
} from './field-set.ts'
import { fieldElement, type PathElement } from './path-element.ts'

/**
 * The fields that a writer of an endpoint can own: all except some (`exclude`), or only some
 * (`include`, where `*` stands for any list item). Paths are field names.
 */
export type ResetFilter =
  | { readonly exclude: readonly (readonly string[])[] }
  | { readonly include: readonly (readonly string[])[] }

/**
 * The reset fields of an endpoint by apiVersion of the managers; other versions keep all fields.
 * Create it once per endpoint: filters are compiled once per object.
 */
export type ResetFields = Readonly<Record<string, ResetFilter>>

/** An endpoint that resets nothing. */
export const resetNothing: ResetFields = {}

const excluded = new WeakMap<ResetFilter, FieldSet>()

/** The set without the fields that the endpoint resets. */
export function filterFields(set: FieldSet, filter: ResetFilter | undefined): FieldSet {
  if (filter === undefined) return set
  if ('include' in filter) return onlyMatching(set, filter.include)
  let paths = excluded.get(filter)
  if (paths === undefined) {
    paths = fieldSetOf(filter.exclude.map((path) => path.map(fieldElement)))
    excluded.set(filter, paths)
  }
  return withoutSubtrees(set, paths)
}

function onlyMatching(set: FieldSet, patterns: readonly (readonly string[])[]): FieldSet {
  if (patterns.some((pattern) => pattern.length === 0)) return set
  const children = new Map<PathElement, FieldSet>()
  for (const [element, child] of set.children) {
    const below = patterns
      .filter(([first]) => first === '*' || fieldElement(first ?? '') === element)
      .map((pattern) => pattern.slice(1))
    if (below.length === 0) continue
    const kept = onlyMatching(child, below)
    if (!isEmptySet(kept)) children.set(element, kept)
  }
  return fieldSetNode(set.member, children)
}
