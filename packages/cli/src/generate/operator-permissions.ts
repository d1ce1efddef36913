import { type AnyOperator, type Kind, type PolicyRule, rbacFor } from 'setpoint'

/** The RBAC rules of operators: cluster-wide, and by namespace. */
interface OperatorRights {
  readonly everywhere: readonly PolicyRule[]
  /** By namespace, sorted. */
  readonly within: ReadonlyMap<string, readonly PolicyRule[]>
}

/**
 * The RBAC rules that operators need. An operator that is restricted to namespaces, by the project
 * (`watch`) or by its own option, gets rules in these namespaces, and cluster-wide rules only for
 * cluster-scoped kinds. Operators with cluster-wide rules may also read their own CRDs.
 */
export function operatorPermissions(
  operators: readonly AnyOperator[],
  watch: readonly string[] | undefined,
): OperatorRights {
  const scoped = operators.map((operator) => ({ operator, names: watch ?? namesOf(operator) }))
  const unrestricted = scoped
    .filter(({ names }) => names === undefined)
    .map(({ operator }) => operator)
  const bound = scoped.flatMap(({ operator, names }) =>
    names === undefined ? [] : [{ operator: boundTo(operator, names), names }],
  )
  const withoutNamespace = clusterResources(bound.map(({ operator }) => operator))
  const isClusterWide = ({ apiGroups, resources }: PolicyRule): boolean =>
    withoutNamespace.has(resourceName(apiGroups[0] ?? '', resources[0] ?? ''))
  const namespaces = [...new Set(bound.flatMap(({ names }) => names))].sort()
  const within = namespaces.map((namespace) => {
    const here = bound.filter(({ names }) => names.includes(namespace))
    const rules = rbacFor(here.map(({ operator }) => operator))
    return [namespace, rules.filter((rule) => !isClusterWide(rule))] as const
  })
  const everywhere = merged([
    ...rbacFor(unrestricted),
    ...rbacFor(bound.map(({ operator }) => operator)).filter(isClusterWide),
  ])
  return {
    everywhere: everywhere.length === 0 ? [] : merged([...everywhere, ...crdRules(operators)]),
    within: new Map(within),
  }
}

/**
 * Rules to read their own CRDs, which operators compare with the installed ones. No ClusterRole is
 * created for these rules alone: operators that are restricted to namespaces do not compare.
 */
function crdRules(operators: readonly AnyOperator[]): PolicyRule[] {
  const rules = rbacFor(operators, { comparesCrds: true })
  return rules.filter(({ resourceNames }) => resourceNames !== undefined)
}

/** The namespaces to which an operator is restricted by name; a selector or a set may match any. */
function namesOf({ declaration }: AnyOperator): readonly string[] | undefined {
  const { namespaces } = declaration.options
  return Array.isArray(namespaces) ? (namespaces as readonly string[]) : undefined
}

function boundTo({ declaration }: AnyOperator, namespaces: readonly string[]): AnyOperator {
  return { declaration: { ...declaration, options: { ...declaration.options, namespaces } } }
}

/** The cluster-scoped resources, for which a Role cannot have rules. */
function clusterResources(operators: readonly AnyOperator[]): ReadonlySet<string> {
  const names = operators.flatMap(({ declaration }) => {
    const { kind, children, owns, writes, watches } = declaration
    const kinds: readonly Kind[] = [
      kind,
      ...owns,
      ...writes,
      ...[...children, ...watches].map((each) => each.kind),
    ]
    const found = kinds
      .filter(({ scope }) => scope === 'Cluster')
      .map(({ group, plural }) => resourceName(group, plural))
    // Events about cluster-scoped objects are in `default`, which is rarely a watched namespace.
    return kind.scope === 'Cluster' ? [...found, resourceName('', 'events')] : found
  })
  return new Set(names)
}

/** The name of a resource with its group, without a subresource. */
function resourceName(group: string, resource: string): string {
  return `${group} ${resource.split('/')[0] ?? ''}`
}

function merged(rules: readonly PolicyRule[]): PolicyRule[] {
  const verbs = new Map<string, { readonly rule: PolicyRule; readonly all: Set<string> }>()
  for (const rule of rules) {
    const { apiGroups, resources, resourceNames = [] } = rule
    const key = [apiGroups.join(), resources.join(), ...resourceNames].join(' ')
    const known = verbs.get(key) ?? { rule, all: new Set<string>() }
    for (const verb of rule.verbs) known.all.add(verb)
    verbs.set(key, known)
  }
  return [...verbs]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, { rule, all }]) => ({ ...rule, verbs: [...all].sort() }))
}
