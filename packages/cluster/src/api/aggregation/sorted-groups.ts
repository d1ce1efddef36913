import type { ProxyTarget } from '../../outbound/index.ts'
import { compareVersions } from '../resources/custom-resources.ts'

/** The part of an APIService that decides who serves a version, and its place in discovery. */
export interface ApiService {
  /** `version.group`. */
  readonly name: string
  readonly group: string
  readonly version: string
  readonly groupPriority: number
  readonly versionPriority: number
  /** The server of an aggregated API; `undefined` if this server serves the version itself. */
  readonly target: ProxyTarget | undefined
  readonly isAvailable: boolean
}

/** Groups by their highest priority, then by name; versions by priority, then by version. */
export function sortedGroups(services: readonly ApiService[]): ApiService[][] {
  const groups = new Map<string, ApiService[]>()
  const sorted = [...services].sort(
    (a, b) => b.groupPriority - a.groupPriority || (a.name < b.name ? -1 : 1),
  )
  for (const service of sorted) {
    if (service.group === '') continue
    const group = groups.get(service.group)
    if (group === undefined) groups.set(service.group, [service])
    else group.push(service)
  }
  return [...groups.values()].map((group) =>
    group.sort(
      (a, b) => b.versionPriority - a.versionPriority || compareVersions(a.version, b.version),
    ),
  )
}
