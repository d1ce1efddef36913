import type { Random } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import {
  formatTime,
  isTerminating,
  keyOf,
  metadataOf,
  nameOf,
  namespaceOf,
  randomSuffix,
} from '../../object/index.ts'
import {
  alreadyExists,
  badRequest,
  forbidden,
  generatedNameExists,
  invalidObject,
  unexpectedError,
} from '../../status/index.ts'
import { checkAccess } from '../access.ts'
import type { ApiRequest } from '../api-request.ts'
import { checkBodyType, decodeObject } from '../body.ts'
import type { JsonAnswer } from '../http/respond.ts'
import { convertStored } from '../conversion/stored-forms.ts'
import { readStored } from '../object-text.ts'
import { writeOptions, type WriteOptions } from '../options/write-options.ts'
import { groupResourceOf, invalidKind, type ServedResource } from '../resources/served-resource.ts'
import { admissionAttributes, originOf } from './admission-attributes.ts'
import { commitPut, dryRunForm, storageForm, storedForm, unprunedForm } from './commit.ts'
import { recordManagers } from './field-manager.ts'
import { completeService, nextTurn } from './complete-service.ts'
import { withoutDuplicateOwners } from './owner-references.ts'
import { objectAnswer, singleAnswer } from './represent.ts'
import { toleratedErrors } from './tolerated-errors.ts'

/** POST: a new object. */
export async function createObject(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const { info } = request
  let options: WriteOptions | undefined
  checkBodyType(request)
  const decoded = await decodeObject(request, resource, () => {
    options = optionsOf(request)
    return options.fieldValidation
  })
  options ??= optionsOf(request)
  matchNamespace(decoded, { namespace: info.namespace, resource })
  wipeSystemFields(decoded)
  withoutDuplicateOwners(decoded, request.warnings)
  const object = await recordManagers(request, resource, {
    live: undefined,
    updated: decoded,
    manager: options.fieldManager,
    subresource: '',
  })
  return storeNew(request, resource, { object, isDryRun: options.isDryRun })
}

function optionsOf({ info, headers }: ApiRequest): WriteOptions {
  const userAgent = headers['user-agent'] ?? ''
  return writeOptions('CreateOptions', { query: info.query, userAgent })
}

/** The last steps of a create; a PUT or an apply that creates ends here too. */
export async function storeNew(
  request: ApiRequest,
  resource: ServedResource,
  create: { readonly object: JsonObject; readonly isDryRun: boolean; readonly isApplied?: true },
): Promise<JsonAnswer> {
  const { server, warnings } = request
  const { object, isDryRun } = create
  const attributes = admissionAttributes(request, resource, {
    operation: 'CREATE',
    object,
    isDryRun,
  })
  if (resource.isTerminating) {
    const why = 'create not allowed while custom resource definition is terminating'
    throw forbidden(groupResourceOf(resource), nameOf(object), why)
  }
  await request.turns.next()
  const invalid = invalidKind(resource, object)
  await server.admission.mutate(attributes)
  setSystemFields(object, request)
  generateName(object, server.host)
  resource.strategy.prepareForCreate(object, originOf(request))
  await request.turns.next()
  completeService(request, resource, { object, isDryRun })
  const errors = toleratedErrors(server, resource.strategy.validateCreate(object))
  if (errors.length > 0) throw invalidObject(invalid, nameOf(object), errors)
  await nextTurn(request, resource)
  warnings.addAll(resource.strategy.warnings({ object }))
  // Only storage drops it.
  if (!isDryRun) delete metadataOf(object).selfLink
  const pruned = create.isApplied === true ? resource.strategy.pruned?.(object) : undefined
  const finished = storedForm(resource, pruned ?? object)
  const unpruned = unprunedForm(resource, object, pruned)
  await nextTurn(request, resource)
  if (request.info.verb !== 'create') checkCreateRight(request)
  await server.admission.validate(attributes)
  // One that is not a number counts as not set.
  if (!isDryRun && /^0*[1-9]\d*$/.test(metadataOf(object).resourceVersion ?? '')) {
    throw unexpectedError('resourceVersion should not be set on objects to be created')
  }
  const inStorage = resource.isStorageVersion ? finished : await storageForm(resource, finished)
  refuseExisting(request, resource, object)
  if (isDryRun) {
    const shown = await dryRunForm(resource, finished, inStorage)
    return objectAnswer(request, resource, { code: 201, object: shown })
  }
  const change = { resource, object: finished, expected: 0, inStorage, unpruned }
  const stored = commitPut(request, change)
  if (resource.conversion !== undefined) await convertStored(resource, stored)
  return { ...singleAnswer(request, resource, stored), code: 201 }
}

/** A PUT or an apply that creates also needs the right to create. */
function checkCreateRight({ server, user, info }: ApiRequest): void {
  checkAccess(server.authorizer, user, { ...info, verb: 'create' })
}

function refuseExisting(request: ApiRequest, resource: ServedResource, object: JsonObject): void {
  const key = keyOf(namespaceOf(object), nameOf(object))
  const existing = request.server.store.get(resource.bucket, key)
  if (existing === undefined) return
  const prefix = isTerminating(readStored(resource, existing)) ? 'object is being deleted: ' : ''
  if ((metadataOf(object).generateName ?? '') !== '') {
    // Events have one kind in two groups.
    const where = { ...groupResourceOf(resource), group: invalidKind(resource, object).group }
    throw generatedNameExists(where, nameOf(object), prefix)
  }
  throw alreadyExists(groupResourceOf(resource), nameOf(object), prefix)
}

/** Sets the namespace of the URL; 400 when the object has another one. */
export function matchNamespace(
  object: JsonObject,
  { namespace, resource }: { namespace: string; resource: Pick<ServedResource, 'namespaced'> },
): void {
  const metadata = metadataOf(object)
  if (!resource.namespaced) {
    delete metadata.namespace
    return
  }
  const given = metadata.namespace ?? ''
  if (given !== '' && given !== namespace) {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
  }
  metadata.namespace = namespace
}

/** Clears the fields that only the server may set. */
function wipeSystemFields(object: JsonObject): void {
  const metadata = metadataOf(object)
  delete metadata.uid
  delete metadata.creationTimestamp
  delete metadata.deletionTimestamp
  delete metadata.deletionGracePeriodSeconds
  delete metadata.selfLink
  if (metadata.resourceVersion === '') delete metadata.resourceVersion
}

function setSystemFields(object: JsonObject, { server }: ApiRequest): void {
  const metadata = metadataOf(object)
  metadata.uid = server.host.uuid()
  metadata.creationTimestamp = formatTime(server.host.now())
}

const generatedBaseMax = 58

function generateName(object: JsonObject, host: Random): void {
  const metadata = metadataOf(object)
  const base = metadata.generateName ?? ''
  if (base === '' || (metadata.name ?? '') !== '') return
  // A real server copies the object before each try: its labels are no longer those of its template.
  if (metadata.labels !== undefined) metadata.labels = { ...metadata.labels }
  metadata.name = base.slice(0, generatedBaseMax) + randomSuffix(host)
}
