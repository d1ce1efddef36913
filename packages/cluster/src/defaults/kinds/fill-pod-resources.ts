import type { PodSpec } from 'setpoint/kinds'
import { containerResources } from '../../object/index.ts'

type Amounts = Record<string, string>

const isHugePages = (name: string): boolean => name.startsWith('hugepages-')
const isShared = (name: string): boolean => name === 'cpu' || name === 'memory'

/**
 * Pod-level resources: missing requests are derived from the containers, or from the pod's limits.
 */
export function fillPodResources(spec: PodSpec): void {
  const { resources } = spec
  if (resources === undefined) return
  const limits = (resources.limits ?? {}) as Amounts
  const requests = (resources.requests ?? {}) as Amounts
  if (Object.keys(limits).length > 0 || Object.keys(requests).length > 0) {
    for (const [name, amount] of containerResources(spec, 'limits')) {
      if (isHugePages(name) && requests[name] === undefined) limits[name] ??= amount
    }
    if (Object.keys(limits).length > 0) resources.limits = limits
  }
  if (Object.keys(limits).length === 0) return
  for (const [name, amount] of containerResources(spec, 'requests')) {
    if (isShared(name)) requests[name] ??= amount
  }
  for (const [name, amount] of Object.entries(limits)) {
    if (isShared(name) || isHugePages(name)) requests[name] ??= amount
  }
  if (Object.keys(requests).length > 0) resources.requests = requests
}
