import { isTerminating } from '../../object/index.ts'
import type { AnyObject, OwnerReference } from '../served-kinds.ts'

/** What finalizers ask of the collector, as propagation policies set them. */
export const orphanFinalizer = 'orphan'
export const foregroundFinalizer = 'foregroundDeletion'

/** An object, as far as its owners and dependents are concerned. */
export interface GraphNode {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string
  readonly uid: string
  readonly owners: readonly OwnerReference[]
  /** It goes when its dependents have gone. */
  readonly isForeground: boolean
}

/**
 * Who owns whom, from what the watches of all kinds said. Objects that nobody has heard of yet are not in it: that they are
 * absent is for the server to say.
 */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>()
  readonly #dependents = new Map<string, Set<string>>()
  readonly #look: (node: GraphNode) => void

  /** `look` is called for objects whose situation has changed by what happened to others. */
  constructor(look: (node: GraphNode) => void) {
    this.#look = look
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid)
  }

  dependentsOf(uid: string): GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((one) => this.#nodes.get(one) ?? [])
  }

  /** Those who name an owner of a kind. */
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

  /** An object is there, or has changed. */
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
    // Owners that wait for it may wait no longer.
    for (const owner of before?.owners ?? []) this.#lookAtWaiting(owner)
    // Those who named it as their owner in another namespace, or by another name, were mistaken.
    if (before === undefined) for (const dependent of this.dependentsOf(uid)) this.#look(dependent)
  }

  /** An object is gone. */
  remove(uid: string): void {
    const node = this.#nodes.get(uid)
    const dependents = this.dependentsOf(uid)
    this.#nodes.delete(uid)
    for (const owner of node?.owners ?? []) {
      this.#dependents.get(owner.uid)?.delete(uid)
      this.#lookAtWaiting(owner)
    }
    for (const dependent of dependents) this.#look(dependent)
    if (dependents.length === 0) this.#dependents.delete(uid)
  }

  #lookAtWaiting({ uid }: OwnerReference): void {
    const owner = this.#nodes.get(uid)
    if (owner?.isForeground === true) this.#look(owner)
  }
}
