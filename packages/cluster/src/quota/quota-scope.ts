import type { Frozen } from 'setpoint'
import type { ResourceQuotaSpec } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import type { Counter } from './counter.ts'

/** Whether a quota is about an object: it must meet every scope. What knows no scopes meets none. */
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
