/**
 * Which request brings an object to its desired state: the cheapest one that is right, and what to
 * try when the server refuses it. Decision 0013 explains the order.
 */
import { isApiError } from '../../client/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import type { ListTypes } from '../../kinds/list-types.ts'
import { type PatchTowards, patchTowards } from '../../patch/index.ts'
import type { ChildManifest } from '../manifest/child-manifest.ts'
import { isControlledBy } from '../owner/owner-reference.ts'
import { hasSameShape, isUpToDate, mayHaveUpdatedFields } from './applied-annotation.ts'
import { isServerOverride } from './server-overrides.ts'

/** What is desired of an object, and what may be done to get there. */
export interface DesiredWrite {
  readonly owner: ApiResource
  readonly manifest: ChildManifest
  readonly listTypes: ListTypes
  /** Create the object, then leave it as it is. */
  readonly isCreateOnly: boolean
  /** Whether a change of an immutable field deletes the object, so that it is created again. */
  readonly onImmutable: 'replace' | 'report'
}

export type WriteStep =
  /** Nothing to do: the live object is as desired, or terminating. */
  | 'none'
  /** POST. */
  | 'create'
  /** GET: the object exists, and the cache does not have it yet. Then plan again. */
  | 'read'
  /** Add the owner to an object that is otherwise left as it is. */
  | 'adopt'
  /** PUT in protobuf: the bytes of the cache with the differing fields edited in them. */
  | 'edit'
  /** A patch of the differing fields. */
  | 'patch'
  /** Make the fields that plain writes own part of what apply owns. Then apply. */
  | 'takeOverFields'
  /** Server-side apply: also removes fields that are no longer desired. */
  | 'apply'
  /** A merge patch: replaces whole lists, because an existing item excludes a desired one. */
  | 'replaceLists'
  /** Delete the object if the server would accept a new one. */
  | 'recreate'

/** The first step, and what the live object lacks. */
interface FirstStep {
  readonly step: WriteStep
  readonly lacking: PatchTowards
}

/** The first step towards the desired state. */
export function firstStep(live: ApiResource | undefined, desired: DesiredWrite): FirstStep {
  const { owner, manifest, listTypes } = desired
  if (live === undefined) return { step: 'create', lacking: nothing }
  if (isTerminating(live)) return { step: 'none', lacking: nothing }
  if (desired.isCreateOnly) {
    const lacking = patchTowards(live, ownerFieldsOf(manifest), listTypes)
    const isOwned = isControlledBy(live, owner) || lacking.operations.length === 0
    return { step: isOwned ? 'none' : 'adopt', lacking }
  }
  const lacking = patchTowards(live, manifest.object, listTypes)
  if (isUpToDate(live, manifest)) {
    const isSteady = lacking.operations.length === 0 || isServerOverride(live, lacking)
    if (isSteady) return { step: 'none', lacking }
  }
  if (hasSameShape(live, manifest)) return { step: 'edit', lacking }
  return { step: mayHaveUpdatedFields(live) ? 'takeOverFields' : 'apply', lacking }
}

const nothing: PatchTowards = { operations: [], needsRevision: false, isOfFields: true }

/** The metadata by which an object belongs to its owner. */
function ownerFieldsOf({ object }: ChildManifest): Readonly<Record<string, unknown>> {
  const { ownerReferences, labels, annotations } = object.metadata
  return { metadata: { ownerReferences, labels, annotations } }
}

/** The part of an error that decides the next step. */
interface Refusal {
  readonly code: RefusalCode
  /**
   * Whether the server names a field: then the values are wrong. Otherwise the object has changed.
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

const unfit = ['API_BAD_REQUEST', 'API_CONFLICT', 'API_INVALID'] as const

/** The first row that fits decides. */
const rows: readonly Row[] = [
  { after: ['create'], codes: ['API_ALREADY_EXISTS'], next: 'read' },
  // A patch changes only its own fields, so it cannot conflict. A role may allow patch and not
  // update.
  { after: ['edit'], codes: ['API_CONFLICT', 'API_FORBIDDEN'], next: 'patch' },
  { after: ['edit', 'patch'], codes: unfit, namesField: true, next: 'replaceLists' },
  { after: ['edit', 'patch'], codes: unfit, namesField: false, next: 'apply' },
  { after: ['apply'], codes: ['API_INVALID'], next: 'replaceLists' },
  { after: ['replaceLists'], codes: ['API_INVALID'], onImmutable: 'replace', next: 'recreate' },
  // The earlier error is reported: it says more about the manifest than that of the merge patch.
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
