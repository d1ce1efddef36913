import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { decodeTyped, encodeJson, parseJson, TypedDecodeError } from '../../codec/index.ts'
import { metadataOf, nameOf, namespaceOf } from '../../object/index.ts'
import { badRequest, conflict, type ApiError, type Status } from '../../status/index.ts'
import type { StoredObject } from '../../store/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { contentType, isUnreadable, notAnObject, parseBody } from '../body.ts'
import { readBody } from '../read-body.ts'
import { statusAnswer, type JsonAnswer } from '../http/respond.ts'
import { convertStored } from '../conversion/stored-forms.ts'
import { objectText, readObject } from '../object-text.ts'
import { deleteOptions, type DeleteOptions } from '../options/delete-options.ts'
import { groupResourceOf, invalidKind, type ServedResource } from '../resources/served-resource.ts'
import { admissionAttributes } from './admission-attributes.ts'
import { commitPut, commitRemove, storageForm, storedForm, type Change } from './commit.ts'
import { beginDeletion, withZeroGrace, type DeletionStep } from './deletion.ts'
import { storedOrMissing } from './read.ts'
import { objectAnswer } from './represent.ts'

/** DELETE of one object. */
export async function deleteObject(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const options = await readDeleteOptions(request)
  warnOfOrphans(request, resource, options)
  const outcome = await removeObject(request, resource, {
    stored: storedOrMissing(request, resource),
    options,
  })
  const { transform } = request.media
  const shown = (code: number): JsonAnswer =>
    transform === undefined
      ? { code, text: outcome.text }
      : objectAnswer(request, resource, { code, object: objectOf(outcome.text) })
  if (!outcome.isDeleted) return shown(options.isOrphanDenied ? 202 : 200)
  if (resource.deletion.returnsObject || outcome.isShown === true) return shown(200)
  return statusAnswer(successStatus(resource, outcome.object))
}

function objectOf(text: string): JsonObject {
  const { value } = parseJson(text)
  return isJsonObject(value) ? value : {}
}

/** Jobs are the only kind of a current version that orphans its pods by default. */
export function warnOfOrphans(
  { warnings }: ApiRequest,
  { group, deletion }: ServedResource,
  { propagation }: DeleteOptions,
): void {
  if (group !== 'batch' || !deletion.orphansByDefault || propagation !== undefined) return
  warnings.add(
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  )
}

function successStatus(resource: ServedResource, object: JsonObject): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: nameOf(object),
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.plural,
      uid: metadataOf(object).uid ?? '',
    },
  }
}

/** The result of a deletion. */
interface Removal {
  readonly isDeleted: boolean
  readonly object: JsonObject
  readonly text: string
  /** The answer has the object even if those of others of its kind have a Status. */
  readonly isShown?: true
}

/** The deletion of one object. */
interface Deletion {
  readonly stored: StoredObject
  readonly options: DeleteOptions
  /** Webhooks then see no name in the request, only the old object. */
  readonly isOfCollection?: boolean
}

/** Deletes an object, or marks it as terminating when it has finalizers or a grace period. */
export async function removeObject(
  request: ApiRequest,
  resource: ServedResource,
  { stored, options, isOfCollection = false }: Deletion,
): Promise<Removal> {
  const { server } = request
  const { conversion } = resource
  if (conversion !== undefined) await convertStored(resource, stored)
  const live = readObject(resource, stored)
  checkDeletePreconditions(resource, live, options)
  const { isDryRun } = options
  const attributes = admissionAttributes(request, resource, {
    operation: 'DELETE',
    object: live,
    isDryRun,
    options: sentOptions(resource, live, options),
    ...(isOfCollection ? { place: { namespace: namespaceOf(live), name: '' } } : {}),
  })
  await server.admission.mutate(attributes)
  await server.admission.validate(attributes)
  if (conversion === undefined) return removeAdmitted(request, resource, { stored, live, options })
  const step = beginDeletion(resource, live, { options, nowMs: server.host.now() })
  const inStorage = typeof step === 'string' ? undefined : await storageForm(resource, step)
  const removal = takeStep(request, resource, { stored, live, step, inStorage, options })
  if (removal.written === undefined) return { ...removal, text: encodeJson(removal.object) }
  await convertStored(resource, removal.written)
  return { ...removal, text: objectText(resource, removal.written) }
}

/** The deletion of a Namespace has its uid as a precondition, even if the client sent none. */
function sentOptions(
  resource: ServedResource,
  live: JsonObject,
  { sent }: DeleteOptions,
): JsonObject | undefined {
  const { uid } = metadataOf(live)
  return sent?.(isNamespaces(resource) ? uid : undefined)
}

/** Deletes an object without asking admission, which an eviction has asked before. */
export function removeAdmitted(
  request: ApiRequest,
  resource: ServedResource,
  { stored, live, options }: { stored: StoredObject; live: JsonObject; options: DeleteOptions },
): Removal {
  const step = beginDeletion(resource, live, { options, nowMs: request.server.host.now() })
  const removal = takeStep(request, resource, { stored, live, step, options })
  const { object, written } = removal
  const text = written === undefined ? encodeJson(object) : objectText(resource, written)
  return { ...removal, text }
}

interface AdmittedDeletion {
  readonly stored: StoredObject
  readonly live: JsonObject
  readonly step: DeletionStep
  /** The object of the step in the stored version, if a webhook has converted it. */
  readonly inStorage?: JsonObject | undefined
  readonly options: DeleteOptions
}

function losesFinalizers({ deletion }: ServedResource, live: JsonObject): boolean {
  const { finalizers = [] } = metadataOf(live)
  return finalizers.length > 0 && !deletion.isGraceful && deletion.hold === undefined
}

function emptyObject(resource: ServedResource, live: JsonObject): JsonObject {
  const { kind = '', apiVersion = '' } = live
  return { kind, apiVersion, ...resource.applySchema().empty }
}

function emptyRevision(
  resource: ServedResource,
  { key }: StoredObject,
  live: JsonObject,
): ApiError {
  const { resourceVersion = '' } = metadataOf(live)
  return conflict(
    groupResourceOf(resource),
    nameOf(live),
    `StorageError: invalid object, Code: 4, Key: ${resource.registryPrefix}/${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: , ResourceVersion in object meta: ${resourceVersion}`,
  )
}

/** Stores one step of a deletion. `written` is what the answer shows, except in a dry run. */
function takeStep(
  request: ApiRequest,
  resource: ServedResource,
  { stored, live, step, inStorage, options }: AdmittedDeletion,
): Omit<Removal, 'text'> & { readonly written?: StoredObject } {
  const { isDryRun } = options
  if (step === 'unchanged') return { isDeleted: false, object: live, written: stored }
  const isDeleted = step === 'gone'
  if (isDeleted && losesFinalizers(resource, live)) {
    // A real server asks storage to remove the finalizers, which is refused because none are left,
    // and continues with the empty object that it had prepared for the answer.
    if (isDryRun) return { isDeleted, object: emptyObject(resource, live), isShown: true }
    if (options.resourceVersion !== undefined) throw emptyRevision(resource, stored, live)
  }
  const object = isDeleted ? live : storedForm(resource, step)
  if (isDryRun) {
    const isMarked = isDeleted && resource.deletion.isGraceful
    return { isDeleted, object: isMarked ? withZeroGrace(live, request.server.host.now()) : object }
  }
  const change = { resource, object, expected: stored.revision, inStorage }
  if (isDeleted && resource.deletion.isGraceful) return removeGraceful(request, change)
  const written = isDeleted ? commitRemove(request, change) : commitPut(request, change)
  return { isDeleted, object, written }
}

/**
 * Before a pod is deleted immediately, its grace period is set to 0: watchers get a MODIFIED event,
 * then DELETED.
 */
function removeGraceful(
  request: ApiRequest,
  change: Change,
): Omit<Removal, 'text'> & { readonly written: StoredObject } {
  const { resource, object: live } = change
  const object = withZeroGrace(live, request.server.host.now())
  const marked = commitPut(request, { ...change, object })
  commitRemove(request, { resource, object, expected: marked.revision })
  return { isDeleted: true, object, written: marked }
}

/** 409 unless the object has the uid and resourceVersion of the options. */
export function checkDeletePreconditions(
  resource: ServedResource,
  live: JsonObject,
  { uid, resourceVersion }: DeleteOptions,
): void {
  const metadata = metadataOf(live)
  if (isNamespaces(resource)) return checkNamespacePreconditions(live, { uid, resourceVersion })
  const { group, kind } = invalidKind(resource)
  const where = { group, resource: kind }
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      where,
      nameOf(live),
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      where,
      nameOf(live),
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`,
    )
  }
}

function isNamespaces({ group, plural }: ServedResource): boolean {
  return group === '' && plural === 'namespaces'
}

/** Namespaces have their own deletion, with another message. */
function checkNamespacePreconditions(
  live: JsonObject,
  expected: Pick<DeleteOptions, 'uid' | 'resourceVersion'>,
): void {
  const metadata = metadataOf(live)
  const check = (name: string, given: string | undefined, own = ''): void => {
    if (given === undefined || given === own) return
    const why = `Precondition failed: ${name} in precondition: ${given}, ${name} in object meta: ${own}`
    throw conflict({ group: '', resource: 'namespaces' }, nameOf(live), why)
  }
  check('UID', expected.uid, metadata.uid)
  check('ResourceVersion', expected.resourceVersion, metadata.resourceVersion)
}

const deleteOptionsKind = {
  isCustom: false,
  apiVersion: 'meta.k8s.io/v1',
  kind: 'DeleteOptions',
} as const

function orDefault(given: JsonValue | undefined, text: string): JsonValue {
  return given === undefined || given === null || given === '' ? text : given
}

/** The options from the body, otherwise from the query. */
export async function readDeleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const bytes = await readBody(request)
  if (bytes.length === 0) return deleteOptions(undefined, request.info.query)
  let value
  try {
    value = parseBody(bytes, contentType(request), deleteOptionsKind).value
  } catch (error) {
    if (!isUnreadable(error)) throw error
    const isJson = contentType(request) === 'application/json'
    const prefix = isJson ? "couldn't get version/kind; json parse error: " : ''
    throw badRequest(prefix + error.message)
  }
  value ??= {}
  if (!isJsonObject(value)) throw badRequest(notAnObject(value))
  const kind = orDefault(value['kind'], deleteOptionsKind.kind)
  if (kind !== deleteOptionsKind.kind) {
    const apiVersion = orDefault(value['apiVersion'], deleteOptionsKind.apiVersion)
    throw badRequest(
      `no kind ${encodeJson(kind)} is registered for version ${encodeJson(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    )
  }
  try {
    const apiVersion = 'meta.k8s.io/v1'
    const { object } = decodeTyped({ apiVersion, kind: 'DeleteOptions', value })
    // A real server logs the options in its internal form.
    request.audit?.requestObject({ ...object, kind, apiVersion: 'meta.k8s.io/__internal' })
    return deleteOptions(object, request.info.query)
  } catch (error) {
    if (!(error instanceof TypedDecodeError) && !isUnreadable(error)) throw error
    throw badRequest(error.message)
  }
}
