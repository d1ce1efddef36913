import { type AnyOperator, type Kind, type PolicyRule, rbacFor } from 'setpoint'

/** What operators may do: everywhere, and in single namespaces. */
interface OperatorRights {
  readonly everywhere: readonly PolicyRule[]
  /** By the name of the namespace, sorted. */
  readonly within: ReadonlyMap<string, readonly PolicyRule[]>
}

/**
 * The rights that operators need, no wider than where they work: an operator that is restricted to namespaces, by the
 * project (`watch`) or by its own option, has rights in those only, and everywhere on kinds that have no namespace.
 * Whoever has rights everywhere may also read the definitions of the operators.
 */
export function operatorRights(
  operators: readonly AnyOperator[],
  watch: readonly string[] | undefined,
): OperatorRights {
  const scoped = operators.map((operator) => ({ operator, names: watch ?? namesOf(operator) }))
  const free = scoped.filter(({ names }) => names === undefined).map(({ operator }) => operator)
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
    ...rbacFor(free),
    ...rbacFor(bound.map(({ operator }) => operator)).filter(isClusterWide),
  ])
  return {
    everywhere: everywhere.length === 0 ? [] : merged([...everywhere, ...onDefinitions(operators)]),
    within: new Map(within),
  }
}

/**
 * Reading their own definitions, which is compared with what is installed. It is worth a line of a ClusterRole, but not a
 * ClusterRole: operators that work in single namespaces do without.
 */
function onDefinitions(operators: readonly AnyOperator[]): PolicyRule[] {
  const rules = rbacFor(operators, { comparesCrds: true })
  return rules.filter(({ resourceNames }) => resourceNames !== undefined)
}

/** The namespaces an operator is restricted to by name; those it finds by labels or in a set may be any. */
function namesOf({ declaration }: AnyOperator): readonly string[] | undefined {
  const { namespaces } = declaration.options
  return Array.isArray(namespaces) ? (namespaces as readonly string[]) : undefined
}

function boundTo({ declaration }: AnyOperator, namespaces: readonly string[]): AnyOperator {
  return { declaration: { ...declaration, options: { ...declaration.options, namespaces } } }
}

/** What no Role can give rights on. */
function clusterResources(operators: readonly AnyOperator[]): ReadonlySet<string> {
  const names = operators.flatMap(({ declaration }) => {
    const { kind, children, owns, writes, watches } = declaration
    const kinds: readonly Kind[] = [
      ...[kind, ...owns, ...writes],
      ...[...children, ...watches].map((each) => each.kind),
    ]
    const found = kinds
      .filter(({ scope }) => scope === 'Cluster')
      .map(({ group, plural }) => resourceName(group, plural))
    // Events about objects without a namespace are in `default`, which is rarely one of those it works in.
    return kind.scope === 'Cluster' ? [...found, resourceName('', 'events')] : found
  })
  return new Set(names)
}

/** The name of a resource in its group, also of its subresources. */
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
