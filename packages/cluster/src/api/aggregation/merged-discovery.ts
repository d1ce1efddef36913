import type { JsonObject } from 'setpoint/schema'
import { builtinData } from '../../data/index.ts'
import { compareVersions } from '../resources/custom-resources.ts'
import type { ServedGroup } from '../resources/registry.ts'
import type { Aggregation } from './aggregation.ts'
import { apiServicesBucket } from './api-services.ts'

/** A version in aggregated discovery, with its place. */
interface PlacedVersion {
  readonly version: string
  readonly groupPriority: number
  readonly versionPriority: number
  readonly document: JsonObject
}

/**
 * The groups of this server and of other servers in the order of aggregated discovery. A version of
 * another server replaces an own one.
 */
export function mergedDiscovery(
  own: readonly ServedGroup[],
  documentOf: (version: ServedGroup['versions'][number]) => JsonObject,
  { services, documents }: Aggregation,
): JsonObject[] {
  const groups = new Map<string, Map<string, PlacedVersion>>()
  const add = (group: string, version: PlacedVersion): void => {
    const versions = groups.get(group) ?? new Map<string, PlacedVersion>()
    groups.set(group, versions.set(version.version, version))
  }
  for (const { name, versions } of own) {
    for (const served of versions) {
      const { version, isCustom } = served
      const place = isCustom ? customPlace : builtinPlace(name, version)
      add(name, { version, ...place, document: documentOf(served) })
    }
  }
  for (const service of services.remote.values()) {
    const { group, version, groupPriority, versionPriority } = service
    const document = documents.discoveryOf(service)
    add(group, { version, groupPriority, versionPriority, document })
  }
  return [...groups]
    .map(([name, versions]) => ({ name, versions: [...versions.values()].sort(byVersion) }))
    .sort((a, b) => priorityOf(b) - priorityOf(a) || (a.name < b.name ? -1 : 1))
    .map(({ name, versions }) => ({
      metadata: { name },
      versions: versions.map(({ document }) => document),
    }))
}

function byVersion(a: PlacedVersion, b: PlacedVersion): number {
  return b.versionPriority - a.versionPriority || compareVersions(a.version, b.version)
}

function priorityOf({ versions }: { readonly versions: readonly PlacedVersion[] }): number {
  return Math.max(...versions.map(({ groupPriority }) => groupPriority))
}

/** The place of all versions of custom resources. */
const customPlace = { groupPriority: 1000, versionPriority: 100 } as const

/** The group of APIServices is first, and has no APIService itself. */
const firstPlace = { groupPriority: 20_001, versionPriority: 0 } as const

let places: Map<string, Pick<PlacedVersion, 'groupPriority' | 'versionPriority'>> | undefined

function builtinPlace(
  group: string,
  version: string,
): Pick<PlacedVersion, 'groupPriority' | 'versionPriority'> {
  places ??= new Map(
    builtinData
      .freshCluster()
      .filter(({ bucket }) => bucket === apiServicesBucket)
      .map(({ key, text }) => {
        const { spec } = JSON.parse(`{${text}`) as {
          spec: { groupPriorityMinimum: number; versionPriority: number }
        }
        const { groupPriorityMinimum: groupPriority, versionPriority } = spec
        return [key, { groupPriority, versionPriority }]
      }),
  )
  return places.get(`${version}.${group}`) ?? firstPlace
}
