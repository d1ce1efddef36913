import { isTerminating } from '../../object/index.ts'
import type { AnyObject, OwnerReference } from '../served-kinds.ts'

/** The finalizers that stand for a propagation policy. */
export const orphanFinalizer = 'orphan'
export const foregroundFinalizer = 'foregroundDeletion'

/** An object in the graph, with its owners. */
export interface GraphNode {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string
  readonly uid: string
  readonly owners: readonly OwnerReference[]
  /** It is deleted after its dependents. */
  readonly isForeground: boolean
}

/**
 * The owner references of all watched objects. An object that is not watched yet is missing here,
 * so its absence has to be confirmed by the server.
 */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>()
  readonly #dependents = new Map<string, Set<string>>()
  readonly #enqueue: (node: GraphNode) => void

  /** `enqueue` is called for objects that are affected by a change of another object. */
  constructor(enqueue: (node: GraphNode) => void) {
    this.#enqueue = enqueue
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid)
  }

  dependentsOf(uid: string): GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((one) => this.#nodes.get(one) ?? [])
  }

  /** The objects with an owner of a kind. */
  dependentsOfKind(apiVersion: string, kind: string): GraphNode[] {
    return [...this.#nodes.values()].filter(({ owners }) =>
      owners.some((owner) => owner.apiVersion === apiVersion && owner.kind === kind),
    )
  }

  /** The dependents that an owner has to wait for. */
  blockersOf(uid: string): GraphNode[] {
    return this.dependentsOf(uid).filter(({ owners }) =>
      owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
    )
  }

  /** Adds or updates an object. */
  put(object: AnyObject): void {
    const { apiVersion, kind, metadata } = object
    const { namespace, name, uid, finalizers = [] } = metadata
    const before = this.#nodes.get(uid)
    const owners = metadata.ownerReferences ?? []
    const isForeground = isTerminating(object) && finalizers.includes(foregroundFinalizer)
    const node = { apiVersion, kind, namespace, name, uid, owners, isForeground }
    this.#nodes.set(uid, node)
    for (const owner of before?.owners ?? []) this.#dependents.get(owner.uid)?.delete(uid)
    for (const owner of owners) {
      const dependents = this.#dependents.get(owner.uid)
      if (dependents === undefined) this.#dependents.set(owner.uid, new Set([uid]))
      else dependents.add(uid)
    }
    // Owners that waited for it may be free now.
    for (const owner of before?.owners ?? []) this.#enqueueWaiting(owner)
    // Dependents that reference it with another namespace or name have an invalid reference.
    if (before === undefined)
      for (const dependent of this.dependentsOf(uid)) this.#enqueue(dependent)
  }

  /** Removes a deleted object. */
  remove(uid: string): void {
    const node = this.#nodes.get(uid)
    const dependents = this.dependentsOf(uid)
    this.#nodes.delete(uid)
    for (const owner of node?.owners ?? []) {
      this.#dependents.get(owner.uid)?.delete(uid)
      this.#enqueueWaiting(owner)
    }
    for (const dependent of dependents) this.#enqueue(dependent)
    if (dependents.length === 0) this.#dependents.delete(uid)
  }

  #enqueueWaiting({ uid }: OwnerReference): void {
    const owner = this.#nodes.get(uid)
    if (owner?.isForeground === true) this.#enqueue(owner)
  }
}
