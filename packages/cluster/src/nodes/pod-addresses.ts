import type { SimulatedNode } from './node-options.ts'

/** The first addresses of a node's network belong to the node itself. */
const firstAddress = 2
const addressesMax = 253

/**
 * The addresses of pods, in memory. It is initialized from the statuses of the pods, so that a pod
 * keeps its address and no two pods have the same.
 */
export class PodAddresses {
  readonly #owners = new Map<string, string>()
  readonly #next = new Map<string, number>()

  /** Records the address that a pod already has. */
  keep(address: string, uid: string): void {
    this.#owners.set(address, uid)
  }

  /** Returns a free address on a node. */
  take(node: SimulatedNode, uid: string): string {
    let slot = this.#next.get(node.name) ?? 0
    let address = addressAt(node, slot)
    while (this.#owners.has(address)) {
      slot += 1
      address = addressAt(node, slot)
    }
    this.#next.set(node.name, slot)
    this.#owners.set(address, uid)
    return address
  }

  /** Frees the address of a deleted pod. */
  free(address: string, uid: string): void {
    if (this.#owners.get(address) !== uid) return
    this.#owners.delete(address)
    this.#next.clear()
  }
}

/** When the network of a node is full, addresses of the next range are used. */
function addressAt({ podCIDR }: SimulatedNode, slot: number): string {
  const [range = '', network = '', place = ''] = podCIDR.split('.')
  const further = Number(network) + Math.floor(slot / addressesMax)
  return `${range}.${further}.${place}.${firstAddress + (slot % addressesMax)}`
}
