import { type Key, keyOf } from '../../cache/index.ts'
import type { Client, ObjectRef, Patch } from '../../client/index.ts'
import {
  createInProtobuf,
  type FieldEdit,
  replaceInProtobuf,
} from '../../client/protobuf-writes.ts'
import type { Run, WriteScope } from '../../controller/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import type { Kind } from '../../kinds/kind.ts'
import { patchedFields } from '../../patch/index.ts'
import type { OwnedDeletion } from '../declare/contexts.ts'
import type { DeletionPolicy } from '../declare/operator-types.ts'
import { type ChildManifest, deletionAnnotation } from '../manifest/child-manifest.ts'
import type { FreshOwner } from '../owner/owner-freshness.ts'
import type { KindCaches } from '../owner/owner-view.ts'
import { fieldEdits } from './field-edits.ts'
import type { TerminatingNamespaces } from './terminating-namespaces.ts'

/** The dependencies of an `ObjectWriter`. */
interface ObjectWriterOptions {
  readonly client: Client
  readonly caches: KindCaches
  readonly fieldManager: string
  readonly run: Run
  readonly terminating: TerminatingNamespaces
  /** Whether the owner of the reconcile is outdated. Checked before every write. */
  readonly fresh: FreshOwner
}

/** The writes of one reconcile, recorded as own writes: their watch events cause no reconcile. */
export class ObjectWriter {
  readonly #options: ObjectWriterOptions

  constructor(options: ObjectWriterOptions) {
    this.#options = options
  }

  get fieldManager(): string {
    return this.#options.fieldManager
  }

  /** Asks the server whether the owner still has the generation that was observed. */
  async isOwnerCurrent(): Promise<boolean> {
    return this.#options.fresh.isCurrent()
  }

  /** The object in the cache. */
  live(kind: Kind, key: Key): ApiResource | undefined {
    return this.#options.caches.of(kind).get(key) as ApiResource | undefined
  }

  /** The object on the server. */
  async read(kind: Kind, ref: ObjectRef): Promise<ApiResource> {
    const { client, run } = this.#options
    return (await client.get(kind, ref, { signal: run.signal })) as ApiResource
  }

  /** Creates an object that must not exist yet. */
  async create(kind: Kind, object: ChildManifest['object']): Promise<ApiResource> {
    const { client, fresh, terminating } = this.#options
    const options = this.#writeOptions
    await fresh.check()
    const created = await terminating.create(
      object.metadata.namespace,
      async () =>
        (await createInProtobuf(client, kind, { object, options })) ??
        (await client.create(kind, object as never, options)),
    )
    return this.#recordWrite(kind, created)
  }

  /** Asks the server whether it would create an object. Refusals are thrown. */
  async createDryRun(kind: Kind, object: object): Promise<void> {
    const options = { ...this.#writeOptions, dryRun: true }
    await this.#options.client.create(kind, object as never, options)
  }

  /** Changes some fields of an object. */
  async patch(kind: Kind, object: ApiResource, patch: Patch): Promise<ApiResource> {
    const options = { ...patch, ...this.#writeOptions }
    await this.#options.fresh.check()
    const written = await this.#options.client.patch(kind, object.metadata, options)
    return this.#recordWrite(kind, written, patchedFields(patch))
  }

  /** Server-side apply. It removes fields that only this manager owned. */
  async apply(kind: Kind, object: ChildManifest['object']): Promise<ApiResource> {
    const options = { ...this.#writeOptions, force: true }
    await this.#options.fresh.check()
    return this.#recordWrite(kind, await this.#options.client.apply(kind, object, options))
  }

  /**
   * Replaces an object as a whole, under an optimistic lock. An object from the cache is sent back
   * as the bytes it came in, with the differing fields edited. So fields that this program does not
   * know are kept, except in changed lists.
   */
  async update(kind: Kind, object: unknown): Promise<ApiResource> {
    const { resourceVersion } = (object as Partial<ApiResource>).metadata ?? {}
    if (resourceVersion !== undefined) {
      const edited = await this.edit(kind, object as ApiResource, (cached) =>
        fieldEdits(cached, object),
      )
      if (edited !== undefined) return edited
    }
    await this.#options.fresh.check()
    const replaced = await this.#options.client.replace(kind, object, this.#writeOptions)
    // Without a revision there is no lock, so the watch event may carry changes of other clients.
    return this.#recordWrite(kind, replaced, resourceVersion === undefined ? [] : 'object')
  }

  /** Replaces an object by its edited bytes; `undefined` if the cache lacks this revision. */
  async edit(
    kind: Kind,
    { metadata }: ApiResource,
    editsOf: (cached: unknown) => readonly FieldEdit[],
  ): Promise<ApiResource | undefined> {
    const { client, caches } = this.#options
    const entry = caches.of(kind).entry(keyOf(metadata))
    const stored = entry?.message
    if (stored === undefined || entry?.resourceVersion !== metadata.resourceVersion) {
      return undefined
    }
    await this.#options.fresh.check()
    const edits = editsOf(entry.object)
    const options = this.#writeOptions
    const edited = await replaceInProtobuf(client, kind, { ref: metadata, stored, edits, options })
    return edited === undefined ? undefined : this.#recordWrite(kind, edited, 'object')
  }

  /** Deletes an object if it still is the one that was read. */
  async delete(kind: Kind, object: ApiResource, options: OwnedDeletion = {}): Promise<void> {
    const { client, run, caches } = this.#options
    const { uid, resourceVersion } = object.metadata
    const { evenIfChanged = false, gracePeriodSeconds, propagation } = options
    // The deletion of a terminating object can only get a shorter grace period.
    if (isTerminating(object) && gracePeriodSeconds === undefined) return
    await this.#options.fresh.check()
    const answer = await client.beginDelete(kind, object.metadata, {
      preconditions: evenIfChanged ? { uid } : { uid, resourceVersion },
      propagation: propagation ?? propagationOf(object),
      gracePeriodSeconds,
      signal: run.signal,
    })
    const { resourceVersion: deleted = '' } = answer?.metadata ?? {}
    if (answer?.kind !== kind.kind || deleted === '') return
    // The next reconcile sees that the object is terminating. The deletion itself triggers a
    // reconcile.
    run.wrote(caches.of(kind), { metadata: { ...object.metadata, resourceVersion: deleted } }, [])
  }

  get #writeOptions(): { readonly fieldManager: string; readonly signal: AbortSignal } {
    const { fieldManager, run } = this.#options
    return { fieldManager, signal: run.signal }
  }

  #recordWrite(kind: Kind, written: unknown, scope?: WriteScope): ApiResource {
    const { run, caches } = this.#options
    const object = written as ApiResource
    run.wrote(caches.of(kind), object, scope)
    return object
  }
}

function propagationOf({ metadata }: ApiResource): 'Background' | 'Foreground' | 'Orphan' {
  const policy = metadata.annotations?.[deletionAnnotation] as DeletionPolicy | undefined
  return policy === 'foreground' ? 'Foreground' : policy === 'orphan' ? 'Orphan' : 'Background'
}
