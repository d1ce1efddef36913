import { keyOf } from '../../cache/index.ts'
import { type Client, isApiError } from '../../client/index.ts'
import type { Run } from '../../controller/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { kindKey } from '../../kinds/kind-key.ts'
import type { Kind } from '../../kinds/kind.ts'
import { deletesKind } from '../declare/deletes-kind.ts'
import { isCrossNamespace } from '../declare/is-cross-namespace.ts'
import type { OperatorDeclaration } from '../declare/operator-declaration.ts'
import { childAnnotation, deletionAnnotation } from '../manifest/child-manifest.ts'
import { isControlledBy, ownerUidLabel } from '../owner/owner-reference.ts'
import type { KindCaches } from '../owner/owner-view.ts'
import type { ObjectWriter } from '../write/object-writer.ts'

/** The dependencies of `OwnedChildren`. */
interface OwnedChildrenOptions {
  readonly declaration: OperatorDeclaration
  readonly client: Client
  readonly caches: KindCaches
  readonly owner: ApiResource
  readonly writer: ObjectWriter
  readonly run: Pick<Run, 'signal'>
}

interface OwnedChild {
  readonly kind: Kind
  readonly object: ApiResource
}

/** The live children of an owner, without objects of `.reconcile` and of other operators. */
export class OwnedChildren {
  readonly #options: OwnedChildrenOptions

  constructor(options: OwnedChildrenOptions) {
    this.#options = options
  }

  /** The children of a kind in the cache. */
  ofKind(kind: Kind): ApiResource[] {
    const { caches, owner } = this.#options
    return caches.owned(kind, owner).filter((object) => this.#isChild(object))
  }

  /** The children in the cache that may be deleted: those that are not retained. */
  *cached(): Iterable<OwnedChild> {
    for (const kind of this.#deletedKinds()) {
      for (const object of this.ofKind(kind)) if (!isRetained(object)) yield { kind, object }
    }
  }

  /** Deletes what the garbage collector does not. Returns true if the owner waits for no child. */
  async deleteAll(): Promise<boolean> {
    let isDone = true
    for (const { kind, object } of await this.#deletable()) {
      if (object.metadata.annotations?.[deletionAnnotation] === 'foreground') isDone = false
      if (!isCollected(object)) await this.#options.writer.delete(kind, object)
    }
    return isDone
  }

  /** Whether a child exists that the garbage collector does not delete with its owner. */
  async areUncollected(): Promise<boolean> {
    return (await this.#deletable()).some(({ object }) => !isCollected(object))
  }

  /** Deletes the children without an owner reference: the garbage collector ignores them. */
  async deleteUnreferenced(): Promise<void> {
    for (const { kind, object } of await this.#deletable()) {
      if (!hasOwnerReference(object)) await this.#options.writer.delete(kind, object)
    }
  }

  async #deletable(): Promise<OwnedChild[]> {
    const cached = [...this.cached()]
    const uids = new Set(cached.map(({ object }) => object.metadata.uid))
    const unseen: OwnedChild[] = []
    for (const kind of this.#deletedKinds()) {
      if (!this.#mayBeCrossNamespace(kind)) continue
      // This is the last chance to find a child in another namespace, and a stale cache might not
      // show it.
      for (const object of await this.#labelled(kind)) {
        const isNew = !uids.has(object.metadata.uid) && !isRetained(object)
        if (isNew && this.#isChild(object)) unseen.push({ kind, object })
      }
    }
    return [...cached, ...unseen]
  }

  /**
   * The objects of a kind on the server that have the owner's label; none if the server does not
   * serve the kind.
   */
  async #labelled(kind: Kind): Promise<ApiResource[]> {
    const { client, owner, run } = this.#options
    const labelSelector = { [ownerUidLabel]: owner.metadata.uid }
    try {
      return (await client.listAll(kind, { labelSelector, signal: run.signal })) as ApiResource[]
    } catch (error) {
      if (isApiError(error, 'API_NOT_FOUND')) return []
      throw error
    }
  }

  #mayBeCrossNamespace(kind: Kind): boolean {
    const { declaration } = this.#options
    return declaration.children.some(
      (child) => kindKey(child.kind) === kindKey(kind) && isCrossNamespace(child, declaration.kind),
    )
  }

  #isChild(object: ApiResource): boolean {
    const { owner, declaration } = this.#options
    const label = object.metadata.annotations?.[childAnnotation]
    const { name, formerNames = [] } = declaration.options
    const isDeclared = [name, ...formerNames].some((one) => label?.startsWith(`${one}/`) === true)
    return isDeclared && isControlledBy(object, owner)
  }

  #deletedKinds(): Kind[] {
    const { declaration } = this.#options
    const kinds = new Map(declaration.children.map(({ kind }) => [kindKey(kind), kind]))
    return [...kinds.values()].filter((kind) => deletesKind(declaration, kind))
  }
}

/** An object by its kind and key. */
export function objectName(
  kind: Kind,
  { metadata }: { readonly metadata: { readonly name: string; readonly namespace?: string } },
): string {
  return `${kindKey(kind)} ${keyOf(metadata)}`
}

function hasOwnerReference({ metadata }: ApiResource): boolean {
  return (metadata.ownerReferences ?? []).length > 0
}

/** Whether the garbage collector deletes it with its owner, and nothing else has to. */
function isCollected(object: ApiResource): boolean {
  const policy = object.metadata.annotations?.[deletionAnnotation]
  return hasOwnerReference(object) && policy === undefined
}

function isRetained({ metadata }: ApiResource): boolean {
  return metadata.annotations?.[deletionAnnotation] === 'retain'
}
