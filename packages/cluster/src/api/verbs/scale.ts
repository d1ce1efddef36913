import { fieldError, isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import {
  applyConfiguration,
  builtinApplySchema,
  customScaleRefusal,
  managersFromScale,
  managersOfScale,
  recordUpdate,
  resetNothing,
  unconvertibleRefusal,
  unmanagedScaleRefusal,
  type ReplicasPaths,
} from '../../apply/index.ts'
import { TypedDecodeError } from '../../codec/index.ts'
import { formatTime, metadataOf, nameOf } from '../../object/index.ts'
import { badRequest, internalError, invalidObject, unexpectedError } from '../../status/index.ts'
import { scalePrinter, type TablePrinter } from '../../tables/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { decodeObject, textOf } from '../body.ts'
import { readBody } from '../read-body.ts'
import type { JsonAnswer } from '../http/respond.ts'
import { readObject } from '../object-text.ts'
import { writeOptions, type WriteOptions } from '../options/write-options.ts'
import type { ScalePaths, ServedResource } from '../resources/served-resource.ts'
import { typedTarget, type DecodeTarget } from '../typed-target.ts'
import { conversionProblem } from './conversion-problem.ts'
import { matchNamespace } from './create.ts'
import {
  auditPatch,
  appliedConfig,
  patchOptions,
  patchType,
  patchTypes,
  plainType,
} from './patch/patch.ts'
import { readAsAsked } from './get.ts'
import { decodePatched } from './patch/patched-object.ts'
import { applyPatch, readPatch } from './patch/read-patch.ts'
import { readableOrMissing } from './read.ts'
import { objectAnswer } from './represent.ts'
import { matchName, storeUpdate } from './update.ts'
import { labelSelectorText } from '../select/label-selector-text.ts'

/** GET of `scale`. */
export async function getScale(request: ApiRequest, resource: ServedResource): Promise<JsonAnswer> {
  const object = readObject(resource, await readAsAsked(request, resource))
  const { specReplicas } = pathsOf(resource)
  if (resource.isCustom && numberAt(object, specReplicas) === undefined) {
    throw internalError(`the spec replicas field ".${specReplicas.join('.')}" does not exist`)
  }
  return scaleAnswer(request, resource, { code: 200, object })
}

/** PUT of `scale`. */
export async function updateScale(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const { query } = request.info
  const userAgent = request.headers['user-agent'] ?? ''
  const readOptions = (): WriteOptions => writeOptions('UpdateOptions', { query, userAgent })
  const updated = await decodeObject(
    request,
    resource.isCustom ? customTarget : target,
    () => readOptions().fieldValidation,
  )
  matchPlace(request, updated)
  return writeScale(request, resource, { updated, options: readOptions() })
}

function matchPlace({ info }: ApiRequest, scale: JsonObject): void {
  matchNamespace(scale, { namespace: info.namespace, resource: { namespaced: true } })
  matchName(scale, info.name)
}

/** PATCH of `scale`. */
export async function patchScale(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const type = patchType(request, resource)
  const bytes = await readBody(request)
  const text = textOf(bytes)
  const options = patchOptions(request, type)
  auditPatch(request, bytes)
  if (type === patchTypes.apply) {
    const config = appliedConfig(request, text, options)
    return writeScale(request, resource, { config, options })
  }
  const live = managedScale(
    readObject(resource, await readableOrMissing(request, resource)),
    resource,
  )
  const patch = readPatch(text, plainType(type), options.fieldValidation)
  const value = applyPatch(live, patch, scaleDefinition)
  const as = resource.isCustom ? customTarget : target
  const updated = await decodePatched(request, as, { value, options, patch, live })
  matchPlace(request, updated)
  return writeScale(request, resource, { updated, options })
}

/** A write of a Scale: the new Scale, or the applied configuration. */
type ScaleWrite = { readonly options: WriteOptions } & (
  { readonly updated: JsonObject } | { readonly config: JsonObject }
)

async function writeScale(
  request: ApiRequest,
  resource: ServedResource,
  write: ScaleWrite,
): Promise<JsonAnswer> {
  const { isDryRun } = write.options
  const stored = await readableOrMissing(request, resource)
  const live = readObject(resource, stored)
  const scale = recordedScale(request, resource, { live, write })
  const object = readObject(resource, stored)
  const { uid = '', resourceVersion = '' } = metadataOf(scale)
  if (uid !== '') metadataOf(object).uid = uid
  if (resourceVersion !== '') metadataOf(object).resourceVersion = resourceVersion
  // The managers of a Scale are recorded after admission.
  const shown: JsonObject = { ...scale, metadata: { ...metadataOf(scale) } as JsonObject }
  setManagers(shown, undefined)
  const accept = (): void => {
    scale['spec'] = shown['spec'] ?? {}
    setAt(object, pathsOf(resource).specReplicas, checkedReplicas(resource, scale))
    setManagers(object, scaledManagers(live, scale, resource))
  }
  const subject = {
    kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    object: shown,
    old: scaleOf(live, resource),
    decode: (changed: JsonObject) => target.strategy.decode(changed).object,
    accept,
  }
  const update = { stored, live, object, isDryRun, subresource: '', subject }
  const answer = await storeUpdate(request, resource, update)
  if (isDryRun) return scaleAnswer(request, resource, { code: 200, object })
  const after = readObject(resource, await readableOrMissing(request, resource))
  return scaleAnswer(request, resource, { code: answer.code, object: after })
}

/** For custom resources, validation checks the field under its own name. */
function checkedReplicas(resource: ServedResource, scale: JsonObject): number {
  const replicas = numberAt(scale, ['spec', 'replicas']) ?? 0
  if (replicas === unsetReplicas && resource.isCustom) {
    const path = pathsOf(resource).specReplicas.join('.')
    throw badRequest(`the spec replicas field ".${path}" cannot be empty`)
  }
  if (replicas >= 0 || resource.isCustom) return replicas
  const detail = 'must be greater than or equal to 0'
  const errors = [fieldError.invalid('spec.replicas', replicas, detail)]
  throw invalidObject({ group: 'autoscaling', kind: 'Scale' }, nameOf(scale), errors)
}

/** The Scale of an object in the negotiated form. */
function scaleAnswer(
  request: ApiRequest,
  resource: ServedResource,
  { code, object }: { readonly code: number; readonly object: JsonObject },
): JsonAnswer {
  const printer = (): TablePrinter => scalePrinter(resource)
  const scale: ServedResource = { ...resource, group: 'autoscaling', kind: 'Scale', printer }
  return objectAnswer(request, scale, { code, object: scaleOf(object, resource) })
}

const target = typedTarget({ group: 'autoscaling', version: 'v1', kind: 'Scale' })
/** The scheme of custom resources has no Scale, so that a real server cannot name it in messages. */
const customTarget: DecodeTarget = {
  ...target,
  isOnlyVersion: true,
  refusal: 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"',
}
const scaleDefinition = 'io.k8s.api.autoscaling.v1.Scale'

/** The Scale after the write, with managedFields. */
function recordedScale(
  request: ApiRequest,
  resource: ServedResource,
  { live: object, write }: { live: JsonObject; write: ScaleWrite },
): JsonObject {
  const live = managedScale(object, resource)
  const context = {
    live,
    schema: builtinApplySchema(scaleDefinition),
    schemaOfVersion: () => builtinApplySchema(scaleDefinition),
    by: {
      manager: write.options.fieldManager,
      apiVersion: 'autoscaling/v1',
      subresource: 'scale',
      timeSeconds: formatTime(request.server.host.now()),
    },
    reset: resetNothing,
  }
  if ('updated' in write) {
    const { managedFields: _own, ...metadata } = (write.updated['metadata'] ?? {}) as JsonObject
    return recordUpdate({ ...context, updated: { ...write.updated, metadata } })
  }
  const { config, options } = write
  const isScale = config['apiVersion'] === target.apiVersion && config['kind'] === target.kind
  if (resource.isCustom && isScale && managersIn(live) === undefined) throw unmanagedScaleRefusal()
  const outcome = applyConfiguration({ ...context, config, kind: 'Scale', force: options.force })
  if (outcome.changed && resource.isCustom) throw customScaleRefusal(config)
  return convertedScale(outcome.object, config)
}

/** The result of an apply in the form of its Go type. */
function convertedScale(scale: JsonObject, config: JsonObject): JsonObject {
  try {
    return target.strategy.decode(scale, { isConverted: true }).object
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error
    throw unconvertibleRefusal(config, conversionProblem(error.message))
  }
}

/**
 * The managedFields of the object: `spec.replicas` of the Scale becomes the object's replicas
 * field.
 */
function scaledManagers(
  live: JsonObject,
  scale: JsonObject,
  resource: ServedResource,
): JsonValue[] | undefined {
  return managersFromScale({
    parent: managersIn(live),
    scale: managersIn(scale),
    apiVersion: resource.apiVersion,
    paths: replicasPaths(resource),
  })
}

function replicasPaths(resource: ServedResource): ReplicasPaths {
  return { [resource.apiVersion]: pathsOf(resource).specReplicas }
}

function managersIn(object: JsonObject): JsonValue | undefined {
  return (object['metadata'] as JsonObject | undefined)?.['managedFields']
}

function setManagers(object: JsonObject, managedFields: JsonValue[] | undefined): void {
  const metadata = object['metadata'] as JsonObject
  if (managedFields === undefined) Reflect.deleteProperty(metadata, 'managedFields')
  else metadata['managedFields'] = managedFields
}

function pathsOf(resource: ServedResource): ScalePaths {
  if (resource.scale === undefined) throw unexpectedError(`${resource.plural} cannot be scaled`)
  return resource.scale
}

/** The replicas of a custom object that has none, until a write sets them. */
const unsetReplicas = -(2 ** 31)

/** The Scale of an object as writes change it: with its managers. */
function managedScale(object: JsonObject, resource: ServedResource): JsonObject {
  const scale = scaleOf(object, resource)
  const { specReplicas } = pathsOf(resource)
  if (resource.isCustom && numberAt(object, specReplicas) === undefined) {
    scale['spec'] = { replicas: unsetReplicas }
  }
  setManagers(scale, managersOfScale(managersIn(object), replicasPaths(resource)))
  return scale
}

/** The Scale of an object. */
function scaleOf(object: JsonObject, resource: ServedResource): JsonObject {
  const paths = pathsOf(resource)
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadataOf(object)
  const replicas = numberAt(object, paths.specReplicas)
  const selector = selectorOf(object, paths)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name: name ?? '',
      ...(namespace === undefined ? {} : { namespace }),
      uid: uid ?? '',
      resourceVersion: resourceVersion ?? '',
      creationTimestamp: creationTimestamp ?? null,
    },
    spec: replicas === undefined || replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberAt(object, paths.statusReplicas) ?? 0,
      ...(selector === '' ? {} : { selector }),
    },
  }
}

function selectorOf(object: JsonObject, paths: ScalePaths): string {
  if (paths.labelSelector === undefined) return ''
  const value = valueAt(object, paths.labelSelector)
  if (typeof value === 'string') return value
  return isJsonObject(value) ? labelSelectorText(value) : ''
}

function valueAt(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object
  for (const step of path) {
    if (!isJsonObject(value)) return undefined
    value = Object.hasOwn(value, step) ? value[step] : undefined
  }
  return value
}

function numberAt(object: JsonObject, path: readonly string[]): number | undefined {
  const value = valueAt(object, path)
  return typeof value === 'number' ? value : undefined
}

function setAt(object: JsonObject, path: readonly string[], value: JsonValue): void {
  let target = object
  for (const step of path.slice(0, -1)) {
    const next = target[step]
    const inner: JsonObject = isJsonObject(next) ? next : {}
    target[step] = inner
    target = inner
  }
  target[path.at(-1) ?? ''] = value
}
