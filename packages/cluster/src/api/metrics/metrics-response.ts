import type { ServerResponse } from 'setpoint/host'
import { builtinData } from '../../data/index.ts'
import type { ApiServer } from '../api-request.ts'

/** `/metrics` in the text format of Prometheus. */
export function metricsResponse(server: ApiServer): ServerResponse {
  const { series, metrics } = server
  metrics.refresh()
  for (const { group, plural, count } of objectCounts(server)) {
    const name = group === '' ? plural : `${plural}.${group}`
    series.number('resourceObjects', [group, plural]).value = count
    series.number('storageObjects', [name]).value = count
    // All resources share one log, which is complete from the start.
    series.number('watchCacheStarts', [group, plural]).value = 1
    series.number('watchCacheRevisions', [group, plural]).value = server.store.revision
  }
  const version = builtinData.legacyDiscovery()['/version'] as unknown as Version
  const { compiler, gitVersion, goVersion, major, minor } = version
  const built = ['1970-01-01T00:00:00Z', compiler, version.gitCommit, version.gitTreeState]
  const values = [...built, gitVersion, goVersion, major, minor, 'linux/amd64']
  series.number('buildInfo', values).value = 1
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores' },
    body: series.text(),
  }
}

interface Version {
  readonly major: string
  readonly minor: string
  readonly gitVersion: string
  readonly gitCommit: string
  readonly gitTreeState: string
  readonly goVersion: string
  readonly compiler: string
}

interface ObjectCount {
  readonly group: string
  readonly plural: string
  readonly count: number
}

function objectCounts({ registry, store }: ApiServer): ObjectCount[] {
  const seen = new Set<string>()
  return registry.all().flatMap(({ bucket, group, plural, verbs }) => {
    if (seen.has(bucket) || !verbs.has('list')) return []
    seen.add(bucket)
    return [{ group, plural, count: store.count(bucket) }]
  })
}
