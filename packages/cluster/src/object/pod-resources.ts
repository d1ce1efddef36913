import { parseQuantity, type Quantity } from '../codec/index.ts'

/** Amounts by the name of the resource. */
export type ResourceQuantities = Readonly<Record<string, string>>

interface Resources {
  readonly requests?: Readonly<Record<string, string | undefined>>
  readonly limits?: Readonly<Record<string, string | undefined>>
}

/** The fields of a container that are read here. */
interface ContainerResources {
  readonly restartPolicy?: string
  readonly resources?: Resources
}

/** The fields of a pod that are read here. */
export interface PodResources {
  readonly resources?: Resources
  readonly containers?: readonly ContainerResources[] | null
  readonly initContainers?: readonly ContainerResources[] | null
}

/**
 * The total resources of a pod's containers. Sidecars run at the same time as the others; other
 * init containers run before them, one after the other.
 */
export function containerResources(pod: PodResources, kind: keyof Resources): Map<string, string> {
  const total = new Map<string, Quantity>()
  for (const { resources } of pod.containers ?? []) add(total, resources?.[kind])
  const sidecars = new Map<string, Quantity>()
  const peak = new Map<string, Quantity>()
  for (const { resources, restartPolicy } of pod.initContainers ?? []) {
    const amounts = resources?.[kind]
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
  return new Map([...total].map(([name, amount]) => [name, amount.toText()]))
}

function add(to: Map<string, Quantity>, amounts: Resources['requests'] = {}): void {
  for (const [name, text = '0'] of Object.entries(amounts)) {
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
