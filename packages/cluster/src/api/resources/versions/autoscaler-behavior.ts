import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/**
 * The behavior of an autoscaler in its v1 annotation, with the field names of Go's internal struct.
 */
export function oldBehavior(behavior: JsonObject): JsonObject {
  return {
    ScaleUp: oldRules(behavior['scaleUp']),
    ScaleDown: oldRules(behavior['scaleDown']),
  }
}

function oldRules(rules: JsonValue | undefined): JsonValue {
  if (!isJsonObject(rules)) return null
  const { stabilizationWindowSeconds, selectPolicy, policies, tolerance } = rules
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies: Array.isArray(policies) ? policies.filter(isJsonObject).map(oldPolicy) : null,
    Tolerance: tolerance ?? null,
  }
}

function oldPolicy({ type = '', value = 0, periodSeconds = 0 }: JsonObject): JsonObject {
  return { Type: type, Value: value, PeriodSeconds: periodSeconds }
}

/**
 * The reverse of `oldBehavior`; undefined when it is empty. Go reads field names
 * case-insensitively.
 */
export function newBehavior(value: JsonValue): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  const { scaleup, scaledown } = lowered(value)
  const behavior: JsonObject = {}
  if (isJsonObject(scaleup)) behavior['scaleUp'] = newRules(scaleup)
  if (isJsonObject(scaledown)) behavior['scaleDown'] = newRules(scaledown)
  return Object.keys(behavior).length === 0 ? undefined : behavior
}

function newRules(rules: JsonObject): JsonObject {
  const { stabilizationwindowseconds, selectpolicy, policies, tolerance } = lowered(rules)
  return withoutEmpty({
    stabilizationWindowSeconds: stabilizationwindowseconds,
    selectPolicy: selectpolicy,
    policies: Array.isArray(policies) ? policies.filter(isJsonObject).map(newPolicy) : undefined,
    tolerance,
  })
}

function newPolicy(policy: JsonObject): JsonObject {
  const { type = '', value = 0, periodseconds = 0 } = lowered(policy)
  return { type, value, periodSeconds: periodseconds }
}

function lowered(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

function withoutEmpty(object: Record<string, JsonValue | undefined>): JsonObject {
  const entries = Object.entries(object).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[1] !== null,
  )
  return Object.fromEntries(entries)
}
