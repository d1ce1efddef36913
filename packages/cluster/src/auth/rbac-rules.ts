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
 * Whether rules together allow everything that `required` allows: the check against privilege
 * escalation.
 */
export function rulesCover(held: readonly PolicyRule[], required: PolicyRule): boolean {
  return splitRule(required).every((piece) => held.some((rule) => covers(rule, piece)))
}

/** Splits a rule into rules with one verb, group, resource and name each. */
function splitRule(rule: PolicyRule): PolicyRule[] {
  const pieces: PolicyRule[] = []
  for (const verb of rule.verbs) {
    for (const url of rule.nonResourceURLs ?? [])
      pieces.push({ verbs: [verb], nonResourceURLs: [url] })
    for (const group of rule.apiGroups ?? []) {
      for (const resource of rule.resources ?? []) {
        const base = { verbs: [verb], apiGroups: [group], resources: [resource] }
        const names = rule.resourceNames ?? []
        if (names.length === 0) pieces.push(base)
        else pieces.push(...names.map((name) => ({ ...base, resourceNames: [name] })))
      }
    }
  }
  return pieces
}

function covers(held: PolicyRule, piece: PolicyRule): boolean {
  const all = (have: readonly string[] = [], want: readonly string[] = []): boolean =>
    have.includes('*') || want.every((value) => have.includes(value))
  if (!all(held.verbs, piece.verbs)) return false
  if (piece.nonResourceURLs !== undefined) {
    const [url = ''] = piece.nonResourceURLs
    return (
      pathAllowed(held.nonResourceURLs ?? [], url) || (held.nonResourceURLs ?? []).includes(url)
    )
  }
  const [resource = ''] = piece.resources ?? []
  const subresource = resource.includes('/') ? resource.slice(resource.indexOf('/') + 1) : ''
  const hasResource =
    all(held.resources, piece.resources) ||
    (subresource !== '' && (held.resources ?? []).includes(`*/${subresource}`))
  const heldNames = held.resourceNames ?? []
  const hasNames =
    heldNames.length === 0 ||
    (piece.resourceNames !== undefined && all(heldNames, piece.resourceNames))
  return all(held.apiGroups, piece.apiGroups) && hasResource && hasNames
}
