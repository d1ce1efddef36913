import type { JsonObject, StructuralSchema } from 'setpoint/schema'
import { customResetFields, structuralApplySchema, type ApplySchema } from '../../apply/index.ts'
import { isTerminating, metadataOf } from '../../object/index.ts'
import { customPrinter, type CustomColumn } from '../../tables/index.ts'
import {
  type ConversionCalls,
  ConversionWebhook,
  type WebhookConversion,
} from '../conversion/conversion-webhook.ts'
import { CustomConversion } from '../conversion/custom-conversion.ts'
import { CustomVersions } from '../conversion/custom-versions.ts'
import { BoundedStrategy } from './bounded-strategy.ts'
import { CustomResourceStrategy } from './custom-resource-strategy.ts'
import { customSelectableFields } from './selectable-fields.ts'
import type { ScalePaths, ServedResource, ServedSubresource } from './served-resource.ts'

/** The fields of a version of a definition that are needed to serve it. */
interface DefinitionVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema }
  readonly subresources?: {
    readonly status?: object
    readonly scale?: {
      readonly specReplicasPath: string
      readonly statusReplicasPath: string
      readonly labelSelectorPath?: string
    }
  }
  readonly additionalPrinterColumns?: readonly CustomColumn[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

/** The names of a definition. */
export interface DefinitionNames {
  readonly plural: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly kind: string
  readonly listKind?: string
  readonly categories?: readonly string[]
}

/** The spec of a CustomResourceDefinition, after validation. */
interface DefinitionSpec {
  readonly group: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly names: DefinitionNames
  readonly versions: readonly DefinitionVersion[]
  readonly conversion?: { readonly strategy: string; readonly webhook?: WebhookConversion }
}

/** The spec of a stored definition. */
export function definitionSpec(definition: JsonObject): DefinitionSpec {
  return definition['spec'] as unknown as DefinitionSpec
}

/** The names that a definition is served with. Requested ones may be in conflict. */
function acceptedNames(definition: JsonObject): DefinitionNames {
  const status = definition['status'] as { acceptedNames?: DefinitionNames } | undefined
  const { acceptedNames: accepted } = status ?? {}
  return accepted === undefined || accepted.plural === ''
    ? definitionSpec(definition).names
    : accepted
}

const verbs: ReadonlySet<string> = new Set([
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
])
const subresourceVerbs: ReadonlySet<string> = new Set(['get', 'patch', 'update'])

/** The resources of a definition, one per served version. */
export function customResources(
  definition: JsonObject,
  firstRevision: number,
  calls: ConversionCalls,
): ServedResource[] {
  const spec = { ...definitionSpec(definition), names: acceptedNames(definition) }
  const storage = spec.versions.find((version) => version.storage)
  if (storage === undefined) return []
  const versions = customVersions(spec, storage)
  const conversion = customConversion(spec, versions, calls)
  const shared = { definition, spec, storage, firstRevision, versions, conversion }
  return spec.versions
    .filter((version) => version.served)
    .map((version) => customResource({ ...shared, version }))
}

function customVersions(
  { group, versions }: DefinitionSpec,
  storage: DefinitionVersion,
): CustomVersions {
  const schemas = versions.map(
    (version) => [`${group}/${version.name}`, schemaOf(version)] as const,
  )
  return new CustomVersions(new Map(schemas), `${group}/${storage.name}`)
}

function customConversion(
  { conversion }: DefinitionSpec,
  versions: CustomVersions,
  calls: ConversionCalls,
): CustomConversion | undefined {
  if (conversion?.strategy !== 'Webhook') return undefined
  return new CustomConversion(new ConversionWebhook(conversion.webhook ?? {}, calls), versions)
}

interface CustomSource {
  readonly definition: JsonObject
  readonly spec: DefinitionSpec
  readonly storage: DefinitionVersion
  readonly version: DefinitionVersion
  readonly firstRevision: number
  readonly versions: CustomVersions
  readonly conversion: CustomConversion | undefined
}

function customResource(source: CustomSource): ServedResource {
  const { definition, spec, storage, version, firstRevision, versions, conversion } = source
  const { group, names } = spec
  const { uid = '', generation = 0 } = metadataOf(definition)
  const apiVersion = `${group}/${version.name}`
  const namespaced = spec.scope === 'Namespaced'
  const schemas = apiSchemas(spec)
  return {
    group,
    version: version.name,
    apiVersion,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    namespaced,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs,
    subresources: subresourcesOf(version, { group, version: version.name, kind: names.kind }),
    isCustom: true,
    bucket: `${group}/${names.plural}`,
    registryPrefix: `/registry/${group}/${names.plural}`,
    isStorageVersion: version.storage,
    schemaTag: `${uid}/${generation}/${storage.name}`,
    isTerminating: isTerminating(definition),
    firstRevision,
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    patchDefinition: undefined,
    deprecationWarning: deprecationOf(spec, version),
    strategy: new BoundedStrategy(
      new CustomResourceStrategy({
        group,
        plural: names.plural,
        kind: names.kind,
        namespaced,
        apiVersion,
        schema: schemaOf(version),
        versions,
        hasStatus: version.subresources?.status !== undefined,
        scale: scalePaths(version),
      }),
    ),
    selectable: customSelectableFields(
      (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath),
    ),
    deletion: {
      returnsObject: false,
      orphansByDefault: false,
      hold: undefined,
      graceSeconds: () => 0,
      isGraceful: false,
    },
    scale: scalePaths(version),
    applySchema: () => schemas(apiVersion) ?? structuralApplySchema(schemaOf(version)),
    applySchemaOf: schemas,
    conversion,
    resetFields: (endpoint) =>
      customResetFields({
        apiVersion,
        subresource: endpoint,
        withStatus: spec.versions
          .filter(({ subresources }) => subresources?.status !== undefined)
          .map(({ name }) => `${group}/${name}`),
      }),
    printer: () => customPrinter(version.additionalPrinterColumns),
    schema: schemaOf(version),
  }
}

/** A definition without a schema keeps all fields; only old definitions have none. */
const anything: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

function schemaOf(version: DefinitionVersion): StructuralSchema {
  return version.schema?.openAPIV3Schema ?? anything
}

function apiSchemas({
  group,
  versions,
}: DefinitionSpec): (apiVersion: string) => ApplySchema | undefined {
  return (apiVersion) => {
    const version = versions.find(({ name }) => `${group}/${name}` === apiVersion)
    return version === undefined ? undefined : structuralApplySchema(schemaOf(version))
  }
}

function subresourcesOf(
  { subresources }: DefinitionVersion,
  responseKind: ServedSubresource['responseKind'],
): Map<string, ServedSubresource> {
  const served = new Map<string, ServedSubresource>()
  if (subresources?.status !== undefined) {
    served.set('status', { name: 'status', verbs: subresourceVerbs, responseKind })
  }
  if (subresources?.scale !== undefined) {
    const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' }
    served.set('scale', { name: 'scale', verbs: subresourceVerbs, responseKind: scale })
  }
  return served
}

function scalePaths({ subresources }: DefinitionVersion): ScalePaths | undefined {
  const scale = subresources?.scale
  if (scale === undefined) return undefined
  return {
    specReplicas: steps(scale.specReplicasPath),
    statusReplicas: steps(scale.statusReplicasPath),
    labelSelector:
      scale.labelSelectorPath === undefined ? undefined : steps(scale.labelSelectorPath),
  }
}

function steps(path: string): string[] {
  return path.replace(/^\./, '').split('.')
}

function deprecationOf(spec: DefinitionSpec, version: DefinitionVersion): string | undefined {
  if (version.deprecated !== true) return undefined
  if (version.deprecationWarning !== undefined) return version.deprecationWarning
  const { group, names, versions } = spec
  const better = versions
    .filter((other) => other.served && other.deprecated !== true)
    .map(({ name }) => name)
    .filter((name) => compareVersions(name, version.name) < 0)
    .sort(compareVersions)[0]
  const text = `${group}/${version.name} ${names.kind} is deprecated`
  return better === undefined ? text : `${text}; use ${group}/${better} ${names.kind}`
}

/** Versions in Kubernetes' order of priority: v2, v1, v1beta1, v1alpha1, then other names. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionRank(a), versionRank(b)]
  for (const [index, value] of left.entries()) {
    const difference = (right[index] ?? 0) - value
    if (difference !== 0) return difference
  }
  return a < b ? -1 : a > b ? 1 : 0
}

function versionRank(version: string): number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (match === null) return [0, 0, 0, 0]
  const stage = match[2] === undefined ? 3 : match[2] === 'beta' ? 2 : 1
  return [1, stage, Number(match[1]), Number(match[3] ?? '0')]
}
