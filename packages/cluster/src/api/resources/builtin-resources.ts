import { builtinApplySchema, builtinResetFields, type ApplySchema } from '../../apply/index.ts'
import {
  builtinData,
  definitionOf,
  type DiscoveredGroup,
  type DiscoveredResource,
  type DiscoveredSubresource,
} from '../../data/index.ts'
import { groupResourceText } from '../../status/index.ts'
import { builtinPrinter } from '../../tables/index.ts'
import { BoundedStrategy } from './bounded-strategy.ts'
import { BuiltinStrategy } from './builtin-strategy.ts'
import {
  conditionalUpdateOnly,
  createdByUpdate,
  orphansByDefault,
  registryPrefixes,
  returnedWhenDeleted,
} from './builtin-flags.ts'
import { converterOf, storageVersionOf } from './versions/builtin-versions.ts'
import { podGraceSeconds } from './pod-grace.ts'
import { builtinSelectableFields } from './selectable-fields.ts'
import { definitionHold, namespaceHold } from './definitions/deletion-hold.ts'
import type {
  ScalePaths,
  DeletionHold,
  ServedResource,
  ServedSubresource,
} from './served-resource.ts'

let resources: readonly ServedResource[] | undefined

/**
 * Every resource of a default 1.36 API server, made from its discovery documents. They never
 * change, so all servers share them.
 */
export function builtinResources(): readonly ServedResource[] {
  return (resources ??= makeResources())
}

function makeResources(): ServedResource[] {
  const { api, apis } = builtinData.discovery()
  return [...api.items, ...apis.items].flatMap((group: DiscoveredGroup) =>
    group.versions.flatMap(({ version, resources: found }) =>
      found.map((resource) =>
        builtinResource({ group: group.metadata.name ?? '', version }, resource),
      ),
    ),
  )
}

const builtinScale: ScalePaths = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  labelSelector: ['spec', 'selector'],
}

function builtinResource(
  { group, version }: { group: string; version: string },
  found: DiscoveredResource,
): ServedResource {
  const apiVersion = group === '' ? version : `${group}/${version}`
  const { kind } = found.responseKind
  const plural = found.resource
  const name = groupResourceText({ group, resource: plural })
  const namespaced = found.scope === 'Namespaced'
  const identity = { group, version, apiVersion, kind, plural, namespaced }
  const storage = storageVersionOf(group, plural)
  const subresources = new Map(
    (found.subresources ?? []).map((entry) => [entry.subresource, subresource(entry, identity)]),
  )
  return {
    ...identity,
    listKind: `${kind}List`,
    singular: found.singularResource,
    shortNames: found.shortNames ?? [],
    categories: found.categories ?? [],
    verbs: new Set(found.verbs),
    subresources,
    isCustom: false,
    bucket: storage.bucket,
    registryPrefix: registryPrefixes[name] ?? `/registry/${plural}`,
    isStorageVersion: storage.apiVersion === undefined || storage.apiVersion === apiVersion,
    schemaTag: '',
    isTerminating: false,
    firstRevision: 0,
    allowsUnconditionalUpdate: !conditionalUpdateOnly.has(name),
    allowsCreateOnUpdate: createdByUpdate.has(name),
    // Schemas are large: a server that only reads never parses them.
    get patchDefinition() {
      return definitionOf(apiVersion, kind)
    },
    deprecationWarning: deprecations[`${apiVersion} ${kind}`],
    strategy: new BoundedStrategy(new BuiltinStrategy(identity)),
    selectable: builtinSelectableFields(`${apiVersion}/${plural}`),
    deletion: {
      returnsObject: returnedWhenDeleted.has(name),
      orphansByDefault: orphansByDefault.has(name),
      hold: holds[name],
      graceSeconds: name === 'pods' ? podGraceSeconds : () => 0,
      isGraceful: name === 'pods',
    },
    scale: subresources.has('scale') ? builtinScale : undefined,
    ...applySettings(identity),
    printer: () => builtinPrinter({ group, version, plural }),
  }
}

function applySettings({
  apiVersion,
  kind,
}: {
  apiVersion: string
  kind: string
}): Pick<ServedResource, 'applySchema' | 'applySchemaOf' | 'convert' | 'resetFields'> {
  const convert = converterOf(kind)
  const schema = (): ApplySchema => builtinApplySchema(definitionOf(apiVersion, kind) ?? '')
  return {
    applySchema: schema,
    applySchemaOf: (other) => {
      if (other === apiVersion) return schema()
      const otherDefinition = definitionOf(other, kind)
      return otherDefinition === undefined ? undefined : builtinApplySchema(otherDefinition)
    },
    ...(convert === undefined ? {} : { convert }),
    resetFields: (endpoint) => builtinResetFields(kind, endpoint, [apiVersion]),
  }
}

function subresource(
  { subresource: name, verbs, responseKind }: DiscoveredSubresource,
  parent: { readonly group: string; readonly version: string },
): ServedSubresource {
  const { group, version, kind } = responseKind
  const isOwn = group === '' && version === ''
  return {
    name,
    verbs: new Set(verbs),
    responseKind: isOwn
      ? { group: parent.group, version: parent.version, kind }
      : { group, version, kind },
  }
}

const holds: Readonly<Record<string, DeletionHold>> = {
  namespaces: namespaceHold,
  'customresourcedefinitions.apiextensions.k8s.io': definitionHold,
}

/** Deprecated kinds, each with the warning that every client gets. */
const deprecations: Readonly<Record<string, string>> = {
  'v1 Endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  'v1 ComponentStatus': 'v1 ComponentStatus is deprecated in v1.19+',
}
