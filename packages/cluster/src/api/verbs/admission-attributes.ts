import type { JsonObject } from 'setpoint/schema'
import type {
  AdmissionAttributes,
  EquivalentResource,
  SubresourceObject,
} from '../../admission/index.ts'
import {
  type ApplySchema,
  builtinApplySchema,
  ConfigurationError,
  mergeConfiguration,
} from '../../apply/index.ts'
import { formatTime, nameOf, namespaceOf } from '../../object/index.ts'
import type { ApiRequest } from '../api-request.ts'
import type { ServedResource, WriteOrigin } from '../resources/served-resource.ts'

/** A write that is about to be admitted. */
interface AdmittedWrite {
  readonly operation: AdmissionAttributes['operation']
  readonly object: JsonObject
  readonly old?: JsonObject
  readonly isDryRun: boolean
  readonly subject?: SubresourceObject | undefined
  /** Where the object is, if it does not have a name and a namespace itself. */
  readonly place?: { readonly namespace: string; readonly name: string }
  /** The options of the request; those of a write are read from the query. */
  readonly options?: JsonObject | undefined
}

/** A write as admission plugins see it. */
export function admissionAttributes(
  request: ApiRequest,
  resource: ServedResource,
  write: AdmittedWrite,
): AdmissionAttributes {
  const { operation, object, old, isDryRun, subject, options, place } = write
  return {
    operation,
    object,
    old,
    isDryRun,
    subject,
    resource,
    subresource: request.info.subresource,
    namespace: place?.namespace ?? namespaceOf(object),
    // Generated after the mutating plugins.
    get name() {
      return place?.name ?? nameOf(object)
    },
    user: request.user,
    options: () =>
      operation === 'CONNECT' ? undefined : (options ?? optionsOf(request, operation)),
    equivalents: () => equivalentsOf(request, resource),
    decode: async (changed, from) =>
      subject?.decode(changed) ?? decodeChanged(request, resource, { changed, from }),
    unknownFields: (changed, from) => {
      const source = sourceOf(request, resource, from)
      if (subject !== undefined || source.isCustom) return []
      return source.strategy.decode(changed).unknownFields
    },
    mergeConfiguration: (live, configuration, from) =>
      mergeConfiguration(
        subject === undefined
          ? sourceOf(request, resource, from).applySchema()
          : subresourceSchema(subject.kind),
        { live, configuration },
      ),
    warn: (text) => request.warnings.add(text),
    ...(request.audit && {
      annotate: (key, value, level) => request.audit?.annotate(key, value, level),
      took: (layer, ms) => request.audit?.took(layer, ms),
    }),
  }
}

/** The resource whose version an object has. */
function sourceOf(
  { server }: ApiRequest,
  resource: ServedResource,
  from: EquivalentResource | undefined,
): ServedResource {
  if (from === undefined) return resource
  return server.registry.find(from.group, from.version, from.plural) ?? resource
}

/** A real server finds no types for the objects of subresources, except for bindings of pods. */
function subresourceSchema({ group, version, kind }: SubresourceObject['kind']): ApplySchema {
  if (group === '' && kind === 'Binding') return builtinApplySchema('io.k8s.api.core.v1.Binding')
  throw new ConfigurationError(
    `failed to convert patch object to typed object: no corresponding type for ${group}/${version}, Kind=${kind}`,
  )
}

/** The options of a write, in the order of Go's fields; a patch is an update or a create. */
function optionsOf(
  { info: { query } }: ApiRequest,
  operation: AdmissionAttributes['operation'],
): JsonObject {
  const dryRun = query.getAll('dryRun').filter((value) => value !== '')
  const [manager, validation] = [query.get('fieldManager'), query.get('fieldValidation')]
  return {
    kind: operation === 'UPDATE' ? 'UpdateOptions' : 'CreateOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(dryRun.length === 0 ? {} : { dryRun }),
    ...(manager === null || manager === '' ? {} : { fieldManager: manager }),
    ...(validation === null || validation === '' ? {} : { fieldValidation: validation }),
  }
}

/** The other resources that have the same objects. */
function equivalentsOf({ server }: ApiRequest, resource: ServedResource): EquivalentResource[] {
  return server.registry
    .all()
    .filter((other) => other.bucket === resource.bucket && other !== resource)
    .map((other) => ({
      group: other.group,
      version: other.version,
      plural: other.plural,
      kind: other.kind,
      convert: (object) => converted(object, resource, other),
    }))
}

async function converted(
  object: JsonObject,
  from: ServedResource,
  to: ServedResource,
): Promise<JsonObject> {
  if (from.conversion !== undefined) return from.conversion.toVersion(object, to.apiVersion)
  const stored = from.isStorageVersion ? object : from.strategy.toStorage(object)
  const result = to.isStorageVersion ? stored : to.strategy.fromStorage(stored)
  return { ...result, apiVersion: to.apiVersion, kind: to.kind }
}

async function decodeChanged(
  request: ApiRequest,
  resource: ServedResource,
  {
    changed,
    from,
  }: { readonly changed: JsonObject; readonly from: EquivalentResource | undefined },
): Promise<JsonObject> {
  const source = sourceOf(request, resource, from)
  const { strategy } = source
  const decoded = strategy.applyDefaults(strategy.decode(changed).object)
  return source === resource ? decoded : converted(decoded, source, resource)
}

/** The time and the user of a request. */
export function originOf({ server, user, warnings }: ApiRequest): WriteOrigin {
  return {
    now: formatTime(server.host.now()),
    user,
    newUid: () => server.host.uuid(),
    warn: (text) => warnings.add(text),
  }
}
