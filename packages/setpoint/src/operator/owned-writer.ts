import { type Key, keyOf, type KindCache } from '../cache/index.ts'
import { type Client, isApiError, type Patch } from '../client/index.ts'
import type { Run } from '../controller/index.ts'
import { SetpointError } from '../errors/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { listTypesOf } from '../kinds/list-types-of.ts'
import { appliedAnnotation, type ChildManifest } from './child-manifest.ts'
import { missingFrom } from './missing-from.ts'
import type { ApiResource } from './operator-declaration.ts'
import { overlaid } from './overlaid.ts'

/** What writing for an owner needs. */
interface OwnedWriterOptions {
  readonly client: Client
  /** Who owns the fields. */
  readonly fieldManager: string
  readonly run: Run
  readonly owner: ApiResource
  readonly cacheOf: (kind: Kind) => KindCache
}

/** Makes objects of an owner as they should be, with as few requests as possible. */
export class OwnedWriter {
  readonly #options: OwnedWriterOptions

  constructor(options: OwnedWriterOptions) {
    this.#options = options
  }

  /** The object as it is now, from the cache. */
  live(kind: Kind, key: Key): ApiResource | undefined {
    return this.#options.cacheOf(kind).get(key) as ApiResource | undefined
  }

  /** Applies an object unless it already is as wanted. Returns it as it is then. */
  async apply(
    kind: Kind,
    manifest: ChildManifest,
    onImmutable: 'replace' | 'report' = 'report',
  ): Promise<ApiResource> {
    const live = this.live(kind, keyOf(manifest.metadata))
    if (live !== undefined) this.#checkOurs(kind, live)
    if (live?.metadata.deletionTimestamp !== undefined) return live
    if (live !== undefined && isAsWanted(kind, live, manifest)) return live
    try {
      return await this.#send(kind, manifest)
    } catch (error) {
      if (live === undefined || !isApiError(error, 'API_INVALID')) throw error
      return this.#force(kind, { live, manifest, onImmutable, error })
    }
  }

  /** Makes an object that must not exist yet. */
  async create(kind: Kind, manifest: ChildManifest): Promise<ApiResource> {
    const { client, fieldManager, run } = this.#options
    const options = { fieldManager, signal: run.signal }
    return this.#wrote(kind, await client.create(kind, manifest as never, options))
  }

  /** Changes some fields of an object. */
  async patch(kind: Kind, object: ApiResource, patch: Patch): Promise<ApiResource> {
    const { client, fieldManager, run } = this.#options
    const options = { ...patch, fieldManager, signal: run.signal }
    return this.#wrote(kind, await client.patch(kind, object.metadata, options))
  }

  /** Deletes an object, if it still is the one that was read. */
  async delete(kind: Kind, object: ApiResource): Promise<void> {
    const { client, run } = this.#options
    const { uid, resourceVersion, deletionTimestamp } = object.metadata
    if (deletionTimestamp !== undefined) return
    await client.delete(kind, object.metadata, {
      preconditions: { uid, resourceVersion },
      propagation: 'Background',
      signal: run.signal,
    })
  }

  async #send(kind: Kind, manifest: ChildManifest): Promise<ApiResource> {
    const { client, fieldManager, run } = this.#options
    const options = { fieldManager, force: true, signal: run.signal }
    return this.#wrote(kind, await client.apply(kind, manifest, options))
  }

  #wrote(kind: Kind, written: unknown): ApiResource {
    const { run, cacheOf } = this.#options
    const object = written as ApiResource
    run.wrote(cacheOf(kind), object)
    return object
  }

  /**
   * The server refuses the merge of what is wanted with what is there. Either somebody put things into a list that
   * exclude ours: then the list as a whole is replaced. Or a field cannot be changed at all.
   */
  async #force(
    kind: Kind,
    at: {
      readonly live: ApiResource
      readonly manifest: ChildManifest
      readonly onImmutable: 'replace' | 'report'
      readonly error: unknown
    },
  ): Promise<ApiResource> {
    const { client, fieldManager, run } = this.#options
    const { live, manifest, onImmutable, error } = at
    try {
      const whole = overlaid(live, manifest)
      const options = { fieldManager, signal: run.signal }
      this.#wrote(kind, await client.replace(kind, whole, options))
      return await this.#send(kind, manifest)
    } catch (refusal) {
      if (!isApiError(refusal, 'API_INVALID')) throw refusal
      if (onImmutable === 'report') throw error
      await this.delete(kind, live)
      return live
    }
  }

  /** An object that another one controls is not ours to change. */
  #checkOurs(kind: Kind, live: ApiResource): void {
    const { owner } = this.#options
    const controller = live.metadata.ownerReferences?.find(
      (reference) => reference.controller === true,
    )
    if (controller === undefined || controller.uid === owner.metadata.uid) return
    throw new SetpointError(
      'CHILD_TAKEN',
      `${kind.kind} ${keyOf(live.metadata)} is controlled by another object`,
      { hint: 'give the child another name, or delete the object that is in its place' },
    )
  }
}

function isAsWanted(kind: Kind, live: ApiResource, manifest: ChildManifest): boolean {
  const applied = live.metadata.annotations?.[appliedAnnotation]
  if (applied !== manifest.metadata.annotations[appliedAnnotation]) return false
  return missingFrom(live, manifest, listTypesOf(kind)) === undefined
}
