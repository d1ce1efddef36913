import type { MatchRule } from './webhook.ts'

/** The request that a rule is compared with. */
interface RuledRequest {
  readonly operation: string
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly subresource: string
  /** Empty for objects without one; for a Namespace its own name. */
  readonly namespace: string
}

/** Whether a rule is about a request. */
export function matchesRule(rule: MatchRule, request: RuledRequest): boolean {
  return (
    matchesScope(rule, request) &&
    isAmong(rule.operations, request.operation) &&
    isAmong(rule.apiGroups, request.group) &&
    isAmong(rule.apiVersions, request.version) &&
    rule.resources.some((resource) => matchesResource(resource, request))
  )
}

function isAmong(items: readonly string[], requested: string): boolean {
  return items.includes('*') || items.includes(requested)
}

function matchesScope({ scope = '*' }: MatchRule, request: RuledRequest): boolean {
  if (scope === '*') return true
  const isNamespace = request.group === '' && request.plural === 'namespaces'
  const isNamespaced = !isNamespace && request.namespace !== ''
  return isNamespaced === (scope === 'Namespaced')
}

/** `pods`, `pods/status`, `pods/*`, `*` (no subresources) and `*` with a subresource. */
function matchesResource(resource: string, { plural, subresource }: RuledRequest): boolean {
  const slash = resource.indexOf('/')
  const name = slash < 0 ? resource : resource.slice(0, slash)
  const sub = slash < 0 ? '' : resource.slice(slash + 1)
  return (name === '*' || name === plural) && (sub === '*' || sub === subresource)
}
