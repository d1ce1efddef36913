import type { Taint } from 'setpoint/kinds'

/** Nodes of the same configuration. */
export interface NodeOptions {
  /** How many nodes; by default 1 in a list, otherwise 3. */
  readonly count?: number
  /** The name of a single node; several nodes are called `node-1`, `node-2`, ... in their order. */
  readonly name?: string
  /** Default `8`. */
  readonly cpu?: string
  /** Default `16Gi`. */
  readonly memory?: string
  /** The maximum number of pods; default 110. */
  readonly pods?: number
  /** Default `100Gi`. */
  readonly ephemeralStorage?: string
  /** Extended resources: `{ 'example.com/gpu': '4' }`. */
  readonly extended?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly taints?: readonly Taint[]
}

/** The nodes of a cluster: a number, one configuration, or a list. */
export type NodesOption = number | NodeOptions | readonly NodeOptions[]

/** One simulated node. */
export interface SimulatedNode {
  readonly name: string
  /** Its position in the list of nodes, from which its addresses are derived. */
  readonly index: number
  readonly hostIP: string
  readonly podCIDR: string
  readonly options: NodeOptions
}

const countDefault = 3

/** The nodes of an option. */
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
