import type { Frozen } from 'setpoint'
import type { ResourceQuotaSpec } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import type { Counter } from './counter.ts'

/**
 * Whether a quota applies to an object: it must match every scope. Resources without scopes match
 * none.
 */
export function isInScope(
  { scopes = [], scopeSelector }: Frozen<ResourceQuotaSpec>,
  counter: Counter,
  object: JsonObject,
): boolean {
  const selectors = [
    ...scopes.map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(scopeSelector?.matchExpressions ?? []),
  ]
  return selectors.every((selector) => counter.matchesScope?.(object, selector) === true)
}
