import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import type { Aggregation } from '../../api/index.ts'
import type { RemoteKinds } from '../../controllers/index.ts'

type RemoteKind = RemoteKinds['kinds'][number]

/** The kinds of aggregated APIs whose objects can be listed and deleted, each in one version. */
export function remoteKinds({ services, documents }: Aggregation): RemoteKinds {
  const kinds = new Map<string, RemoteKind>()
  const unknown: string[] = []
  const sorted = [...services.remote.values()].sort((a, b) => b.versionPriority - a.versionPriority)
  for (const service of sorted) {
    const { group, version } = service
    const { freshness, resources } = documents.discoveryOf(service)
    if (freshness === 'Stale') unknown.push(`${group}/${version}`)
    for (const resource of Array.isArray(resources) ? resources : []) {
      const kind = isJsonObject(resource) ? kindOf(resource, { group, version }) : undefined
      if (kind === undefined || kinds.has(`${group}/${kind.plural}`)) continue
      kinds.set(`${group}/${kind.plural}`, kind)
    }
  }
  return { kinds: [...kinds.values()], unknown }
}

function kindOf(
  resource: JsonObject,
  { group, version }: { readonly group: string; readonly version: string },
): RemoteKind | undefined {
  const { resource: plural, responseKind, scope, verbs } = resource
  const names = Array.isArray(verbs) ? verbs.map(textOf) : []
  if (!names.includes('list') || !names.includes('delete')) return undefined
  return {
    group,
    version,
    apiVersion: `${group}/${version}`,
    kind: isJsonObject(responseKind) ? textOf(responseKind['kind']) : '',
    plural: textOf(plural),
    scope: scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    subresources: [],
    verbs: names,
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
