import type { PodView } from '../behaviour/index.ts'

/**
 * The nodes that a pod names, if it can only run on named nodes, as pods of DaemonSets. Other nodes
 * are not filtered further. An empty set means that the terms contradict each other.
 */
export function affinityNodes({ spec }: PodView): ReadonlySet<string> | undefined {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const terms = required?.nodeSelectorTerms ?? []
  if (terms.length === 0) return undefined
  const names = new Set<string>()
  for (const { matchFields = [] } of terms) {
    const lists = matchFields
      .filter(({ key, operator }) => key === 'metadata.name' && operator === 'In')
      .map(({ values = [] }) => values)
    const [first, ...others] = lists
    if (first === undefined) return undefined
    for (const name of first) if (others.every((list) => list.includes(name))) names.add(name)
  }
  return names
}
