/**
 * Plans the request that brings an object to its desired state: the cheapest one that is correct,
 * and what to try when the server refuses it. Decision 0013 explains the order.
 */
import { isApiError } from '../../client/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import type { ListTypes } from '../../kinds/list-types.ts'
import { type ObjectDiff, diffObjects } from '../../patch/index.ts'
import type { ChildManifest } from '../manifest/child-manifest.ts'
import { isControlledBy } from '../owner/owner-reference.ts'
import { hasSameShape, isUpToDate, mayHaveUpdatedFields } from './applied-annotation.ts'
import { isServerOverride } from './server-overrides.ts'

/** The desired object, and what may be done to write it. */
export interface DesiredWrite {
  readonly owner: ApiResource
  readonly manifest: ChildManifest
  readonly listTypes: ListTypes
  /** Create the object, then leave it as it is. */
  readonly isCreateOnly: boolean
  /** Take over an object without a controller. */
  readonly adopts: boolean
  /** Whether a change of an immutable field deletes the object, so that it is created again. */
  readonly onImmutable: 'replace' | 'report'
}

export type WriteStep =
  /** Nothing to do, because the live object is as desired, or terminating. */
  | 'none'
  /** POST. */
  | 'create'
  /** GET, because the object exists and the cache does not have it yet. Then plan again. */
  | 'read'
  /** Add the owner to an object, and change nothing else. */
  | 'adopt'
  /** PUT in protobuf, with the bytes of the cache and the differing fields edited in them. */
  | 'edit'
  /** A patch of the differing fields. */
  | 'patch'
  /** Make the fields that plain writes own part of what apply owns. Then apply. */
  | 'takeOverFields'
  /** Server-side apply, which also removes fields that are no longer desired. */
  | 'apply'
  /** A merge patch, which replaces whole lists, because an existing item excludes a desired one. */
  | 'replaceLists'
  /** Delete the object if the server would accept a new one. */
  | 'recreate'

/** The first step, and how the live object differs from the desired one. */
interface FirstStep {
  readonly step: WriteStep
  readonly difference: ObjectDiff
}

/** The first step towards the desired state. */
export function firstStep(live: ApiResource | undefined, desired: DesiredWrite): FirstStep {
  const { owner, manifest, listTypes } = desired
  if (live === undefined) return { step: 'create', difference: nothing }
  if (isTerminating(live)) return { step: 'none', difference: nothing }
  if (desired.isCreateOnly) {
    const difference = diffObjects(live, ownerFieldsOf(manifest), listTypes)
    const isOwned = isControlledBy(live, owner) || difference.operations.length === 0
    return { step: isOwned ? 'none' : 'adopt', difference }
  }
  const difference = diffObjects(live, manifest.object, listTypes)
  if (isUpToDate(live, manifest)) {
    const isSteady = difference.operations.length === 0 || isServerOverride(live, difference)
    if (isSteady) return { step: 'none', difference }
  }
  if (hasSameShape(live, manifest)) return { step: 'edit', difference }
  return { step: mayHaveUpdatedFields(live) ? 'takeOverFields' : 'apply', difference }
}

const nothing: ObjectDiff = { operations: [], needsRevision: false, isOfFields: true }

/** The metadata by which an object belongs to its owner. */
function ownerFieldsOf({ object }: ChildManifest): Readonly<Record<string, unknown>> {
  const { ownerReferences, labels, annotations } = object.metadata
  return { metadata: { ownerReferences, labels, annotations } }
}

/** The part of an error that decides the next step. */
interface Refusal {
  readonly code: RefusalCode
  /**
   * Whether the server names a field. If so, the values are wrong; if not, the object has changed.
   */
  readonly namesField: boolean
}

/** The refusals that another step may overcome. */
const codes = [
  'API_ALREADY_EXISTS',
  'API_BAD_REQUEST',
  'API_CONFLICT',
  'API_FORBIDDEN',
  'API_INVALID',
] as const

type RefusalCode = (typeof codes)[number] | 'OTHER'

/**
 * After a refusal: another step, or an error. `failAsBefore` throws the refusal before this one.
 */
type NextStep = WriteStep | 'fail' | 'failAsBefore'

interface Row {
  readonly after: readonly WriteStep[]
  readonly codes: readonly RefusalCode[]
  readonly namesField?: boolean
  readonly onImmutable?: DesiredWrite['onImmutable']
  readonly next: NextStep
}

const invalidCodes = ['API_BAD_REQUEST', 'API_CONFLICT', 'API_INVALID'] as const

/** The first row that fits decides. */
const rows: readonly Row[] = [
  { after: ['create'], codes: ['API_ALREADY_EXISTS'], next: 'read' },
  // A patch changes only its own fields, so it cannot conflict. A role may allow patch and not
  // update.
  { after: ['edit'], codes: ['API_CONFLICT', 'API_FORBIDDEN'], next: 'patch' },
  { after: ['edit', 'patch'], codes: invalidCodes, namesField: true, next: 'replaceLists' },
  { after: ['edit', 'patch'], codes: invalidCodes, namesField: false, next: 'apply' },
  { after: ['apply'], codes: ['API_INVALID'], next: 'replaceLists' },
  { after: ['replaceLists'], codes: ['API_INVALID'], onImmutable: 'replace', next: 'recreate' },
  // The earlier error is reported, because it says more about the manifest than that of the merge
  // patch.
  { after: ['replaceLists'], codes: ['API_INVALID'], onImmutable: 'report', next: 'failAsBefore' },
]

/** The step after a refused one. */
export function nextStep(
  step: WriteStep,
  refusal: Refusal,
  { onImmutable }: Pick<DesiredWrite, 'onImmutable'>,
): NextStep {
  const row = rows.find(
    ({ after, codes: refused, ...only }) =>
      after.includes(step) &&
      refused.includes(refusal.code) &&
      (only.namesField ?? refusal.namesField) === refusal.namesField &&
      (only.onImmutable ?? onImmutable) === onImmutable,
  )
  return row?.next ?? 'fail'
}

/** What an error means for the plan. */
export function refusalOf(error: unknown): Refusal {
  const code = codes.find((one) => isApiError(error, one))
  if (code === undefined || !isApiError(error)) return { code: 'OTHER', namesField: false }
  return { code, namesField: error.status.details?.causes !== undefined }
}
