import type { ServerResponse } from 'setpoint/host'
import { builtinData } from '../data/index.ts'
import type { ApiRequest } from './api-request.ts'

/**
 * `/metrics`: the version and the number of stored objects, two of a real server's many metrics.
 */
export function metricsResponse({ server }: ApiRequest): ServerResponse {
  const { major, minor, gitVersion } = builtinData.legacyDiscovery()[
    '/version'
  ] as unknown as Version
  const build = `major="${major}",minor="${minor}",git_version="${gitVersion}"`
  const lines = [
    '# HELP kubernetes_build_info What this server says it is.',
    '# TYPE kubernetes_build_info gauge',
    `kubernetes_build_info{${build}} 1`,
    '# HELP apiserver_resource_objects How many objects are stored, by resource.',
    '# TYPE apiserver_resource_objects gauge',
    ...objectCounts(server).map(
      ([group, resource, count]) =>
        `apiserver_resource_objects{group="${group}",resource="${resource}"} ${count}`,
    ),
  ]
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores' },
    body: `${lines.join('\n')}\n`,
  }
}

interface Version {
  readonly major: string
  readonly minor: string
  readonly gitVersion: string
}

function objectCounts({ registry, store }: ApiRequest['server']): [string, string, number][] {
  const seen = new Set<string>()
  const counts: [string, string, number][] = []
  for (const { bucket, group, plural, verbs } of registry.all()) {
    if (seen.has(bucket) || !verbs.has('list')) continue
    seen.add(bucket)
    counts.push([group, plural, [...store.list(bucket, '')].length])
  }
  return counts
}
