import type { KindCache } from '../cache/index.ts'
import type { Client } from '../client/index.ts'
import type { Run } from '../controller/index.ts'
import type { ApiResource, OperatorDeclaration } from './operator-declaration.ts'

/** Keeps objects from going away before an operator has cleaned up after them. */
export class Finalizer {
  readonly name: string
  readonly #client: Client
  readonly #cache: KindCache

  constructor({ kind, options }: OperatorDeclaration, client: Client, cache: KindCache) {
    // Built-in kinds have no domain of their own to put a finalizer into.
    this.name =
      kind.group.includes('.') && !kind.group.endsWith('.k8s.io')
        ? `${kind.group}/setpoint-${kind.plural}`
        : `setpoint.dev/${options.name}`
    this.#client = client
    this.#cache = cache
  }

  isOn({ metadata }: ApiResource): boolean {
    return metadata.finalizers?.includes(this.name) === true
  }

  /** Adds it, before the first thing that would have to be cleaned up is done. */
  async add(owner: ApiResource, run: Run): Promise<void> {
    if (this.isOn(owner)) return
    await this.#write(owner, [...(owner.metadata.finalizers ?? []), this.name], run)
  }

  /** Removes it, as the last thing that is done for an object. */
  async remove(owner: ApiResource, run: Run): Promise<void> {
    const others = (owner.metadata.finalizers ?? []).filter((name) => name !== this.name)
    await this.#write(owner, others, run)
  }

  /** The revision is part of the change: finalizers that others add meanwhile must not be lost. */
  async #write(owner: ApiResource, finalizers: readonly string[], run: Run): Promise<void> {
    const { resourceVersion } = owner.metadata
    const written = await this.#client.patch(this.#cache.kind, owner.metadata, {
      merge: { metadata: { resourceVersion, finalizers } },
      signal: run.signal,
    })
    run.wrote(this.#cache, written as ApiResource, ['metadata.finalizers'])
  }
}
