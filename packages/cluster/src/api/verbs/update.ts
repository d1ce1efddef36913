import { fieldError, goQuote, jsonEquals, type JsonObject } from 'setpoint/schema'
import type { SubresourceObject } from '../../admission/index.ts'
import { keepManagerTimes } from '../../apply/index.ts'
import { isTerminating, keyOf, metadataOf, nameOf } from '../../object/index.ts'
import {
  badRequest,
  conflict,
  invalidObject,
  notFound,
  staleObject,
  unexpectedError,
  type ApiError,
} from '../../status/index.ts'
import type { StoredObject } from '../../store/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { decodeObject } from '../body.ts'
import type { JsonAnswer } from '../http/respond.ts'
import { convertStored, storedVersion } from '../conversion/stored-forms.ts'
import { readObject, storedText } from '../object-text.ts'
import { writeOptions, type WriteOptions } from '../options/write-options.ts'
import { groupResourceOf, invalidKind, type ServedResource } from '../resources/served-resource.ts'
import { admissionAttributes, originOf } from './admission-attributes.ts'
import {
  commitPut,
  commitRemove,
  dryRunForm,
  printedForm,
  storageForm,
  storedForm,
  unprunedForm,
} from './commit.ts'
import { matchNamespace, storeNew } from './create.ts'
import { recordManagers } from './field-manager.ts'
import { completeService, nextTurn } from './complete-service.ts'
import { withoutDuplicateOwners } from './owner-references.ts'
import { objectAnswer, singleAnswer } from './represent.ts'
import { toleratedErrors } from './tolerated-errors.ts'

/** PUT: the whole object, or one subresource of it. */
export async function updateObject(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const { info, headers } = request
  let options: WriteOptions | undefined
  const readOptions = (): WriteOptions =>
    (options ??= writeOptions('UpdateOptions', {
      query: info.query,
      userAgent: headers['user-agent'] ?? '',
    }))
  const object = await decodeObject(request, resource, () => readOptions().fieldValidation)
  const { fieldManager, isDryRun } = readOptions()
  matchNamespace(object, { namespace: info.namespace, resource })
  matchName(object, info.name)
  withoutDuplicateOwners(object, request.warnings)
  const key = keyOf(resource.namespaced ? info.namespace : '', info.name)
  const stored = request.server.store.get(resource.bucket, key)
  const subresource = info.subresource
  const record = (live: JsonObject | undefined): Promise<JsonObject> =>
    recordManagers(request, resource, {
      live,
      updated: object,
      manager: fieldManager,
      subresource,
    })
  if (stored === undefined) {
    if (!resource.allowsCreateOnUpdate || !['', 'status'].includes(subresource)) {
      throw notFound(groupResourceOf(resource), info.name)
    }
    const { uid = '', resourceVersion = '' } = metadataOf(object)
    if (uid !== '') throw otherUid(resource, { key, name: info.name, uid, liveUid: '', isDryRun })
    checkRevisionText(resourceVersion)
    const created = await record(undefined)
    if (!isDryRun) delete metadataOf(created).resourceVersion
    delete metadataOf(created).uid
    return storeNew(request, resource, { object: created, isDryRun })
  }
  if (resource.conversion !== undefined) await convertStored(resource, stored)
  const live = readObject(resource, stored)
  request.turns.count(stored.text.length)
  await request.turns.next()
  return storeUpdate(request, resource, {
    stored,
    live,
    object: await record(live),
    isDryRun,
    subresource,
  })
}

/** The name of the object must equal the name in the URL. */
export function matchName(object: JsonObject, name: string): void {
  const given = nameOf(object)
  if (given === '') {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    )
  }
  if (given !== name) {
    throw badRequest(
      `the name of the object (${given}) does not match the name on the URL (${name})`,
    )
  }
}

/** An update before its last steps; patches and applies end here too. */
interface Update {
  readonly stored: StoredObject
  readonly live: JsonObject
  /** The object to store, with managedFields. */
  readonly object: JsonObject
  readonly isDryRun: boolean
  readonly subresource: string
  /** An applied custom object may still have unknown fields. */
  readonly isApplied?: true
  /** The object of the subresource that admission sees instead, and its effect on `object`. */
  readonly subject?: SubresourceObject & { readonly accept: () => void }
}

/** Validates and stores an update; an update without changes is not stored. */
export async function storeUpdate(
  request: ApiRequest,
  resource: ServedResource,
  update: Update,
): Promise<JsonAnswer> {
  const { server, warnings } = request
  const { stored, live, object, isDryRun, subresource } = update
  const attributes = admissionAttributes(request, resource, {
    operation: 'UPDATE',
    object,
    old: live,
    isDryRun,
    subject: update.subject,
  })
  await request.turns.next()
  await server.admission.mutate(attributes)
  update.subject?.accept()
  checkPreconditions(request, resource, update)
  metadataOf(object).resourceVersion = metadataOf(live).resourceVersion ?? ''
  const invalid = invalidKind(resource, object)
  restoreSystemFields(object, live)
  const change = { object, old: live, subresource }
  resource.strategy.prepareForUpdate(change, originOf(request))
  await request.turns.next()
  completeService(request, resource, { object, old: live, isDryRun })
  const errors = toleratedErrors(server, resource.strategy.validateUpdate(change))
  warnings.addAll(resource.strategy.toleratedProblems?.(object) ?? [])
  if (errors.length > 0) throw invalidObject(invalid, nameOf(object), errors)
  await nextTurn(request, resource)
  warnings.addAll(resource.strategy.warnings(change))
  const timed = keepManagerTimes(live, object, (given) => storedForm(resource, given))
  const pruned = update.isApplied === true ? resource.strategy.pruned?.(timed) : undefined
  const shown = storedForm(resource, pruned ?? timed)
  const unpruned = unprunedForm(resource, timed, pruned)
  await nextTurn(request, resource)
  await server.admission.validate(attributes)
  const finished = withoutSelfLink(shown)
  const inStorage = resource.isStorageVersion ? finished : await storageForm(resource, finished)
  if (isDryRun) {
    const read = await dryRunForm(resource, shown, inStorage)
    return objectAnswer(request, resource, { code: 200, object: read })
  }
  const expected = stored.revision
  if (isDeletionComplete(resource, finished)) {
    // Watchers get the object that was stored last; the answer has the result of this update, which
    // is never stored.
    commitRemove(request, { resource, object: live, expected })
    return objectAnswer(request, resource, { code: 200, object: printedForm(resource, timed) })
  }
  if (isStored(resource, { stored, live, finished, inStorage: unpruned ?? inStorage })) {
    return singleAnswer(request, resource, stored)
  }
  const committed = { resource, object: finished, expected, inStorage, unpruned }
  const written = commitPut(request, committed)
  if (resource.conversion !== undefined) await convertStored(resource, written)
  return singleAnswer(request, resource, written)
}

/** Storage drops this field, so only objects that are not stored show it. */
function withoutSelfLink(object: JsonObject): JsonObject {
  const { selfLink, ...metadata } = metadataOf(object)
  return selfLink === undefined ? object : { ...object, metadata: metadata as JsonObject }
}

/** The states of an object around an update. */
interface UpdatedForms {
  readonly stored: StoredObject
  readonly live: JsonObject
  readonly finished: JsonObject
  readonly inStorage: JsonObject
}

/**
 * Whether an update would store what is stored. After a change of the stored version or its schema,
 * an update without changes still rewrites the object: that is how objects are migrated.
 */
function isStored(resource: ServedResource, forms: UpdatedForms): boolean {
  const { stored, live, finished, inStorage } = forms
  const isCurrent = stored.schemaTag === resource.schemaTag
  if (!resource.isCustom) return isCurrent && jsonEquals(finished, live)
  if (isCurrent && resource.isStorageVersion) return jsonEquals(finished, live)
  return (
    storedVersion(stored) === storedVersion(resource) &&
    storedText(inStorage, stored.revision) === stored.text
  )
}

function checkPreconditions(
  request: ApiRequest,
  resource: ServedResource,
  { object, live, stored, isDryRun }: Update,
): void {
  const { uid, resourceVersion } = metadataOf(object)
  const liveUid = metadataOf(live).uid ?? ''
  const name = nameOf(live)
  const where = groupResourceOf(resource)
  // The uid of a patched object is left to validation.
  const isPatch = request.info.verb === 'patch'
  if (uid !== undefined && uid !== '' && uid !== liveUid && !isPatch) {
    throw otherUid(resource, { key: stored.key, name, uid, liveUid, isDryRun })
  }
  if (resourceVersion === undefined || resourceVersion === '' || resourceVersion === '0') {
    if (resource.allowsUnconditionalUpdate) return
    const error = fieldError.invalid(
      'metadata.resourceVersion',
      0,
      'must be specified for an update',
    )
    throw invalidObject({ group: resource.group, kind: resource.plural }, name, [error])
  }
  checkRevisionText(resourceVersion)
  if (resourceVersion !== String(stored.revision)) throw staleObject(where, name)
}

/** 500 for a resourceVersion that is not a number. */
export function checkRevisionText(revision: string): void {
  if (/^\d*$/.test(revision)) return
  throw unexpectedError(`strconv.ParseUint: parsing ${goQuote(revision)}: invalid syntax`)
}

interface UidMismatch {
  readonly key: string
  readonly name: string
  readonly uid: string
  readonly liveUid: string
  readonly isDryRun: boolean
}

/** 409 with the message of etcd's precondition check, which is where a real server finds it. */
function otherUid(
  resource: ServedResource,
  { key, name, uid, liveUid, isDryRun }: UidMismatch,
): ApiError {
  // A dry run checks the key without the prefix of the storage.
  const prefix = resource.registryPrefix.slice(isDryRun ? '/registry'.length : 0)
  return conflict(
    groupResourceOf(resource),
    name,
    `StorageError: invalid object, Code: 4, Key: ${prefix}/${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${liveUid}`,
  )
}

/** Restores the fields that no update may change. */
function restoreSystemFields(object: JsonObject, live: JsonObject): void {
  const metadata = metadataOf(object)
  const old = metadataOf(live)
  if ((metadata.uid ?? '') === '') keep(metadata, old, 'uid')
  keep(metadata, old, 'creationTimestamp')
  keep(metadata, old, 'generation')
  // Validation refuses one that an object which is not being deleted gets.
  if (old.deletionTimestamp !== undefined) metadata.deletionTimestamp = old.deletionTimestamp
  if (metadata.deletionGracePeriodSeconds === undefined) {
    keep(metadata, old, 'deletionGracePeriodSeconds')
  }
}

function keep<T extends object, K extends keyof T>(target: T, source: T, field: K): void {
  if (source[field] === undefined) Reflect.deleteProperty(target, field)
  else target[field] = source[field]
}

/** The object is terminating, and it has no finalizers or grace period left. */
function isDeletionComplete({ deletion }: ServedResource, object: JsonObject): boolean {
  const { deletionGracePeriodSeconds, finalizers } = metadataOf(object)
  const isHeld = (finalizers ?? []).length > 0 || (deletionGracePeriodSeconds ?? 0) > 0
  const holdsItself = deletion.hold?.isHeld(object) === true
  return isTerminating(object) && !isHeld && !holdsItself
}
