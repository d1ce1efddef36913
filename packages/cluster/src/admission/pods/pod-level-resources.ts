import {
  containerResources,
  type ResourceQuantities,
  type PodResources,
} from '../../object/index.ts'

/** The resources of a whole pod. Pod-level resources replace those of its containers. */
export function podResources(pod: PodResources, kind: 'requests' | 'limits'): ResourceQuantities {
  const amounts = containerResources(pod, kind)
  for (const name of ['cpu', 'memory']) {
    const own = pod.resources?.[kind]?.[name]
    if (own !== undefined) amounts.set(name, own)
  }
  return Object.fromEntries(amounts)
}
