import type { JsonObject } from 'setpoint/schema'
import { policyPrograms, type PolicyPrograms } from 'setpoint/cel'
import type { BoundPolicy, CommonPolicySpec } from './bound-policy.ts'

/** Compiles the expressions of a policy when it is used for the first time. */
export function compiledOnce(): (policy: BoundPolicy<CommonPolicySpec>) => PolicyPrograms {
  const compiled = new WeakMap<JsonObject, PolicyPrograms>()
  return ({ object, spec }) => {
    const programs = compiled.get(object) ?? policyPrograms(spec)
    compiled.set(object, programs)
    return programs
  }
}
