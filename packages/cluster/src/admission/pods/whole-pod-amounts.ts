import { containerAmounts, type Amounts, type PodResources } from '../../object/index.ts'

/** What a pod takes as a whole. What it says about itself counts more than what its containers say. */
export function podAmounts(pod: PodResources, kind: 'requests' | 'limits'): Amounts {
  const amounts = containerAmounts(pod, kind)
  for (const name of ['cpu', 'memory']) {
    const own = pod.resources?.[kind]?.[name]
    if (own !== undefined) amounts.set(name, own)
  }
  return Object.fromEntries(amounts)
}
