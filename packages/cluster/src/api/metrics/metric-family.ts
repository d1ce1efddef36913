import { admissionFamilies } from './admission-families.ts'

/** The description of a metric, as a real 1.36 server has it. */
interface MetricFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** In alphabetical order, as in the output. */
  readonly labels: readonly string[]
  /** The upper bounds of a histogram. */
  readonly buckets?: readonly number[]
}

const requestLabels = [
  'component',
  'dry_run',
  'group',
  'resource',
  'scope',
  'subresource',
  'verb',
  'version',
]
const withoutDryRun = requestLabels.filter((label) => label !== 'dry_run')
const seconds = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45,
  60,
]

/** The metrics of this server. */
export const families = {
  ...admissionFamilies,
  requests: {
    name: 'apiserver_request_total',
    type: 'counter',
    help: '[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
    labels: ['code', ...requestLabels],
  },
  durations: {
    name: 'apiserver_request_duration_seconds',
    type: 'histogram',
    help: '[STABLE] Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
    labels: requestLabels,
    buckets: seconds,
  },
  sliDurations: {
    name: 'apiserver_request_sli_duration_seconds',
    type: 'histogram',
    help: '[ALPHA] Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
    labels: withoutDryRun,
    buckets: seconds.slice(2),
  },
  sizes: {
    name: 'apiserver_response_sizes',
    type: 'histogram',
    help: '[STABLE] Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
    labels: withoutDryRun,
    buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9],
  },
  terminations: {
    name: 'apiserver_request_terminations_total',
    type: 'counter',
    help: '[ALPHA] Number of requests which apiserver terminated in self-defense.',
    labels: ['code', ...withoutDryRun],
  },
  inFlight: {
    name: 'apiserver_current_inflight_requests',
    type: 'gauge',
    help: '[STABLE] Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
    labels: ['request_kind'],
  },
  longRunning: {
    name: 'apiserver_longrunning_requests',
    type: 'gauge',
    help: '[STABLE] Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
    labels: withoutDryRun,
  },
  dispatched: {
    name: 'apiserver_flowcontrol_dispatched_requests_total',
    type: 'counter',
    help: '[BETA] Number of requests executed by API Priority and Fairness subsystem',
    labels: ['flow_schema', 'priority_level'],
  },
  watchEvents: {
    name: 'apiserver_watch_events_total',
    type: 'counter',
    help: '[ALPHA] Number of events sent in watch clients',
    labels: ['group', 'resource', 'version'],
  },
  watchEventSizes: {
    name: 'apiserver_watch_events_sizes',
    type: 'histogram',
    help: '[ALPHA] Watch event size distribution in bytes',
    labels: ['group', 'resource', 'version'],
    buckets: [1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072],
  },
  resourceObjects: {
    name: 'apiserver_resource_objects',
    type: 'gauge',
    help: '[ALPHA] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
    labels: ['group', 'resource'],
  },
  storageObjects: {
    name: 'apiserver_storage_objects',
    type: 'gauge',
    help: '[STABLE] (Deprecated since 1.34.0) [DEPRECATED, consider using apiserver_resource_objects instead] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
    labels: ['resource'],
  },
  etcdRequests: {
    name: 'etcd_requests_total',
    type: 'counter',
    help: '[ALPHA] Etcd request counts for each operation and object type.',
    labels: ['group', 'operation', 'resource'],
  },
  buildInfo: {
    name: 'kubernetes_build_info',
    type: 'gauge',
    help: "[BETA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
    labels: [
      'build_date',
      'compiler',
      'git_commit',
      'git_tree_state',
      'git_version',
      'go_version',
      'major',
      'minor',
      'platform',
    ],
  },
} as const satisfies Readonly<Record<string, MetricFamily>>

/** The name of a family in this server. */
export type FamilyName = keyof typeof families

/** The family of a name, with what only some families have. */
export function familyOf(name: FamilyName): MetricFamily {
  return families[name]
}
