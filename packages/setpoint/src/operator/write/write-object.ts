import { keyOf } from '../../cache/index.ts'
import { RetryLaterError } from '../../controller/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import type { Kind } from '../../kinds/kind.ts'
import { listTypesOf } from '../../kinds/list-types-of.ts'
import { diffObjects, isCoveredBy } from '../../patch/index.ts'
import { checkOurs, isControlledBy } from '../owner/owner-reference.ts'
import { isFromNewerOwner, isMarked, isUpToDate } from './applied-annotation.ts'
import type { ObjectWriter } from './object-writer.ts'
import { type DesiredWrite, firstStep, nextStep, refusalOf } from './plan-write.ts'
import { isServerOverride, overridesPatch } from './server-overrides.ts'
import { type AppliedObject, type Attempt, type Target, writeSteps } from './write-steps.ts'

/**
 * The desired object, and how it is written. A change of an immutable field is reported by default.
 */
interface Desired extends Pick<DesiredWrite, 'owner' | 'manifest'> {
  readonly isCreateOnly?: boolean
  readonly adopts?: boolean
  readonly onImmutable?: DesiredWrite['onImmutable'] | undefined
}

/** Brings an object to its desired state, step by step, as `plan-write.ts` plans it. */
export async function writeObject(
  writer: ObjectWriter,
  kind: Kind,
  { owner, manifest, isCreateOnly = false, adopts = false, onImmutable = 'report' }: Desired,
): Promise<AppliedObject> {
  const listTypes = listTypesOf(kind)
  const target: Target = {
    writer,
    kind,
    desired: { owner, manifest, listTypes, isCreateOnly, adopts, onImmutable },
  }
  const live = writer.live(kind, keyOf(manifest.object.metadata))
  const applied = await runSteps(target, await begin(target, live))
  const isDriftCorrected = live !== undefined && isUpToDate(live, manifest)
  return isDriftCorrected && !isCreateOnly ? withOverrides(target, applied) : applied
}

async function begin(
  { writer, kind, desired }: Target,
  live: ApiResource | undefined,
): Promise<Attempt> {
  const { owner, manifest } = desired
  if (live === undefined) return { ...firstStep(live, desired), live }
  checkOurs(kind, live, { ...desired, isMarked: isMarked(live, manifest) })
  const first = firstStep(live, desired)
  const mayBeOutdated =
    first.step !== 'none' && isControlledBy(live, owner) && isFromNewerOwner(live, manifest)
  if (mayBeOutdated && !(await writer.isOwnerCurrent())) {
    const child = `${kind.kind} ${keyOf(live.metadata)}`
    throw new RetryLaterError(
      `the cache is stale: ${child} was written for a newer generation of its owner`,
      { after: '1s' },
    )
  }
  return { ...first, live }
}

async function runSteps(target: Target, first: Attempt): Promise<AppliedObject> {
  for (let at = first; ;) {
    const result = await tryStep(target, at)
    if ('effect' in result) return result
    at = 'found' in result ? await begin(target, result.found) : result
  }
}

async function tryStep(target: Target, at: Attempt): ReturnType<(typeof writeSteps)['none']> {
  try {
    return await writeSteps[at.step](target, at)
  } catch (error) {
    const step = nextStep(at.step, refusalOf(error), target.desired)
    if (step === 'fail') throw error
    if (step === 'failAsBefore') throw at.cause
    // The error to report if the object cannot be recreated: that of apply, not that of
    // `replaceLists`.
    return { ...at, step, cause: step === 'recreate' ? at.cause : error }
  }
}

/** Records the fields that the server overrides, so that they are not sent again. */
async function withOverrides(
  { writer, kind, desired }: Target,
  applied: AppliedObject,
): Promise<AppliedObject> {
  const { object, effect, sent } = applied
  if (effect !== 'written' || isTerminating(object)) return applied
  const difference = diffObjects(object, desired.manifest.object, desired.listTypes)
  if (difference.operations.length === 0 || isServerOverride(object, difference)) return applied
  // What was not sent, another client has changed. The next reconcile corrects it.
  if (sent !== undefined && !isCoveredBy(difference, sent)) return applied
  return {
    object: await writer.patch(kind, object, overridesPatch(object, difference)),
    effect: 'written',
  }
}
