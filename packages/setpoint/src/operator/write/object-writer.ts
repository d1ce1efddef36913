import { type Key, keyOf, type KindCache } from '../../cache/index.ts'
import { type Client, isApiError, type JsonPatchOperation, type Patch } from '../../client/index.ts'
import {
  createInProtobuf,
  type FieldEdit,
  replaceInProtobuf,
} from '../../client/protobuf-writes.ts'
import type { Run, WriteScope } from '../../controller/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import { listTypesOf } from '../../kinds/list-types-of.ts'
import { jsonEquals } from '../../schema/json-value.ts'
import { type ChildManifest, deletionAnnotation } from '../manifest/child-manifest.ts'
import type { ContentHash } from '../manifest/content-hash.ts'
import type { OwnedDeletion } from '../declare/contexts.ts'
import { asMergePatch } from './as-merge-patch.ts'
import { fieldEdits } from './field-edits.ts'
import { mergeOwnership } from './field-ownership.ts'
import { keptAnnotation, keptText } from './server-overrides.ts'
import { patchedFields } from './patched-fields.ts'
import { pointerFields, pointerToken } from './json-pointer.ts'
import type { ApiResource } from '../declare/operator-declaration.ts'
import type { DeletionPolicy } from '../declare/operator-types.ts'
import { checkOurs, isControlledBy } from '../owner/ownership.ts'
import { type PatchTowards, patchTowards } from './patch-towards.ts'

/** What writing for an owner needs. */
interface OwnedWriterOptions {
  readonly client: Client
  /** Who owns the fields. */
  readonly fieldManager: string
  readonly run: Run
  readonly owner: ApiResource
  readonly cacheOf: (kind: Kind) => KindCache
}

/** Tells whether what was written last is what is wanted now: a field that is no longer wanted leaves no other trace. */
const appliedAnnotation = 'setpoint.dev/applied'

/** Makes objects of an owner as they should be, with as few and as cheap requests as possible. */
export class OwnedWriter {
  readonly #options: OwnedWriterOptions
  /** The owner as this run left it. */
  #owner: ApiResource

  constructor(options: OwnedWriterOptions) {
    this.#options = options
    this.#owner = options.owner
  }

  /** The owner as this run left it. */
  get owner(): ApiResource {
    return this.#owner
  }

  /** The owner was written during this run: a status goes on from there, instead of losing a race against ourselves. */
  follow(written: ApiResource): void {
    if (written.metadata.uid === this.#owner.metadata.uid) this.#owner = written
  }

  /** The object as it is now, from the cache. */
  live(kind: Kind, key: Key): ApiResource | undefined {
    return this.#options.cacheOf(kind).get(key) as ApiResource | undefined
  }

  /** Whether what was wanted of an object when it was written last is wanted now. */
  isUpToDate(live: ApiResource, { hash }: ChildManifest): boolean {
    return appliedHash(live)?.content === hash.content
  }

  /** Makes an object as wanted, unless it is, or `keep` says to leave it as it is. Returns it as it is then. */
  async apply(
    kind: Kind,
    manifest: ChildManifest,
    onImmutable: Correction['onImmutable'] = 'report',
  ): Promise<ApiResource> {
    const live = this.live(kind, keyOf(manifest.object.metadata))
    if (live !== undefined) return this.#correct(kind, { live, manifest, onImmutable })
    try {
      return await this.create(kind, withApplied(manifest, 'written'))
    } catch (error) {
      if (!isApiError(error, 'API_ALREADY_EXISTS')) throw error
      const { client, run } = this.#options
      const options = { signal: run.signal }
      const there = (await client.get(kind, manifest.object.metadata, options)) as ApiResource
      return this.#correct(kind, { live: there, manifest, onImmutable })
    }
  }

  /** Makes an object that must not exist yet. */
  async create(kind: Kind, object: ChildManifest['object']): Promise<ApiResource> {
    const { client, fieldManager, run } = this.#options
    const options = { fieldManager, signal: run.signal }
    const created = await createInProtobuf(client, kind, { object, options })
    return this.#wrote(kind, created ?? (await client.create(kind, object as never, options)))
  }

  /** Changes some fields of an object. */
  async patch(kind: Kind, object: ApiResource, patch: Patch): Promise<ApiResource> {
    const { client, fieldManager, run } = this.#options
    const options = { ...patch, fieldManager, signal: run.signal }
    const scope = patchedFields(patch)
    return this.#wrote(kind, await client.patch(kind, object.metadata, options), scope)
  }

  /**
   * Replaces an object as a whole, if it still is as it was read. One that came from the cache goes back as it came there,
   * but for what differs: fields that this program's tables lack are not lost, unless in a list that changes.
   */
  async update(kind: Kind, object: unknown): Promise<ApiResource> {
    const { client, fieldManager, run } = this.#options
    const options = { fieldManager, signal: run.signal }
    const { resourceVersion } = (object as Partial<ApiResource>).metadata ?? {}
    // Without a revision, what others wrote meanwhile is lost or not: whoever looks at it has to find out.
    const scope = resourceVersion === undefined ? [] : 'object'
    const replaced =
      resourceVersion === undefined
        ? undefined
        : await this.#edit(kind, object as ApiResource, (cached) => fieldEdits(cached, object))
    return this.#wrote(kind, replaced ?? (await client.replace(kind, object, options)), scope)
  }

  /** Deletes an object, if it still is the one that was read. */
  async delete(kind: Kind, object: ApiResource, options: OwnedDeletion = {}): Promise<void> {
    const { client, run, cacheOf } = this.#options
    const { uid, resourceVersion, deletionTimestamp, annotations } = object.metadata
    const { evenIfChanged = false, gracePeriodSeconds, propagation } = options
    // One that is going already can only be hastened.
    if (deletionTimestamp !== undefined && gracePeriodSeconds === undefined) return
    const policy = annotations?.[deletionAnnotation] as DeletionPolicy | undefined
    const answer = await client.beginDelete(kind, object.metadata, {
      preconditions: evenIfChanged ? { uid } : { uid, resourceVersion },
      propagation:
        propagation ??
        (policy === 'foreground' ? 'Foreground' : policy === 'orphan' ? 'Orphan' : 'Background'),
      gracePeriodSeconds,
      signal: run.signal,
    })
    const { resourceVersion: leaving = '' } = answer?.metadata ?? {}
    if (answer?.kind !== kind.kind || leaving === '') return
    // The next run sees that it is going. That it goes is news, and what follows from it another run's business.
    run.wrote(cacheOf(kind), { metadata: { ...object.metadata, resourceVersion: leaving } }, [])
  }

  /** Replaces the status of the owner, unless it says the same. Who was faster makes this fail. */
  async updateStatus(kind: Kind, status: object): Promise<void> {
    const { client, fieldManager, run } = this.#options
    const sent: unknown = JSON.parse(JSON.stringify(status))
    if (jsonEquals(this.#owner['status'] ?? {}, sent)) return
    const options = { fieldManager, subresource: 'status', signal: run.signal }
    const object = { ...this.#owner, status: sent }
    this.#wrote(kind, await client.replace(kind, object, options))
  }

  /** Brings an object that exists closer to what is wanted, in the cheapest way that is right. */
  async #correct(kind: Kind, at: Correction): Promise<ApiResource> {
    const { live, manifest } = at
    checkOurs(kind, live, this.#options.owner)
    if (isGoing(live)) return live
    if (at.onImmutable === 'keep') return this.#keep(kind, live, manifest)
    const lackingIn = (object: ApiResource): PatchTowards =>
      patchTowards(object, manifest.object, listTypesOf(kind))
    const towards = lackingIn(live)
    if (!this.isUpToDate(live, manifest)) return this.#bring(kind, at, towards)
    if (towards.operations.length === 0) return live
    const kept = live.metadata.annotations?.[keptAnnotation]
    if (kept !== undefined && kept === keptText(live, towards)) return live
    const written = await this.#bring(kind, at, towards)
    const lacking = lackingIn(written)
    // One that has to be made anew comes back as it was.
    if (lacking.operations.length === 0 || written === live || isGoing(written)) return written
    const text = keptText(written, lacking)
    if (text === kept) return written
    return this.patch(kind, written, {
      merge: { metadata: { annotations: { [keptAnnotation]: text } } },
    })
  }

  async #bring(kind: Kind, at: Correction, towards: PatchTowards): Promise<ApiResource> {
    const { live, manifest } = at
    const hasSameShape = appliedHash(live)?.shape === manifest.hash.shape
    if (hasSameShape) {
      try {
        const changes = { ...towards, operations: withNote(live, manifest, towards.operations) }
        const replaced = await this.#replace(kind, live, changes)
        return replaced ?? (await this.patch(kind, live, patchOf(live, changes)))
      } catch (error) {
        if (!isApiError(error, 'API_INVALID', 'API_CONFLICT', 'API_BAD_REQUEST')) throw error
        // Refusals that name a field are about the values; others say that somebody was faster.
        if (error.status.details?.causes !== undefined) return this.#force(kind, at, error)
      }
    }
    // Where the shape is the same nothing has to be taken away.
    const current = hasSameShape ? live : await this.#withMergedOwnership(kind, live)
    try {
      return await this.#send(kind, manifest)
    } catch (error) {
      if (!isApiError(error, 'API_INVALID')) throw error
      return this.#force(kind, { ...at, live: current }, error)
    }
  }

  /** What was made once stays as it is, but for whose it is: without that nobody would clean it up. */
  async #keep(kind: Kind, live: ApiResource, { object }: ChildManifest): Promise<ApiResource> {
    if (isControlledBy(live, this.#options.owner)) return live
    const { ownerReferences, labels, annotations } = object.metadata
    const wanted = { metadata: { ownerReferences, labels, annotations } }
    const towards = patchTowards(live, wanted, listTypesOf(kind))
    return towards.operations.length === 0 ? live : this.patch(kind, live, patchOf(live, towards))
  }

  /** Changes fields of an object that is as it was read; `undefined` when that is not so, or a patch is needed. */
  async #replace(
    kind: Kind,
    live: ApiResource,
    { operations }: PatchTowards,
  ): Promise<ApiResource | undefined> {
    // Tests are not needed: the revision that is sent along makes sure of all they ask.
    const edits = operations
      .filter(({ op }) => op !== 'test')
      .map(({ op, path, value }) => ({
        path: pointerFields(path),
        value: op === 'remove' ? null : value,
      }))
    try {
      const replaced = await this.#edit(kind, live, () => edits)
      return replaced === undefined ? undefined : this.#wrote(kind, replaced)
    } catch (error) {
      // A patch is about these fields only, whatever else was changed; and there are roles that allow nothing else.
      if (isApiError(error, 'API_CONFLICT', 'API_FORBIDDEN')) return undefined
      throw error
    }
  }

  /** Sends back what the cache has of an object, edited: `undefined` when that is another revision, or not in protobuf. */
  async #edit(
    kind: Kind,
    { metadata }: ApiResource,
    editsOf: (cached: unknown) => readonly FieldEdit[],
  ): Promise<object | undefined> {
    const { client, fieldManager, run, cacheOf } = this.#options
    const entry = cacheOf(kind).entry(keyOf(metadata))
    const stored = entry?.message
    if (stored === undefined || entry?.resourceVersion !== metadata.resourceVersion)
      return undefined
    const options = { fieldManager, signal: run.signal }
    return replaceInProtobuf(client, kind, {
      ref: metadata,
      stored,
      edits: editsOf(entry.object),
      options,
    })
  }

  /** Server-side apply: fields that are no longer wanted go, if nobody else wants them. */
  async #send(kind: Kind, manifest: ChildManifest): Promise<ApiResource> {
    const { client, fieldManager, run } = this.#options
    const options = { fieldManager, force: true, signal: run.signal }
    return this.#wrote(kind, await client.apply(kind, withApplied(manifest, 'applied'), options))
  }

  /** Makes what plain writes own part of what applications own, so that it can be taken away. */
  async #withMergedOwnership(kind: Kind, live: ApiResource): Promise<ApiResource> {
    const applied = live.metadata.annotations?.[appliedAnnotation]
    // Without a note, which somebody may have removed, nothing is known of how it was written.
    if (applied?.endsWith(writtenMark) === false) return live
    const { client, fieldManager, run } = this.#options
    const options = { signal: run.signal }
    const fresh = (await client.get(kind, live.metadata, options)) as ApiResource
    const json = mergeOwnership(fresh, fieldManager)
    return json === undefined ? fresh : this.patch(kind, fresh, { json })
  }

  #wrote(kind: Kind, written: unknown, scope?: WriteScope): ApiResource {
    const { run, cacheOf } = this.#options
    const object = written as ApiResource
    this.follow(object)
    run.wrote(cacheOf(kind), object, scope)
    return object
  }

  /**
   * The server refuses the merge of what is wanted with what is there. Either somebody put things into a list that
   * exclude ours: then the list as a whole is replaced. Or a field cannot be changed at all.
   */
  async #force(
    kind: Kind,
    { live, manifest, onImmutable }: Correction,
    error: unknown,
  ): Promise<ApiResource> {
    try {
      const wanted = withApplied(manifest, 'written')
      const { resourceVersion } = live.metadata
      // A merge patch replaces lists, and leaves alone what this program does not know of.
      const merge = { ...wanted, metadata: { ...wanted.metadata, resourceVersion } }
      return await this.patch(kind, live, { merge })
    } catch (refusal) {
      if (!isApiError(refusal, 'API_INVALID')) throw refusal
      if (onImmutable === 'report' || !(await this.#couldBeMade(kind, manifest))) throw error
      await this.delete(kind, live)
      return live
    }
  }

  /** Whether the server would take an object if there were none: who is only wrong must not be deleted for it. */
  async #couldBeMade(kind: Kind, manifest: ChildManifest): Promise<boolean> {
    const { client, fieldManager, run } = this.#options
    const options = { fieldManager, signal: run.signal, dryRun: true }
    try {
      await client.create(kind, withApplied(manifest, 'written') as never, options)
      return true
    } catch (error) {
      // It looks at the object first, and then whether there is one.
      if (isApiError(error, 'API_ALREADY_EXISTS')) return true
      if (isApiError(error, 'API_INVALID', 'API_BAD_REQUEST', 'API_FORBIDDEN')) return false
      throw error
    }
  }
}

interface Correction {
  readonly live: ApiResource
  readonly manifest: ChildManifest
  readonly onImmutable: 'replace' | 'report' | 'keep'
}

function isGoing({ metadata }: ApiResource): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** Ends the annotation of objects that have fields which a plain write owns: see `mergeOwnership`. */
const writtenMark = '.w'

/** The hashes of what was written last. */
function appliedHash({ metadata }: ApiResource): ContentHash | undefined {
  const [content, shape] = metadata.annotations?.[appliedAnnotation]?.split('.') ?? []
  return content === undefined || shape === undefined ? undefined : { content, shape }
}

function appliedText({ hash }: ChildManifest, how: 'applied' | 'written'): string {
  return `${hash.content}.${hash.shape}${how === 'written' ? writtenMark : ''}`
}

/** A manifest as it is sent. */
function withApplied(manifest: ChildManifest, how: 'applied' | 'written'): ChildManifest['object'] {
  const { object } = manifest
  const annotations = {
    ...object.metadata.annotations,
    [appliedAnnotation]: appliedText(manifest, how),
  }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

/** The changes an object needs, with the note of what was written. */
function withNote(
  { metadata }: ApiResource,
  manifest: ChildManifest,
  operations: readonly JsonPatchOperation[],
): readonly JsonPatchOperation[] {
  const value = appliedText(manifest, 'written')
  if (metadata.annotations?.[appliedAnnotation] === value) return operations
  return [...operations, { op: 'add', path: appliedPath, value }]
}

const appliedPath = `/metadata/annotations/${pointerToken(appliedAnnotation)}`

/** The cheapest patch that makes these changes. */
function patchOf(
  { metadata }: ApiResource,
  { operations, needsRevision, isOfFields }: PatchTowards,
): Patch {
  const revision = { path: '/metadata/resourceVersion', value: metadata.resourceVersion }
  // A revision that is part of a merge patch has to be the current one.
  const held = needsRevision ? [{ op: 'replace', ...revision } as const, ...operations] : operations
  const merge = isOfFields ? asMergePatch(held) : undefined
  if (merge !== undefined) return { merge }
  return { json: needsRevision ? [{ op: 'test', ...revision }, ...operations] : operations }
}
