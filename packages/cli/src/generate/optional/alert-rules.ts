import type { ManifestSettings } from '../manifest-settings.ts'

/** An alert as in a PrometheusRule. */
interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: 'critical' | 'warning' }
  readonly annotations: { readonly summary: string; readonly description: string }
}

/** The operators that the alerts are about. */
interface AlertScope {
  readonly settings: Pick<ManifestSettings, 'name' | 'namespace'>
  readonly hasWebhooks: boolean
}

/** The label matchers of all metrics of a deployment. Prometheus names the job after the Service. */
function metricSelector({ name, namespace }: AlertScope['settings']): string {
  return `namespace="${namespace}",job="${name}-metrics"`
}

/** The alerts of a deployment, on the metrics that every operator of Setpoint exports. */
export function alertRules(scope: AlertScope): AlertRule[] {
  const { settings, hasWebhooks } = scope
  const selector = metricSelector(settings)
  return [
    ...availabilityRules(selector, settings),
    ...reconcileRules(selector),
    ...apiRules(selector),
    ...(hasWebhooks ? webhookRules(selector) : []),
  ]
}

function rule(
  alert: string,
  content: {
    readonly expr: string
    readonly for: string
    readonly severity: AlertRule['labels']['severity']
    readonly summary: string
    readonly description: string
  },
): AlertRule {
  const { expr, severity, summary, description } = content
  return {
    alert,
    expr,
    for: content.for,
    labels: { severity },
    annotations: { summary, description },
  }
}

/** Whether the operators run, and one of them leads. */
function availabilityRules(
  selector: string,
  { name, namespace }: AlertScope['settings'],
): AlertRule[] {
  const deployment = `namespace="${namespace}",deployment="${name}"`
  return [
    rule('SetpointOperatorDown', {
      expr: `absent(up{${selector}} == 1)`,
      for: '5m',
      severity: 'critical',
      summary: `No pod of ${name} is running.`,
      description: `Prometheus has scraped no pod of ${name} in ${namespace} for 5 minutes. Objects are not reconciled. Check the pods and their log.`,
    }),
    rule('SetpointOperatorNotReady', {
      // Of kube-state-metrics; without it, the expression has no result.
      expr: `kube_deployment_status_replicas_available{${deployment}} < kube_deployment_spec_replicas{${deployment}}`,
      for: '15m',
      severity: 'warning',
      summary: `Some pods of ${name} are not ready.`,
      description: `Fewer pods of ${name} in ${namespace} are available than desired. /readyz?verbose of a pod says why.`,
    }),
    rule('SetpointOperatorRestarts', {
      expr: `changes(process_start_time_seconds{${selector}}[1h]) > 3`,
      for: '0m',
      severity: 'warning',
      summary: `{{ $labels.pod }} restarts often.`,
      description: `{{ $labels.pod }} started {{ $value }} times in an hour. Read the log of the container before the restart, and compare its memory with its limit.`,
    }),
    rule('SetpointLeaderMissing', {
      expr: `max by (namespace, job, name) (leader_election_master_status{${selector}}) == 0`,
      for: '2m',
      severity: 'critical',
      summary: `No pod of ${name} is the leader.`,
      description: `No pod holds the Lease {{ $labels.name }}, so objects are not reconciled. Check the Lease and whether the pods reach the API server.`,
    }),
    rule('SetpointLeaderNotUnique', {
      expr: `sum by (namespace, job, name) (leader_election_master_status{${selector}}) > 1`,
      for: '2m',
      severity: 'critical',
      summary: `Several pods of ${name} lead.`,
      description: `{{ $value }} pods report that they hold the Lease {{ $labels.name }}. Check their clocks.`,
    }),
  ]
}

/** Whether reconciles succeed, in time. */
function reconcileRules(selector: string): AlertRule[] {
  const rate = (metric: string): string =>
    `sum by (namespace, job, controller) (rate(${metric}{${selector}}[10m]))`
  return [
    rule('SetpointReconcileErrors', {
      expr: `${rate('controller_runtime_reconcile_errors_total')} / ${rate('controller_runtime_reconcile_total')} > 0.1`,
      for: '15m',
      severity: 'warning',
      summary: 'Reconciles of {{ $labels.controller }} fail.',
      description:
        '{{ $value | humanizePercentage }} of the reconciles of {{ $labels.controller }} fail. Events of the objects and the log say why.',
    }),
    rule('SetpointReconcileGivenUp', {
      expr: `sum by (namespace, job, controller) (increase(controller_runtime_terminal_reconcile_errors_total{${selector}}[30m])) > 0`,
      for: '0m',
      severity: 'warning',
      summary: '{{ $labels.controller }} gave up objects.',
      description:
        '{{ $labels.controller }} does not retry some objects before they change. Their Events and conditions say why.',
    }),
    rule('SetpointReconcilePanics', {
      expr: `sum by (namespace, job, controller) (increase(controller_runtime_reconcile_panics_total{${selector}}[15m])) > 0`,
      for: '0m',
      severity: 'critical',
      summary: '{{ $labels.controller }} has a programming error.',
      description:
        'Reconciles of {{ $labels.controller }} end with a TypeError or the like. The log has the stack.',
    }),
    rule('SetpointReconcileStuck', {
      expr: `max by (namespace, job, controller) (workqueue_longest_running_processor_seconds{${selector}}) > 600`,
      for: '5m',
      severity: 'warning',
      summary: 'A reconcile of {{ $labels.controller }} does not end.',
      description:
        'A reconcile of {{ $labels.controller }} runs for {{ $value | humanizeDuration }}, and no other reconcile of its object can start.',
    }),
    rule('SetpointQueueLong', {
      expr: `max by (namespace, job, controller) (min_over_time(workqueue_depth{${selector}}[15m])) > 10`,
      for: '5m',
      severity: 'warning',
      summary: 'The queue of {{ $labels.controller }} does not become empty.',
      description:
        '{{ $value }} or more objects wait for a reconcile of {{ $labels.controller }} all the time. Compare the duration of reconciles with the concurrency.',
    }),
    rule('SetpointTaskErrors', {
      expr: `sum by (namespace, job, controller, handler) (increase(setpoint_task_runs_total{${selector},result="error"}[30m])) > 3`,
      for: '15m',
      severity: 'warning',
      summary: 'The daemon or timer {{ $labels.handler }} of {{ $labels.controller }} fails.',
      description:
        '{{ $labels.handler }} failed {{ $value | humanize }} times in 30 minutes. The log says why.',
    }),
  ]
}

/** Whether the operators see the current state of the cluster. */
function apiRules(selector: string): AlertRule[] {
  return [
    rule('SetpointWatchSilent', {
      expr: `max by (namespace, job, pod, group, version, kind) (setpoint_cache_silent_seconds{${selector}}) > 300`,
      for: '5m',
      severity: 'warning',
      summary: 'The watch of {{ $labels.kind }} is stale.',
      description:
        'The API server has sent nothing for {{ $labels.kind }} for {{ $value | humanizeDuration }}; it sends a bookmark every minute. The operator may work with old objects.',
    }),
    rule('SetpointCacheNotSynced', {
      expr: `min by (namespace, job, pod, group, version, kind) (setpoint_cache_synced{${selector}}) == 0`,
      for: '10m',
      severity: 'warning',
      summary: 'The list of {{ $labels.kind }} is not complete.',
      description:
        'The operator has not listed {{ $labels.kind }} yet. Check the permissions, and that the CRD is installed: setpoint doctor.',
    }),
    rule('SetpointApiRequestErrors', {
      expr: `sum by (namespace, job) (rate(rest_client_requests_total{${selector},code=~"5..|429|<error>"}[10m])) / sum by (namespace, job) (rate(rest_client_requests_total{${selector}}[10m])) > 0.1`,
      for: '15m',
      severity: 'warning',
      summary: 'Requests to the API server fail.',
      description:
        '{{ $value | humanizePercentage }} of the requests of the operator fail, are refused with 429, or have no response.',
    }),
  ]
}

/** Whether API servers can call the operators. */
function webhookRules(selector: string): AlertRule[] {
  const metric = `controller_runtime_webhook_requests_total{${selector}`
  return [
    rule('SetpointWebhookErrors', {
      expr: `sum by (namespace, job, webhook) (rate(${metric},code=~"5.."}[10m])) / sum by (namespace, job, webhook) (rate(${metric}}[10m])) > 0.05`,
      for: '10m',
      severity: 'critical',
      summary: 'The webhook {{ $labels.webhook }} fails.',
      description:
        '{{ $value | humanizePercentage }} of the requests to {{ $labels.webhook }} fail, so the API server refuses or does not review requests of users.',
    }),
    rule('SetpointWebhookSlow', {
      expr: `histogram_quantile(0.99, sum by (namespace, job, webhook, le) (rate(controller_runtime_webhook_latency_seconds_bucket{${selector}}[10m]))) > 2`,
      for: '15m',
      severity: 'warning',
      summary: 'The webhook {{ $labels.webhook }} is slow.',
      description:
        'One of 100 requests to {{ $labels.webhook }} needs more than {{ $value | humanizeDuration }}, and delays requests of users by that time.',
    }),
    rule('SetpointCertificateExpires', {
      expr: `min by (namespace, job) (setpoint_webhook_certificate_expiry_timestamp_seconds{${selector}}) - time() < 7 * 24 * 3600`,
      for: '1h',
      severity: 'critical',
      summary: 'The certificate of the webhooks expires soon.',
      description:
        'The certificate expires in {{ $value | humanizeDuration }}, and was not renewed. After that, API servers cannot call the webhooks. /readyz?verbose of a pod says why.',
    }),
  ]
}
