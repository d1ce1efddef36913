import { parseQuantity } from '../../codec/index.ts'
import { containerResources, type PodResources } from '../../object/index.ts'
import type { PodView } from '../behaviour/index.ts'

/** Amounts by resource as numbers: CPU in thousandths, others in whole units. */
export type ResourceNumbers = ReadonlyMap<string, number>

const known = new Map<string, number>()
const knownMax = 10_000

/** Parses a quantity. Results are cached, because the same few texts repeat. */
function numberOf(resource: string, text: string): number {
  const key = resource === 'cpu' ? `${text}/m` : text
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= knownMax) known.clear()
  const number = Number(parseQuantity(text).scaledValue(resource === 'cpu' ? -3 : 0))
  known.set(key, number)
  return number
}

/** Converts quantities to numbers. */
export function resourceNumbersOf(
  quantities: Readonly<Record<string, string>> = {},
): Map<string, number> {
  return new Map(
    Object.entries(quantities).map(([name, text]) => [name, numberOf(name, String(text))]),
  )
}

/** The requests of a pod: of its containers, or its own, plus the overhead. */
export function podRequests({ spec }: PodView): ResourceNumbers {
  const containers = Object.fromEntries(containerResources(spec as PodResources, 'requests'))
  const total = resourceNumbersOf({ ...containers, ...spec.resources?.requests })
  for (const [name, number] of resourceNumbersOf(spec.overhead)) {
    total.set(name, (total.get(name) ?? 0) + number)
  }
  return total
}

/** The assumed requests of a pod without requests, so that such pods are spread too. */
const assumed: ResourceNumbers = new Map([
  ['cpu', 100],
  ['memory', 200 * 1024 * 1024],
])

/** The amounts that are used to compare nodes: the requests, or the assumed ones. */
export function weightsOf(requests: ResourceNumbers): ResourceNumbers {
  return new Map([...assumed].map(([name, least]) => [name, requests.get(name) ?? least]))
}
