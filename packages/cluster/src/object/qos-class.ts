import { parseQuantity, type Quantity } from '../codec/index.ts'
import type { PodResources } from './pod-resources.ts'

type Holder = Pick<PodResources, 'resources'>

const compute = ['cpu', 'memory']

/** The QoS class of a pod by its requests and limits. */
export function qosClassOf(pod: PodResources): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const isPodLevel = pod.resources !== undefined
  const holders: Holder[] = isPodLevel
    ? [pod]
    : [...(pod.containers ?? []), ...(pod.initContainers ?? [])]
  const requests = totalOf(holders, 'requests')
  const limits = totalOf(holders, 'limits')
  if (requests.size === 0 && limits.size === 0) return 'BestEffort'
  const isLimited = holders.every((holder) => limitsBoth(holder, isPodLevel))
  const isEqual =
    requests.size === limits.size &&
    [...requests].every(([name, amount]) => limits.get(name)?.cmp(amount) === 0)
  return isLimited && isEqual ? 'Guaranteed' : 'Burstable'
}

function positiveAmounts({ resources }: Holder, kind: 'requests' | 'limits'): [string, Quantity][] {
  const amounts = resources?.[kind] ?? {}
  return compute.flatMap((name): [string, Quantity][] => {
    const text = amounts[name]
    const amount = text === undefined ? undefined : parseQuantity(text)
    return amount === undefined || amount.isZero || amount.isNegative ? [] : [[name, amount]]
  })
}

/** A pod with pod-level resources and without limits passes this check. */
function limitsBoth(holder: Holder, isPod: boolean): boolean {
  if (isPod && Object.keys(holder.resources?.limits ?? {}).length === 0) return true
  return positiveAmounts(holder, 'limits').length === compute.length
}

function totalOf(holders: readonly Holder[], kind: 'requests' | 'limits'): Map<string, Quantity> {
  const total = new Map<string, Quantity>()
  for (const holder of holders) {
    for (const [name, amount] of positiveAmounts(holder, kind)) {
      total.set(name, total.get(name)?.plus(amount) ?? amount)
    }
  }
  return total
}
