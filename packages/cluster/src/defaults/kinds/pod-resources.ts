import type { PodSpec } from 'setpoint/kinds'
import { itemsOf } from '../items-of.ts'
import { parseQuantity, type Quantity } from '../../codec/index.ts'

type Amounts = Record<string, string>

const isHugePages = (name: string): boolean => name.startsWith('hugepages-')
const isShared = (name: string): boolean => name === 'cpu' || name === 'memory'

/**
 * Resources of a pod as a whole: what it does not say follows from its containers, or from its own
 * limits.
 */
export function fillPodResources(spec: PodSpec): void {
  const { resources } = spec
  if (resources === undefined) return
  const limits = (resources.limits ?? {}) as Amounts
  const requests = (resources.requests ?? {}) as Amounts
  if (Object.keys(limits).length > 0 || Object.keys(requests).length > 0) {
    for (const [name, amount] of Object.entries(sumOf(spec, 'limits'))) {
      if (isHugePages(name) && requests[name] === undefined) limits[name] ??= amount
    }
    if (Object.keys(limits).length > 0) resources.limits = limits
  }
  if (Object.keys(limits).length === 0) return
  for (const [name, amount] of Object.entries(sumOf(spec, 'requests'))) {
    if (isShared(name)) requests[name] ??= amount
  }
  for (const [name, amount] of Object.entries(limits)) {
    if (isShared(name) || isHugePages(name)) requests[name] ??= amount
  }
  if (Object.keys(requests).length > 0) resources.requests = requests
}

/** What all containers take together: sidecars run beside the others, other init containers before. */
function sumOf(spec: PodSpec, kind: 'requests' | 'limits'): Amounts {
  const total = new Map<string, Quantity>()
  for (const container of itemsOf(spec.containers)) add(total, container.resources?.[kind])
  const sidecars = new Map<string, Quantity>()
  const peak = new Map<string, Quantity>()
  for (const container of spec.initContainers ?? []) {
    const amounts = container.resources?.[kind] as Amounts | undefined
    if (container.restartPolicy === 'Always') {
      add(total, amounts)
      add(sidecars, amounts)
      raise(peak, sidecars)
    } else {
      const during = new Map(sidecars)
      add(during, amounts)
      raise(peak, during)
    }
  }
  raise(total, peak)
  return Object.fromEntries([...total].map(([name, amount]) => [name, amount.toText()]))
}

function add(to: Map<string, Quantity>, amounts: Amounts | undefined): void {
  for (const [name, text] of Object.entries(amounts ?? {})) {
    const amount = parseQuantity(text)
    to.set(name, to.get(name)?.plus(amount) ?? amount)
  }
}

function raise(to: Map<string, Quantity>, others: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of others) {
    const present = to.get(name)
    if (present === undefined || present.cmp(amount) < 0) to.set(name, amount)
  }
}
