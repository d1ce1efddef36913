import type { JsonObject } from 'setpoint/schema'
import { builtinData } from '../data/index.ts'
import { mergedDiscovery } from './aggregation/merged-discovery.ts'
import type { ApiServer } from './api-request.ts'
import type { Registry, ServedVersion } from './resources/registry.ts'
import type { ServedResource, ServedSubresource } from './resources/served-resource.ts'

/**
 * The parameters of the aggregated media type; kubectl reads an answer without them as legacy
 * discovery.
 */
export const aggregatedParameters = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** `/api` or `/apis`: all groups with all their resources in one document. */
export function aggregatedDiscovery(
  { registry, aggregation }: Pick<ApiServer, 'registry' | 'aggregation'>,
  isCore: boolean,
): JsonObject {
  const groups = registry.groups().filter(({ name }) => (name === '') === isCore)
  const isMerged = !isCore && aggregation.services.remote.size > 0
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: isMerged
      ? mergedDiscovery(groups, aggregatedVersion, aggregation)
      : groups.map((group) => ({
          metadata: group.name === '' ? {} : { name: group.name },
          versions: group.versions.map(aggregatedVersion),
        })),
  }
}

function aggregatedVersion({ version, resources }: ServedVersion): JsonObject {
  return { version, resources: resources.map(aggregatedResource), freshness: 'Current' }
}

function aggregatedResource(resource: ServedResource): JsonObject {
  const { kind, group, version, isCustom } = resource
  const own = isCustom ? { group, version } : { group: '', version: '' }
  const subresources = [...resource.subresources.values()]
  return {
    resource: resource.plural,
    responseKind: { ...own, kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length > 0 ? { shortNames: [...resource.shortNames] } : {}),
    ...(resource.categories.length > 0 ? { categories: [...resource.categories] } : {}),
    ...(subresources.length > 0
      ? { subresources: subresources.map((entry) => aggregatedSubresource(resource, entry)) }
      : {}),
  }
}

function aggregatedSubresource(
  parent: ServedResource,
  { name, responseKind, verbs }: ServedSubresource,
): JsonObject {
  const isOwn =
    !parent.isCustom &&
    responseKind.group === parent.group &&
    responseKind.version === parent.version
  const kind = isOwn ? { group: '', version: '', kind: responseKind.kind } : { ...responseKind }
  return { subresource: name, responseKind: kind, verbs: [...verbs] }
}

/** `/api` as legacy discovery. */
export function legacyVersions(address: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  }
}

/** `/apis` as legacy discovery. */
export function legacyGroups(server: Pick<ApiServer, 'registry' | 'aggregation'>): JsonObject {
  const groups = groupsOf(server).map(groupDocument)
  return { kind: 'APIGroupList', apiVersion: 'v1', groups }
}

/** `/apis/{group}`. */
export function legacyGroup(
  server: Pick<ApiServer, 'registry' | 'aggregation'>,
  name: string,
): JsonObject | undefined {
  const group = groupsOf(server).find((candidate) => candidate.name === name)
  if (group === undefined) return undefined
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupDocument(group) }
}

/** A group with its versions in the order of preference. */
interface NamedGroup {
  readonly name: string
  readonly versions: readonly { readonly version: string }[]
}

/**
 * The groups in the order of discovery, without the core group. APIServices define them: those that
 * the server maintains itself follow what it serves.
 */
function groupsOf({
  registry,
  aggregation: { services },
}: Pick<ApiServer, 'registry' | 'aggregation'>): readonly NamedGroup[] {
  const own = registry.groups().filter(({ name }) => name !== '')
  if (!services.isExtended) return own
  const registered = services.groups.map((versions) => ({
    name: versions[0]?.group ?? '',
    versions,
  }))
  return [...own.filter(({ name }) => name === registrationGroup), ...registered]
}

/** The group of APIServices has no APIService itself. */
const registrationGroup = 'apiregistration.k8s.io'

function groupDocument({ name, versions }: NamedGroup): JsonObject {
  const entries = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }))
  const [preferredVersion] = entries
  return {
    name,
    versions: entries,
    ...(preferredVersion === undefined ? {} : { preferredVersion }),
  }
}

/** `/api/v1` or `/apis/{group}/{version}`. */
export function legacyResources(
  registry: Registry,
  group: string,
  version: string,
): JsonObject | undefined {
  const known =
    builtinData.legacyDiscovery()[group === '' ? `/api/${version}` : `/apis/${group}/${version}`]
  if (known !== undefined && group !== '/') return known as JsonObject
  const served = registry
    .groups()
    .find(({ name }) => name === group)
    ?.versions.find((candidate) => candidate.version === version)
  return served === undefined ? undefined : resourceList(group, served)
}

function resourceList(group: string, { version, resources }: ServedVersion): JsonObject {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: resources.flatMap((resource) => [
      legacyResource(resource),
      ...[...resource.subresources.values()].map((entry) => legacySubresource(resource, entry)),
    ]),
  }
}

function legacyResource(resource: ServedResource): JsonObject {
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length > 0 ? { shortNames: [...resource.shortNames] } : {}),
    ...(resource.categories.length > 0 ? { categories: [...resource.categories] } : {}),
    storageVersionHash: storageHash(resource),
  }
}

function legacySubresource(
  parent: ServedResource,
  { name, responseKind, verbs }: ServedSubresource,
): JsonObject {
  const isOwn = responseKind.group === parent.group && responseKind.version === parent.version
  return {
    name: `${parent.plural}/${name}`,
    singularName: '',
    namespaced: parent.namespaced,
    ...(isOwn ? {} : { group: responseKind.group, version: responseKind.version }),
    kind: responseKind.kind,
    verbs: [...verbs],
  }
}

/** Clients only compare it, to find out whether the stored form of a resource changed. */
function storageHash({ group, kind, bucket }: ServedResource): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(`${group}/${kind}/${bucket}`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  const bytes = Array.from({ length: 8 }, (_, index) =>
    Number((hash >> BigInt(56 - index * 8)) & 255n),
  )
  return btoa(String.fromCharCode(...bytes))
}
