import { parseQuantity } from '../../codec/index.ts'
import { containerAmounts, type PodResources } from '../../object/index.ts'
import type { PodView } from '../behaviour/index.ts'

/** Amounts by resource, as numbers that can be added: thousandths of processors, whole units of the rest. */
export type Amounts = ReadonlyMap<string, number>

const known = new Map<string, number>()
const knownMax = 10_000

/** The number of an amount. The same few texts come again and again. */
function numberOf(resource: string, text: string): number {
  const key = resource === 'cpu' ? `${text}/m` : text
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= knownMax) known.clear()
  const number = Number(parseQuantity(text).scaledValue(resource === 'cpu' ? -3 : 0))
  known.set(key, number)
  return number
}

/** What a record of quantities adds up to in numbers. */
export function amountsOf(quantities: Readonly<Record<string, string>> = {}): Map<string, number> {
  return new Map(
    Object.entries(quantities).map(([name, text]) => [name, numberOf(name, String(text))]),
  )
}

/** What a pod asks for: its containers, or what it says of itself, and what it costs to run it at all. */
export function podRequests({ spec }: PodView): Amounts {
  const containers = Object.fromEntries(containerAmounts(spec as PodResources, 'requests'))
  const total = amountsOf({ ...containers, ...spec.resources?.requests })
  for (const [name, number] of amountsOf(spec.overhead)) {
    total.set(name, (total.get(name) ?? 0) + number)
  }
  return total
}

/** What a pod that asks for nothing is taken to need, so that such pods are spread too. */
const assumed: Amounts = new Map([
  ['cpu', 100],
  ['memory', 200 * 1024 * 1024],
])

/** What counts when nodes are compared: what is asked for, or what is assumed. */
export function weightsOf(requests: Amounts): Amounts {
  return new Map([...assumed].map(([name, least]) => [name, requests.get(name) ?? least]))
}
