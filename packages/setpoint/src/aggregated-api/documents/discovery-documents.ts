/** The documents by which clients find the resources of an aggregated API. Pure. */
import type { JsonObject } from '../../schema/index.ts'
import { mediaType } from '../accepted-form.ts'
import type { ApiDeclaration } from '../declare/api-declaration.ts'
import { type ServedResource, verbsOf } from '../declare/serve-resource.ts'

/** A document and its media type. */
interface DiscoveryDocument {
  readonly type: string
  readonly document: JsonObject
}

/** The document at `/apis`: all groups, with their resources if the client asks for them. */
export function groupsDocument(
  apis: readonly ApiDeclaration[],
  accept: string | undefined,
): DiscoveryDocument {
  const version = aggregatedVersion(accept ?? '')
  const groups = [...new Set(apis.map(({ group }) => group))]
  if (version === undefined) {
    const all = groups.map((group) => groupDocument(apis, group))
    const document = { kind: 'APIGroupList', apiVersion: 'v1', groups: all }
    return { type: 'application/json', document }
  }
  return {
    type: `application/json;g=${discoveryGroup};v=${version};as=APIGroupDiscoveryList`,
    document: {
      kind: 'APIGroupDiscoveryList',
      apiVersion: `${discoveryGroup}/${version}`,
      metadata: {},
      items: groups.map((group) => ({
        metadata: { name: group, creationTimestamp: null },
        versions: versionsOf(apis, group).map((api) => ({
          version: api.version,
          freshness: 'Current',
          resources: api.resources.map(discoveredResource),
        })),
      })),
    },
  }
}

const discoveryGroup = 'apidiscovery.k8s.io'

function aggregatedVersion(accept: string): string | undefined {
  for (const type of accept.split(',')) {
    const { media, parameters } = mediaType(type)
    const version = parameters.get('v') ?? ''
    const isAsked =
      media === 'application/json' &&
      parameters.get('g') === discoveryGroup &&
      parameters.get('as') === 'APIGroupDiscoveryList'
    if (isAsked && ['v2', 'v2beta1'].includes(version)) return version
  }
  return undefined
}

/** The versions of a group; the preferred one is first. */
function versionsOf(apis: readonly ApiDeclaration[], group: string): ApiDeclaration[] {
  return apis
    .filter((api) => api.group === group)
    .sort((one, other) => other.versionPriority - one.versionPriority)
}

/** The document at `/apis/GROUP`. */
export function groupDocument(apis: readonly ApiDeclaration[], group: string): JsonObject {
  const versions = versionsOf(apis, group).map(({ version }) => ({
    groupVersion: `${group}/${version}`,
    version,
  }))
  const [preferred] = versions
  return {
    kind: 'APIGroup',
    apiVersion: 'v1',
    name: group,
    versions,
    ...(preferred === undefined ? {} : { preferredVersion: preferred }),
  }
}

/** The document at `/apis/GROUP/VERSION`. */
export function resourcesDocument({ group, version, resources }: ApiDeclaration): JsonObject {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${group}/${version}`,
    resources: resources.map((resource) => {
      const { plural, singular, kind, scope } = resource.definition
      return {
        name: plural,
        singularName: singular,
        namespaced: scope === 'Namespaced',
        kind,
        verbs: verbsOf(resource),
        ...namesOf(resource),
      }
    }),
  }
}

function discoveredResource(resource: ServedResource): JsonObject {
  const { plural, singular, group, version, kind, scope } = resource.definition
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: verbsOf(resource),
    ...namesOf(resource),
  }
}

function namesOf({ definition: { shortNames, categories } }: ServedResource): JsonObject {
  return {
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
  }
}
