import type { SimulatedNode } from './node-options.ts'

/** Addresses in one network of a node: the first belong to the node itself. */
const firstAddress = 2
const addressesMax = 253

/**
 * Which pod has which address. It is kept in memory and begins with what the pods' statuses say, so that a pod keeps its
 * address and no two have the same.
 */
export class PodAddresses {
  readonly #owners = new Map<string, string>()
  readonly #next = new Map<string, number>()

  /** Notes what a pod has already. */
  keep(address: string, uid: string): void {
    this.#owners.set(address, uid)
  }

  /** A free address on a node, for a pod that has none. */
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

  /** Lets others have the address of a pod that is gone. */
  free(address: string, uid: string): void {
    if (this.#owners.get(address) !== uid) return
    this.#owners.delete(address)
    this.#next.clear()
  }
}

/** When the network of a node is full, the ones of the same place in the next range are used. */
function addressAt({ podCIDR }: SimulatedNode, slot: number): string {
  const [range = '', network = '', place = ''] = podCIDR.split('.')
  const further = Number(network) + Math.floor(slot / addressesMax)
  return `${range}.${further}.${place}.${firstAddress + (slot % addressesMax)}`
}
