import type { JsonObject } from 'setpoint/schema'
import { encodeJson } from '../../codec/index.ts'
import { withinBudget } from '../../limits/index.ts'
import { metadataOf } from '../../object/index.ts'
import { ApiError, badRequest, unexpectedError } from '../../status/index.ts'
import type { StoredObject } from '../../store/index.ts'
import type { ApiRequest } from '../api-request.ts'
import type { JsonAnswer } from '../http/respond.ts'
import { objectText, readObject } from '../object-text.ts'
import { templateGeneration } from '../resources/builtin-strategy.ts'
import type { ServedResource } from '../resources/served-resource.ts'

/** Metadata of a list. */
export interface ListMetadata {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** One stored object in the negotiated form. */
export function singleAnswer(
  request: ApiRequest,
  resource: ServedResource,
  stored: StoredObject,
): JsonAnswer {
  if (request.media.transform === undefined) {
    return { code: 200, text: objectText(resource, stored) }
  }
  const object = readObject(resource, stored)
  return { code: 200, text: transformedText(request, resource, object) }
}

/** An object that might not be stored (a dry run) in the negotiated form. */
export function objectAnswer(
  request: ApiRequest,
  resource: ServedResource,
  outcome: { readonly code: number; readonly object: JsonObject },
): JsonAnswer {
  const { code, object } = outcome
  if (request.media.transform === undefined) return { code, text: encodeJson(object) }
  return { code, text: transformedText(request, resource, object) }
}

/** An object as a Table of one row or as PartialObjectMetadata. */
function transformedText(
  request: ApiRequest,
  resource: ServedResource,
  object: JsonObject,
): string {
  const { transform, metaVersion } = request.media
  if (transform === 'PartialObjectMetadataList' && resource.isCustom) {
    throw unexpectedError('content is not a list')
  }
  if (transform === 'PartialObjectMetadataList') {
    throw notAcceptable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(resource)})`,
    )
  }
  if (transform === 'PartialObjectMetadata') {
    return encodeJson(partialMetadata(object, metaVersion))
  }
  const revision = metadataOf(object).resourceVersion ?? ''
  const metadata = revision === '' ? {} : { resourceVersion: revision }
  const rows = [rowWriter(request, resource)(object)]
  return tableText(request, resource, { rows, metadata, withColumns: true })
}

function goType(resource: ServedResource): string {
  return resource.isCustom
    ? '*unstructured.Unstructured'
    : `*${goPackage(resource)}.${resource.kind}`
}

/** The Go package of a real server's internal types, which some of its messages name. */
export function goPackage({ group, bucket }: ServedResource): string {
  return group === '' || bucket === '/events' ? 'core' : (group.split('.')[0] ?? group)
}

/** 406 for a transform that the resource does not support. */
export function notAcceptable(message: string): ApiError {
  return new ApiError({ code: 406, reason: 'NotAcceptable', message })
}

/** An object as PartialObjectMetadata. */
export function partialMetadata(object: JsonObject, metaVersion: string): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${metaVersion}`,
    metadata: internalMetadata(object),
  }
}

/** The template generation of a DaemonSet is an annotation only in the whole object. */
function internalMetadata(object: JsonObject): JsonObject {
  const metadata = metadataOf(object)
  const { [templateGeneration]: hidden, ...annotations } = metadata.annotations ?? {}
  if (object['kind'] !== 'DaemonSet' || hidden === undefined) return metadata as JsonObject
  const { annotations: _all, ...rest } = metadata as JsonObject
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations }
}

/** The `includeObject` parameter: which part of the object a row has; 400 for an unknown value. */
export function includedObject({ info }: ApiRequest): string {
  const include = info.query.get('includeObject') ?? ''
  if (['', 'None', 'Metadata', 'Object'].includes(include)) return include
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(include)}: must be 'Metadata', 'Object', 'None', or empty`,
  )
}

/** The rows of a Table, as JSON. */
interface TableContent {
  readonly rows: readonly string[]
  readonly metadata: Partial<ListMetadata>
  /** Watches send the columns only in the first event. */
  readonly withColumns: boolean
}

/** A Table. */
export function tableText(
  request: ApiRequest,
  resource: ServedResource,
  { rows, metadata, withColumns }: TableContent,
): string {
  const { columns, hasNullRows } = resource.printer()
  const head = encodeJson({
    kind: 'Table',
    apiVersion: `meta.k8s.io/${request.media.metaVersion}`,
    metadata: { ...metadata },
    columnDefinitions: withColumns ? columns.map((column) => ({ ...column })) : null,
  })
  const isNull = hasNullRows === true && rows.length === 0
  return `${head.slice(0, -1)},"rows":${isNull ? 'null' : `[${rows.join(',')}]`}}`
}

/** Makes the row of an object as JSON. Definitions decide how much work a row is. */
export function rowWriter(
  request: ApiRequest,
  resource: ServedResource,
): (object: JsonObject) => string {
  const include = includedObject(request)
  const printer = resource.printer()
  const nowMs = request.server.host.now()
  const { metaVersion } = request.media
  return (object) => {
    const { cells, conditions } = withinBudget(() => printer.row(object, nowMs))
    const shown =
      include === 'None'
        ? null
        : include === 'Object'
          ? object
          : partialMetadata(object, metaVersion)
    return encodeJson({
      cells: [...cells],
      ...(conditions === undefined ? {} : { conditions: [...conditions] }),
      object: shown,
    })
  }
}
