import type { CacheHealth } from '../cache/index.ts'
import type { Labels } from './labelled-series.ts'
import type { MetricsRegistry } from './metrics-registry.ts'

const labels = ['group', 'version', 'kind'] as const

type LabelName = (typeof labels)[number]

/** Shows how the caches are, per kind; they are asked at every scrape. A kind in several scopes is added up. */
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
      help: 'Number of objects kept per kind',
      labels,
    }),
    bytes: registry.gauge({
      name: 'setpoint_cache_bytes',
      help: 'Size in bytes of the objects kept per kind',
      labels,
    }),
    silent: registry.gauge({
      name: 'setpoint_cache_silent_seconds',
      help: 'How many seconds ago the server last said anything about a kind; it sends a bookmark a minute',
      labels,
    }),
    synced: registry.gauge({
      name: 'setpoint_cache_synced',
      help: 'Whether everything that existed of a kind has been seen once, 1 or 0',
      labels,
    }),
  }
}
