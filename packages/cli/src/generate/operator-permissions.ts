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
 * what is outside them: cluster-scoped kinds, and kinds of children with `crossNamespace`. Operators
 * with cluster-wide rules may also read their own CRDs.
 */
export function operatorPermissions(
  operators: readonly AnyOperator[],
  watch: readonly string[] | undefined,
): OperatorRights {
  const everywhere: PolicyRule[] = []
  const within = new Map<string, PolicyRule[]>()
  for (const operator of operators) {
    const names = watch ?? namesOf(operator)
    if (names === undefined) everywhere.push(...rbacFor([operator]))
    else {
      const bound = boundTo(operator, names)
      const wide = wideResources(bound)
      const isWide = ({ apiGroups, resources }: PolicyRule): boolean =>
        wide.has(resourceName(apiGroups[0] ?? '', resources[0] ?? ''))
      const rules = rbacFor([bound])
      everywhere.push(...rules.filter(isWide))
      const narrow = rules.filter((rule) => !isWide(rule))
      for (const name of names) within.set(name, [...(within.get(name) ?? []), ...narrow])
    }
  }
  const byNamespace = [...within].sort(([left], [right]) => (left < right ? -1 : 1))
  return {
    everywhere: everywhere.length === 0 ? [] : merged([...everywhere, ...crdRules(operators)]),
    within: new Map(byNamespace.map(([name, rules]) => [name, merged(rules)])),
  }
}

/**
 * Rules to read their own CRDs, which operators compare with the installed ones. No ClusterRole is
 * created for these rules alone: operators that are restricted to namespaces do not compare.
 */
function crdRules(operators: readonly AnyOperator[]): PolicyRule[] {
  const rules = rbacFor(operators, { comparesCrds: true })
  return rules.filter(({ apiGroups }) => apiGroups.includes('apiextensions.k8s.io'))
}

/** The namespaces to which an operator is restricted by name; a selector or a set may match any. */
function namesOf({ declaration }: AnyOperator): readonly string[] | undefined {
  const { namespaces } = declaration.options
  return Array.isArray(namespaces) ? (namespaces as readonly string[]) : undefined
}

function boundTo({ declaration }: AnyOperator, namespaces: readonly string[]): AnyOperator {
  return { declaration: { ...declaration, options: { ...declaration.options, namespaces } } }
}

/**
 * The resources that need cluster-wide rules: a Role cannot have rules for cluster-scoped ones, and
 * children with `crossNamespace` are watched and written in all namespaces.
 */
function wideResources({ declaration }: AnyOperator): ReadonlySet<string> {
  const { kind, children, owns, writes, parts, watches } = declaration
  const kinds: readonly Kind[] = [
    kind,
    ...owns,
    ...writes,
    ...[...children, ...parts, ...watches].map((each) => each.kind),
  ]
  const anywhere = children.filter(({ crossNamespace }) => crossNamespace === true)
  const wide = kinds.filter(({ scope }) => scope === 'Cluster')
  const found = [...wide, ...anywhere.map((child) => child.kind)].map(({ group, plural }) =>
    resourceName(group, plural),
  )
  // Events about cluster-scoped objects are in `default`, which is rarely a watched namespace.
  return new Set(kind.scope === 'Cluster' ? [...found, resourceName('', 'events')] : found)
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
