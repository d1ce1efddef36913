import type { ServerResponse } from 'setpoint/host'
import type { ApiRequest } from './api-request.ts'
import { pageNotFound, textResponse } from './http/respond.ts'

/** The post-start hooks of a real server; here they all succeed before the first request. */
const startHooks = [
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/storage-object-count-tracker-hook',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/peer-endpoint-reconciler-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-apiserver-identity-lease-controller',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
  'poststarthook/storage-readiness',
  'poststarthook/start-legacy-token-tracking-controller',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kubernetes-service-cidr-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
]

/** The checks in the order of a real server; in one process they all pass or fail together. */
const aliveChecks = ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...startHooks]
const readyChecks = [
  'ping',
  'log',
  'etcd',
  'etcd-readiness',
  'informer-sync',
  ...startHooks,
  'shutdown',
]

/** The answer to a single check lacks the headers that the combined answer has. */
const passed: ServerResponse = {
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'ok',
}

/** `/healthz`, `/livez`, `/readyz`, a single check below them, or all checks with `?verbose`. */
export function healthResponse(
  root: string,
  check: string,
  { info, server }: ApiRequest,
): ServerResponse {
  const checks = root === 'readyz' ? readyChecks : aliveChecks
  const excluded = info.query.getAll('exclude')
  const failed = server.faults.isStorageStopped ? ['etcd', 'etcd-readiness'] : []
  const hasFailed = (name: string): boolean => failed.includes(name) && !excluded.includes(name)
  if (check !== '') {
    if (!checks.includes(check)) return pageNotFound()
    return failed.includes(check)
      ? textResponse(500, 'internal server error: etcd failed\n')
      : passed
  }
  const isHealthy = !checks.some(hasFailed)
  if (isHealthy && !info.query.has('verbose')) return textResponse(200, 'ok')
  const lines = checks.map((name) => {
    if (hasFailed(name)) return `[-]${name} failed: reason withheld\n`
    return `[+]${name} ${excluded.includes(name) ? 'excluded: ok' : 'ok'}\n`
  })
  const unknown = excluded.filter((name) => !checks.includes(name))
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name)).join(',')
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}\n`)
  }
  const [code, result] = isHealthy ? [200, 'passed'] : [500, 'failed']
  return textResponse(code, `${lines.join('')}${root} check ${result}\n`)
}
