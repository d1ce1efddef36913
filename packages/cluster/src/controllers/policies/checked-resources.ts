/** A rule of a policy. */
interface ResourceRule {
  readonly apiGroups?: readonly string[]
  readonly apiVersions?: readonly string[]
  readonly resources?: readonly string[]
}

/**
 * The resources that rules name: group, version and plural. A rule with a wildcard for the group or
 * the version names none, and wildcards and subresources are left out.
 */
export function checkedResources(
  rules: readonly ResourceRule[],
): [group: string, version: string, resource: string][] {
  return rules.flatMap(({ apiGroups = [], apiVersions = [], resources = [] }) => {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) return []
    const named = resources.filter((resource) => !/[*/]/.test(resource)).sort()
    return [...apiGroups]
      .sort()
      .flatMap((group) =>
        [...apiVersions]
          .sort()
          .flatMap((version) =>
            named.map((resource): [string, string, string] => [group, version, resource]),
          ),
      )
  })
}
