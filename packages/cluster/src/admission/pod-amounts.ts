import { parseQuantity, type Quantity } from '../codec/index.ts'

/** Amounts by the name of the resource. */
export type Amounts = Readonly<Record<string, string>>

/** What something may and must have. */
interface Resources {
  requests?: Amounts
  limits?: Amounts
}

/** The parts of a container that amounts are about. */
export interface PodContainer {
  name?: string
  restartPolicy?: string
  resources?: Resources
}

/** The parts of a pod that amounts are about. */
export interface PodResources {
  resources?: Resources
  containers?: PodContainer[] | null
  initContainers?: PodContainer[] | null
}

/**
 * What a pod takes as a whole: sidecars run beside its containers, other init containers one after
 * the other before them. What the pod says about itself counts more.
 */
export function podAmounts(pod: PodResources, key: keyof Resources): Amounts {
  const total = new Map<string, Quantity>()
  for (const { resources } of pod.containers ?? []) add(total, resources?.[key])
  const sidecars = new Map<string, Quantity>()
  const peak = new Map<string, Quantity>()
  for (const { resources, restartPolicy } of pod.initContainers ?? []) {
    const amounts = resources?.[key]
    if (restartPolicy === 'Always') {
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
  const own = Object.entries(pod.resources?.[key] ?? {}).filter(
    ([name]) => name === 'cpu' || name === 'memory',
  )
  return Object.fromEntries([
    ...[...total].map(([name, amount]): [string, string] => [name, amount.toText()]),
    ...own,
  ])
}

function add(to: Map<string, Quantity>, amounts: Amounts = {}): void {
  for (const [name, text] of Object.entries(amounts)) {
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
