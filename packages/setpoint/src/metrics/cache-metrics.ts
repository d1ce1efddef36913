import type { CacheHealth } from '../cache/index.ts'
import type { Labels } from './labelled-series.ts'
import type { MetricsRegistry } from './metrics-registry.ts'

const labels = ['group', 'version', 'kind'] as const

type LabelName = (typeof labels)[number]

/**
 * Shows the state of the caches per kind, read at every scrape. The scopes of a kind are added up.
 */
export function addCacheMetrics(
  registry: MetricsRegistry,
  health: () => readonly CacheHealth[],
): void {
  const { objects, bytes, silent, synced } = families(registry)
  registry.onCollect(() => {
    for (const family of [objects, bytes, silent, synced]) family.clear()
    for (const [identity, scopes] of byKind(health())) {
      objects.set(identity, sum(scopes.map((scope) => scope.objects)))
      bytes.set(identity, sum(scopes.map((scope) => scope.bytes)))
      silent.set(identity, Math.max(...scopes.map(({ silentMs }) => silentMs)) / 1000)
      synced.set(identity, scopes.every(({ isSynced }) => isSynced) ? 1 : 0)
    }
  })
}

/** The scopes of each kind, with its labels. */
function byKind(caches: readonly CacheHealth[]): [Labels<LabelName>, CacheHealth[]][] {
  const groups = new Map<string, [Labels<LabelName>, CacheHealth[]]>()
  for (const health of caches) {
    const { group, version, kind } = health.kind
    const name = `${group}/${version} ${kind}`
    const known = groups.get(name)
    if (known === undefined) groups.set(name, [{ group, version, kind }, [health]])
    else known[1].push(health)
  }
  return [...groups.values()]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function families(registry: MetricsRegistry) {
  return {
    objects: registry.gauge({
      name: 'setpoint_cache_objects',
      help: 'Number of cached objects per kind',
      labels,
    }),
    bytes: registry.gauge({
      name: 'setpoint_cache_bytes',
      help: 'Size in bytes of the cached objects per kind',
      labels,
    }),
    silent: registry.gauge({
      name: 'setpoint_cache_silent_seconds',
      help: 'Seconds since the server last sent anything for a kind; it sends a bookmark every minute',
      labels,
    }),
    synced: registry.gauge({
      name: 'setpoint_cache_synced',
      help: 'Whether the first list of a kind is complete, 1 or 0',
      labels,
    }),
  }
}
