import type { JsonObject } from 'setpoint/schema'
import type { Quantities } from './quantities.ts'

/** Limits a quota to some objects. */
export interface ScopeSelector {
  readonly scopeName?: string
  readonly operator?: string
  readonly values?: readonly string[]
}

/** A write that may change the usage. */
interface CountedWrite {
  readonly operation: string
  readonly subresource: string
  readonly object: JsonObject
  readonly old?: JsonObject | undefined
}

/** How objects of one resource count. */
export interface Counter {
  /** Whether a write can change the usage. */
  counts(write: CountedWrite): boolean
  /** Whether a limit of this name applies to the resource. */
  isAbout(name: string): boolean
  /** The usage of an object. With a time, an object whose grace period is over uses less. */
  usage(object: JsonObject, nowMs?: number): Quantities
  /** Whether a change of an object may have reduced its usage, besides its deletion. */
  frees?(old: JsonObject, object: JsonObject): boolean
  matchesScope?(object: JsonObject, selector: ScopeSelector): boolean
  /** Reports resources that a quota limits and the object does not specify. */
  missing?(object: JsonObject, limited: readonly string[]): string | undefined
}

/** Whether a selector matches the names of an object, which may be none. */
export function namesMatch(
  { operator, values = [] }: ScopeSelector,
  names: readonly string[],
): boolean {
  if (operator === 'Exists') return names.length > 0
  if (operator === 'DoesNotExist') return names.length === 0
  if (operator === 'In') return names.some((name) => values.includes(name))
  return names.length === 0 || names.some((name) => !values.includes(name))
}
