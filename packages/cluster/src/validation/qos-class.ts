import { containersOf, type Container, type Spec } from './pod-options.ts'
import { compareQuantities, signOf } from './quantity.ts'

const compute = ['cpu', 'memory'] as const

function amount(
  container: Container,
  kind: 'requests' | 'limits',
  name: string,
): string | undefined {
  const value = container.resources?.[kind]?.[name]
  return value !== undefined && signOf(value) > 0 ? value : undefined
}

/** How well a pod is protected when a node runs short: what it asks for decides. */
export function qosClassOf(spec: Spec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = containersOf({ ...spec, ephemeralContainers: [] })
  const asksNothing = containers.every((container) =>
    compute.every(
      (name) =>
        amount(container, 'requests', name) === undefined &&
        amount(container, 'limits', name) === undefined,
    ),
  )
  if (asksNothing) return 'BestEffort'
  const isGuaranteed = containers.every((container) =>
    compute.every((name) => {
      const limit = amount(container, 'limits', name)
      const request = amount(container, 'requests', name) ?? limit
      return limit !== undefined && compareQuantities(request, limit) === 0
    }),
  )
  return isGuaranteed ? 'Guaranteed' : 'Burstable'
}
