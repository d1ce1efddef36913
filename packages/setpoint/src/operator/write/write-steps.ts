import { isApiError } from '../../client/index.ts'
import { invariant } from '../../errors/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { Kind } from '../../kinds/kind.ts'
import { patchOf, type ObjectDiff, pointerFields } from '../../patch/index.ts'
import { withApplied, withAppliedChange } from './applied-annotation.ts'
import { mergeOwnership } from './apply-ownership.ts'
import type { ObjectWriter } from './object-writer.ts'
import type { DesiredWrite, WriteStep } from './plan-write.ts'

/** The object that is written, and how. */
export interface Target {
  readonly writer: ObjectWriter
  readonly kind: Kind
  readonly desired: DesiredWrite
}

/** A step that is about to be tried. */
export interface Attempt {
  readonly step: WriteStep
  /** The object as it was read; `undefined` before it is created. */
  readonly live: ApiResource | undefined
  readonly difference: ObjectDiff
  /** The refusal that this step tries to overcome. */
  readonly cause?: unknown
}

/** An object that was written, left unchanged, or deleted to be created again. */
export interface AppliedObject {
  readonly object: ApiResource
  readonly effect: 'none' | 'written' | 'deleted'
  /** The changes that were sent without a lock; the object may have changes of other clients. */
  readonly sent?: ObjectDiff
}

/** The result of a step: done, the next step, or an object to plan again for. */
type StepResult = AppliedObject | Attempt | { readonly found: ApiResource }

type Step = (target: Target, at: Attempt & { readonly live: ApiResource }) => Promise<StepResult>

/** One function for each step. A refusal is thrown; `nextStep` decides what follows. */
export const writeSteps: Readonly<
  Record<WriteStep, (target: Target, at: Attempt) => Promise<StepResult>>
> = {
  none: onLive(async (_, { live }) => ({ object: live, effect: 'none' })),

  create: async ({ writer, kind, desired }) =>
    written(await writer.create(kind, withApplied(desired.manifest, 'update'))),

  read: async ({ writer, kind, desired }) => ({
    found: await writer.read(kind, desired.manifest.object.metadata),
  }),

  adopt: onLive(async ({ writer, kind }, { live, difference }) =>
    written(await writer.patch(kind, live, patchOf(live, difference))),
  ),

  edit: onLive(async ({ writer, kind, desired }, at) => {
    const { operations } = changesOf(desired, at)
    // The revision that is sent with the object replaces the tests of a JSON patch.
    const edits = operations
      .filter(({ op }) => op !== 'test')
      .map(({ op, path, value }) => ({
        path: pointerFields(path),
        value: op === 'remove' ? null : value,
      }))
    const edited = await writer.edit(kind, at.live, () => edits)
    // Without the bytes of this revision in the cache there is nothing to edit.
    return edited === undefined ? { ...at, step: 'patch' } : written(edited)
  }),

  patch: onLive(async ({ writer, kind, desired }, at) => {
    const object = await writer.patch(kind, at.live, patchOf(at.live, changesOf(desired, at)))
    return at.difference.needsRevision
      ? written(object)
      : { ...written(object), sent: at.difference }
  }),

  takeOverFields: onLive(async ({ writer, kind }, at) => {
    const fresh = await writer.read(kind, at.live.metadata)
    if (fresh.metadata.uid !== at.live.metadata.uid) return { found: fresh }
    const json = mergeOwnership(fresh, writer.fieldManager)
    const live = json === undefined ? fresh : await writer.patch(kind, fresh, { json })
    return { ...at, step: 'apply', live }
  }),

  apply: onLive(async ({ writer, kind, desired }, { live }) => {
    const manifest = withApplied(desired.manifest, 'apply')
    // The server refuses the uid of another object.
    const metadata = { ...manifest.metadata, uid: live.metadata.uid }
    return written(await writer.apply(kind, { ...manifest, metadata }))
  }),

  replaceLists: onLive(async ({ writer, kind, desired }, { live }) => {
    const manifest = withApplied(desired.manifest, 'update')
    const { resourceVersion } = live.metadata
    const merge = { ...manifest, metadata: { ...manifest.metadata, resourceVersion } }
    return written(await writer.patch(kind, live, { merge }))
  }),

  recreate: onLive(async ({ writer, kind, desired }, { live, cause }) => {
    // An invalid manifest must not delete the live object.
    if (!(await isCreatable(writer, kind, withApplied(desired.manifest, 'update')))) throw cause
    await writer.delete(kind, live)
    return { object: live, effect: 'deleted' }
  }),
}

function onLive(step: Step): (target: Target, at: Attempt) => Promise<StepResult> {
  return async (target, at) => {
    const { live } = at
    invariant(live, `the step ${at.step} needs a live object`)
    return step(target, { ...at, live })
  }
}

function written(object: ApiResource): AppliedObject {
  return { object, effect: 'written' }
}

function changesOf({ manifest }: DesiredWrite, at: Attempt & { live: ApiResource }): ObjectDiff {
  return {
    ...at.difference,
    operations: withAppliedChange(at.live, manifest, at.difference.operations),
  }
}

/**
 * Whether the server would accept the object as a new one. It validates before it checks the name.
 */
async function isCreatable(writer: ObjectWriter, kind: Kind, manifest: object): Promise<boolean> {
  try {
    await writer.createDryRun(kind, manifest)
    return true
  } catch (error) {
    if (isApiError(error, 'API_ALREADY_EXISTS')) return true
    if (isApiError(error, 'API_INVALID', 'API_BAD_REQUEST', 'API_FORBIDDEN')) return false
    throw error
  }
}
