import type { Taint } from 'setpoint/kinds'

/** Nodes of one make. */
export interface NodeOptions {
  /** How many of them; 1 in a list, 3 otherwise. */
  readonly count?: number
  /** The name of a single one; several are `node-1`, `node-2`, ... in the order of all. */
  readonly name?: string
  /** `8` unless given. */
  readonly cpu?: string
  /** `16Gi` unless given. */
  readonly memory?: string
  /** How many pods it takes; 110 unless given. */
  readonly pods?: number
  /** `100Gi` unless given. */
  readonly ephemeralStorage?: string
  /** More that it has: `{ 'example.com/gpu': '4' }`. */
  readonly extended?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly taints?: readonly Taint[]
}

/** The nodes of a cluster: so many, of one make, or each as listed. */
export type NodesOption = number | NodeOptions | readonly NodeOptions[]

/** One node that the cluster plays. */
export interface SimulatedNode {
  readonly name: string
  /** Its place among the nodes, which its addresses follow from. */
  readonly index: number
  readonly hostIP: string
  readonly podCIDR: string
  readonly options: NodeOptions
}

const countDefault = 3

/** The nodes that options ask for. */
export function simulatedNodes(option: NodesOption = countDefault): SimulatedNode[] {
  const given = typeof option === 'number' ? { count: option } : option
  const groups = isList(given) ? given : [{ count: countDefault, ...given }]
  const single = groups.flatMap((options) =>
    Array.from({ length: options.count ?? 1 }, () => options),
  )
  return single.map((options, index) => ({
    name: options.count === undefined || options.count === 1 ? nameOf(options, index) : nth(index),
    index,
    hostIP: `172.18.${index >> 8}.${(index % 256) + 2}`,
    podCIDR: `10.244.${index % 256}.0/24`,
    options,
  }))
}

function isList(given: NodeOptions | readonly NodeOptions[]): given is readonly NodeOptions[] {
  return Array.isArray(given)
}

function nameOf({ name }: NodeOptions, index: number): string {
  return name ?? nth(index)
}

function nth(index: number): string {
  return `node-${index + 1}`
}
