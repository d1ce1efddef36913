import { appliedValuesMax, checkShape } from '../../../limits/index.ts'
import { isJsonObject, type JsonObject } from 'setpoint/schema'
import { applyConfiguration } from '../../../apply/index.ts'
import { parseYaml } from '../../../codec/index.ts'
import { keyOf, metadataOf, nameOf } from '../../../object/index.ts'
import { ApiError, badRequest, conflict, notFound } from '../../../status/index.ts'
import type { ApiRequest } from '../../api-request.ts'
import { isUnreadable, reportFields, textOf, unsupportedMediaType } from '../../body.ts'
import { readBody } from '../../read-body.ts'
import type { JsonAnswer } from '../../http/respond.ts'
import { jsonKind } from '../../json-kind.ts'
import { convertStored } from '../../conversion/stored-forms.ts'
import { withConversions } from '../../conversion/with-conversions.ts'
import { readObject } from '../../object-text.ts'
import { writeOptions, type WriteOptions } from '../../options/write-options.ts'
import { groupResourceOf, type ServedResource } from '../../resources/served-resource.ts'
import { matchNamespace, storeNew } from '../create.ts'
import { managerIdentity, recordManagers } from '../field-manager.ts'
import { withoutDuplicateOwners } from '../owner-references.ts'
import { decodePatched } from './patched-object.ts'
import { applyPatch, readPatch, type ReadPatch } from './read-patch.ts'
import { readableOrMissing } from '../read.ts'
import { checkRevisionText, matchName, storeUpdate } from '../update.ts'

/** The media types of the four kinds of patches. */
export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

/** PATCH: a change of an object instead of the whole object. */
export async function patchObject(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const type = patchType(request, resource)
  const bytes = await readBody(request)
  const options = patchOptions(request, type)
  auditPatch(request, bytes)
  if (type === patchTypes.apply)
    return applyObject(request, resource, { text: textOf(bytes), options })
  const stored = await readableOrMissing(request, resource)
  const live = readObject(resource, stored)
  request.turns.count(stored.text.length)
  const patch = readPatch(textOf(bytes), plainType(type), options.fieldValidation)
  const value = applyPatch(readObject(resource, stored), patch, resource.patchDefinition)
  await request.turns.next()
  const object = await decodePatched(request, resource, { value, options, patch, live })
  matchNamespace(object, { namespace: request.info.namespace, resource })
  matchName(object, request.info.name)
  withoutDuplicateOwners(object, request.warnings, { isPatched: true })
  const { subresource } = request.info
  const recorded = await recordManagers(request, resource, {
    live,
    updated: object,
    manager: options.fieldManager,
    subresource,
  })
  const { isDryRun } = options
  return storeUpdate(request, resource, {
    stored,
    live,
    object: recorded,
    isDryRun,
    subresource,
  })
}

/** Logs a patch; one that cannot be read is refused later. */
export function auditPatch({ audit }: ApiRequest, bytes: Uint8Array): void {
  if (audit?.has('Request') !== true) return
  try {
    const { value } = parseYaml(textOf(bytes))
    audit.requestPatch(value)
  } catch (error) {
    if (!isUnreadable(error)) throw error
  }
}

/** The media type of a patch; 415 when the resource does not support it. */
export function patchType(request: Pick<ApiRequest, 'headers'>, resource: ServedResource): string {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const known: string[] = [patchTypes.json, patchTypes.merge]
  if (resource.patchDefinition !== undefined) known.push(patchTypes.strategic)
  known.push(patchTypes.apply)
  if (known.includes(type)) return type
  if (resource.isCustom) throw unsupportedMediaType(known)
  throw new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  })
}

/** The patches that need only the object, by media type. */
export function plainType(type: string): ReadPatch['type'] {
  if (type === patchTypes.json) return 'json'
  return type === patchTypes.merge ? 'merge' : 'strategic'
}

/** The validated options of a patch. */
export function patchOptions({ info, headers }: ApiRequest, type: string): WriteOptions {
  return writeOptions('PatchOptions', {
    query: info.query,
    userAgent: headers['user-agent'] ?? '',
    isApply: type === patchTypes.apply,
  })
}

async function applyObject(
  request: ApiRequest,
  resource: ServedResource,
  { text, options }: { text: string; options: WriteOptions },
): Promise<JsonAnswer> {
  const { info, server } = request
  const key = keyOf(resource.namespaced ? info.namespace : '', info.name)
  const stored = server.store.get(resource.bucket, key)
  if (stored === undefined && !createsByApply(resource, info.subresource)) {
    throw notFound(groupResourceOf(resource), info.name)
  }
  const config = appliedConfig(request, text, options)
  await request.turns.next()
  checkAppliedKind(config, resource)
  if (stored !== undefined && resource.conversion !== undefined) {
    await convertStored(resource, stored)
  }
  const live = stored === undefined ? undefined : readObject(resource, stored)
  const { object: merged } = await withConversions(resource, (convert) =>
    applyConfiguration({
      live,
      config,
      kind: resource.kind,
      schema: resource.applySchema(),
      schemaOfVersion: resource.applySchemaOf,
      ...(convert === undefined ? {} : { convert }),
      by: managerIdentity(request, resource, {
        manager: options.fieldManager,
        subresource: info.subresource,
      }),
      force: options.force,
      reset: resource.resetFields(info.subresource),
    }),
  )
  const defaulting = { keepsNulls: true }
  await request.turns.next()
  const object = await decodePatched(request, resource, {
    value: merged,
    options,
    defaulting,
    config,
  })
  if (live === undefined) refuseUnidentified(config, resource, info.name)
  matchNamespace(object, { namespace: info.namespace, resource })
  matchName(object, info.name)
  const { isDryRun } = options
  if (stored === undefined || live === undefined) {
    checkRevisionText(metadataOf(object).resourceVersion ?? '')
    if (!isDryRun) delete metadataOf(object).resourceVersion
    return storeNew(request, resource, { object, isDryRun, isApplied: true })
  }
  const { subresource } = info
  const update = { stored, live, object, isDryRun, subresource, isApplied: true } as const
  return storeUpdate(request, resource, update)
}

/** Whether an apply to a missing object creates it; two kinds allow it even at their status. */
function createsByApply(
  { allowsCreateOnUpdate, kind }: ServedResource,
  subresource: string,
): boolean {
  if (subresource !== 'status') return subresource === ''
  return allowsCreateOnUpdate || kind === 'ValidatingAdmissionPolicy'
}

/** The configuration of an apply: YAML, which includes JSON. */
export function appliedConfig(
  request: ApiRequest,
  text: string,
  options: WriteOptions,
): JsonObject {
  let parsed
  try {
    parsed = parseYaml(text)
    checkShape(parsed.value, appliedValuesMax)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`)
  }
  reportFields(request, parsed.duplicateFields, {
    validation: options.fieldValidation,
    refuse: (texts) => badRequest(`error strict decoding YAML: ${texts}`),
  })
  const { value } = parsed
  if (isJsonObject(value)) return value
  if (value === null) return {}
  throw badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
  )
}

function checkAppliedKind(config: JsonObject, resource: ServedResource): void {
  const apiVersion = typeof config['apiVersion'] === 'string' ? config['apiVersion'] : ''
  const kind = typeof config['kind'] === 'string' ? config['kind'] : ''
  if (apiVersion !== resource.apiVersion || kind !== resource.kind) {
    const parts = apiVersion.split('/')
    // An invalid apiVersion loses the kind too, as on a real server.
    if (parts.length > 2) throw badRequest('invalid object type: /, Kind=')
    const [group = '', version = ''] = parts.length === 2 ? parts : ['', apiVersion]
    throw badRequest(`invalid object type: ${group}/${version}, Kind=${kind}`)
  }
}

function refuseUnidentified(config: JsonObject, resource: ServedResource, name: string): void {
  const { uid = '' } = metadataOf(config)
  if (uid !== '') {
    throw conflict(
      groupResourceOf(resource),
      name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    )
  }
  if (nameOf(config) !== '') return
  throw badRequest(
    `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
  )
}
