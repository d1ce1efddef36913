import type { JsonObject } from 'setpoint/schema'
import type { Quantities } from './quantities.ts'

/** A condition that makes a quota be about some objects only. */
export interface ScopeSelector {
  readonly scopeName?: string
  readonly operator?: string
  readonly values?: readonly string[]
}

/** A write of an object, as far as it can change what is used. */
interface CountedWrite {
  readonly operation: string
  readonly subresource: string
  readonly object: JsonObject
  readonly old?: JsonObject | undefined
}

/** How objects of one resource count. */
export interface Counter {
  /** Whether a write can change what is used. */
  counts(write: CountedWrite): boolean
  /** Whether a limit of this name is about the resource. */
  isAbout(name: string): boolean
  /** What an object uses. With a time, one that should be gone by then uses less. */
  usage(object: JsonObject, nowMs?: number): Quantities
  /** Whether a change of an object may have made its usage less, besides its being deleted. */
  frees?(old: JsonObject, object: JsonObject): boolean
  matchesScope?(object: JsonObject, selector: ScopeSelector): boolean
  /** What the object does not say although a quota limits it. */
  missing?(object: JsonObject, limited: readonly string[]): string | undefined
}

/** Whether the values of a selector fit the names an object has, of which there may be none. */
export function namesMatch(
  { operator, values = [] }: ScopeSelector,
  names: readonly string[],
): boolean {
  if (operator === 'Exists') return names.length > 0
  if (operator === 'DoesNotExist') return names.length === 0
  if (operator === 'In') return names.some((name) => values.includes(name))
  return names.length === 0 || names.some((name) => !values.includes(name))
}
