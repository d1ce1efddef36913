import type { AccessAttributes } from './authorizer.ts'
import type { PolicyRule } from './policy-rule.ts'

/** Whether a rule allows a request. */
export function ruleAllows(rule: PolicyRule, requested: AccessAttributes): boolean {
  if (!matches(rule.verbs, requested.verb)) return false
  if (!requested.isResource) return pathAllowed(rule.nonResourceURLs ?? [], requested.path)
  return (
    matches(rule.apiGroups ?? [], requested.group) &&
    resourceAllowed(rule.resources ?? [], requested) &&
    nameAllowed(rule.resourceNames ?? [], requested.name)
  )
}

function matches(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value)
}

function resourceAllowed(
  resources: readonly string[],
  { resource, subresource }: AccessAttributes,
): boolean {
  const full = subresource === '' ? resource : `${resource}/${subresource}`
  if (matches(resources, full)) return true
  return subresource !== '' && resources.includes(`*/${subresource}`)
}

function nameAllowed(names: readonly string[], name: string): boolean {
  return names.length === 0 || (name !== '' && names.includes(name))
}

function pathAllowed(patterns: readonly string[], path: string): boolean {
  return patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === path ||
      (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1))),
  )
}

/**
 * The parts of `desired` that `held` does not allow, one verb, group, resource and name each: the
 * check against privilege escalation.
 */
export function uncoveredRules(
  held: readonly PolicyRule[],
  desired: readonly PolicyRule[],
): PolicyRule[] {
  return desired.flatMap(splitRule).filter((part) => !held.some((rule) => covers(rule, part)))
}

/** Splits a rule into rules with one verb, group, resource and name each. */
function splitRule(rule: PolicyRule): PolicyRule[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb): PolicyRule | PolicyRule[] => {
        const part = { verbs: [verb], apiGroups: [group], resources: [resource] }
        if (resourceNames.length === 0) return part
        return resourceNames.map((name) => ({ ...part, resourceNames: [name] }))
      }),
    ),
  )
  const ofPaths = nonResourceURLs.flatMap((path) =>
    verbs.map((verb) => ({ verbs: [verb], nonResourceURLs: [path] })),
  )
  return [...ofResources, ...ofPaths]
}

/** Whether a rule allows a part that `splitRule` made. */
function covers(held: PolicyRule, part: PolicyRule): boolean {
  const hasAll = (have: readonly string[] = [], desired: readonly string[] = []): boolean =>
    have.includes('*') || desired.every((value) => have.includes(value))
  const heldNames = held.resourceNames ?? []
  const { resources = [], resourceNames, nonResourceURLs = [] } = part
  return (
    hasAll(held.verbs, part.verbs) &&
    hasAll(held.apiGroups, part.apiGroups) &&
    resources.every((resource) => resourceCovered(held.resources ?? [], resource)) &&
    nonResourceURLs.every((path) => pathCovered(held.nonResourceURLs ?? [], path)) &&
    (heldNames.length === 0 || (resourceNames?.every((name) => heldNames.includes(name)) ?? false))
  )
}

function resourceCovered(held: readonly string[], resource: string): boolean {
  if (held.includes('*') || held.includes(resource)) return true
  const slash = resource.indexOf('/')
  return slash !== -1 && held.includes(`*${resource.slice(slash)}`)
}

function pathCovered(held: readonly string[], path: string): boolean {
  return held.some(
    (one) => one === path || (one.endsWith('*') && path.startsWith(one.replace(/\*+$/, ''))),
  )
}
