import { containerAmounts, type Amounts, type PodResources } from '../../object/index.ts'

/** The resources of a whole pod. Pod-level resources replace those of its containers. */
export function podAmounts(pod: PodResources, kind: 'requests' | 'limits'): Amounts {
  const amounts = containerAmounts(pod, kind)
  for (const name of ['cpu', 'memory']) {
    const own = pod.resources?.[kind]?.[name]
    if (own !== undefined) amounts.set(name, own)
  }
  return Object.fromEntries(amounts)
}
