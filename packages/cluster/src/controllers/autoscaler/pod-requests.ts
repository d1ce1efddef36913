import type { Frozen } from 'setpoint'
import type { Container } from 'setpoint/kinds'
import { parseQuantity } from '../../codec/index.ts'
import { containerResources, ownValue } from '../../object/index.ts'
import type { PodObject } from '../pods/pod-state.ts'
import { MetricError, milliOf } from './metric-values.ts'

/** The resource whose requests are read. */
interface Requested {
  readonly resource: string
  /** Only of this container; of all containers by default. */
  readonly container?: string | undefined
}

/** The requests of pods for a resource, in thousandths, by name. Throws if a pod has none. */
export function podRequests(pods: readonly PodObject[], requested: Requested): Map<string, number> {
  return new Map(pods.map((pod) => [pod.metadata.name, requestOf(pod, requested)]))
}

function requestOf(pod: PodObject, { resource, container }: Requested): number {
  const { name } = pod.metadata
  const own = pod.spec.resources?.requests ?? {}
  if (container === undefined && Object.keys(own).length > 0) {
    const amount = ownValue(own, resource) ?? containerResources(pod.spec, 'requests').get(resource)
    if (amount !== undefined) return milliOf(amount)
    throw new MetricError(`missing pod-level request for ${resource} in Pod ${name}`)
  }
  const counted = running(pod).filter((one) => container === undefined || one.name === container)
  if (counted.length === 0 && container !== undefined) {
    throw new MetricError(`container ${container} not found in Pod ${name}`)
  }
  const requests = counted.map((one) => {
    const amount = ownValue(one.resources?.requests, resource)
    if (amount !== undefined) return parseQuantity(amount)
    throw new MetricError(`missing request for ${resource} in container ${one.name} of Pod ${name}`)
  })
  return requests.reduce((total, amount) => total + Number(amount.scaledValue(-3)), 0)
}

/** The containers that run at the same time. */
function running({ spec }: PodObject): Frozen<Container>[] {
  const sidecars = (spec.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  )
  return [...spec.containers, ...sidecars]
}
