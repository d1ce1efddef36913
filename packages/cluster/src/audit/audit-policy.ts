/** How much of a request is logged, from nothing to everything. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const
export type AuditLevel = (typeof auditLevels)[number]

/** The steps of a request after which an event is written. */
export const auditStages = [
  'Panic',
  'RequestReceived',
  'ResponseComplete',
  'ResponseStarted',
] as const
export type AuditStage = (typeof auditStages)[number]

/** Resources that a rule is about. */
interface AuditedResources {
  /** Empty for the core group; `*` for all. */
  readonly group?: string
  /** All if there are none; `pods/*`, `*\/scale` and `*` are possible. */
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** A rule of an audit policy: the first one that matches a request counts. */
export interface AuditRule {
  readonly level: AuditLevel
  readonly users?: readonly string[]
  readonly userGroups?: readonly string[]
  readonly verbs?: readonly string[]
  readonly resources?: readonly AuditedResources[]
  readonly namespaces?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
  readonly omitStages?: readonly AuditStage[]
  readonly omitManagedFields?: boolean
}

/** An `audit.k8s.io/v1` Policy, as in the file of `--audit-policy-file`. */
export interface AuditPolicy {
  readonly apiVersion?: string
  readonly kind?: string
  readonly rules: readonly AuditRule[]
  readonly omitStages?: readonly AuditStage[]
  readonly omitManagedFields?: boolean
}

/** The metadata of all requests. */
export const metadataPolicy: AuditPolicy = { rules: [{ level: 'Metadata' }] }

/** What a policy says about a request. */
export interface AuditConfiguration {
  readonly level: AuditLevel
  readonly omitStages: ReadonlySet<AuditStage>
  readonly omitManagedFields: boolean
}

/** A request, as rules see it. */
export interface AuditedAttributes {
  readonly user: { readonly name: string; readonly groups: readonly string[] } | undefined
  readonly verb: string
  readonly isResource: boolean
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly path: string
}

/** The first rule that matches decides; without one nothing is logged. */
export function configurationFor(
  policy: AuditPolicy,
  attributes: AuditedAttributes,
): AuditConfiguration {
  const rule = policy.rules.find((each) => matches(each, attributes))
  return {
    level: rule?.level ?? 'None',
    omitStages: new Set([...(policy.omitStages ?? []), ...(rule?.omitStages ?? [])]),
    omitManagedFields: rule?.omitManagedFields ?? policy.omitManagedFields ?? false,
  }
}

function matches(rule: AuditRule, attributes: AuditedAttributes): boolean {
  const { users = [], userGroups = [], verbs = [], nonResourceURLs = [] } = rule
  const { user, verb, isResource, path } = attributes
  if (users.length > 0 && (user === undefined || !users.includes(user.name))) return false
  if (userGroups.length > 0 && !user?.groups.some((group) => userGroups.includes(group))) {
    return false
  }
  if (verbs.length > 0 && !verbs.includes(verb)) return false
  if ((rule.namespaces ?? []).length > 0 || (rule.resources ?? []).length > 0) {
    return isResource && matchesResource(rule, attributes)
  }
  if (nonResourceURLs.length === 0) return true
  return !isResource && nonResourceURLs.some((pattern) => matchesPath(path, pattern))
}

function matchesPath(path: string, pattern: string): boolean {
  if (pattern === '*' || pattern === path) return true
  return pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, ''))
}

function matchesResource(
  { namespaces = [], resources = [] }: AuditRule,
  { group, namespace, resource, subresource, name }: AuditedAttributes,
): boolean {
  if (namespaces.length > 0 && !namespaces.includes(namespace)) return false
  if (resources.length === 0) return true
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const fits = (pattern: string): boolean =>
    pattern === whole ||
    pattern === '*' ||
    (subresource !== '' && pattern === `*/${subresource}`) ||
    pattern === `${resource}/*`
  return resources.some(({ group: wanted = '', resources: patterns = [], resourceNames = [] }) => {
    if (wanted !== group && wanted !== '*') return false
    if (patterns.length === 0) return true
    if (resourceNames.length > 0 && !resourceNames.includes(name)) return false
    return patterns.some(fits)
  })
}
