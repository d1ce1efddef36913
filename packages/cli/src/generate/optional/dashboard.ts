/** A query of a panel with the names of its lines. */
interface Query {
  readonly expr: string
  readonly legend: string
}

/** A panel before it has a place. */
interface PanelContent {
  readonly title: string
  readonly description?: string
  /** A unit of Grafana. */
  readonly unit: string
  readonly queries: readonly Query[]
  readonly stacked?: boolean
}

/** Grafana replaces the variables, which users choose in the dashboard. */
const selector = 'namespace="$namespace",job="$job"'

const [columns, rowHeight] = [24, 8]
const panelWidth = columns / 2

/**
 * A Grafana dashboard of the metrics of an operator. It is the same for all deployments: variables
 * choose the data source, the namespace and the job.
 */
export function dashboard({
  name,
  hasWebhooks,
}: {
  readonly name: string
  readonly hasWebhooks: boolean
}): object {
  const contents = [
    ...reconcilePanels(),
    ...queuePanels(),
    ...apiPanels(),
    ...(hasWebhooks ? webhookPanels() : []),
    ...processPanels(),
  ]
  return {
    title: `${name} (operator)`,
    uid: `setpoint-${name}`.slice(0, 40),
    tags: ['setpoint', 'kubernetes', 'operator'],
    schemaVersion: 39,
    editable: true,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    timezone: '',
    templating: { list: variables(name) },
    panels: contents.map((content, index) => panel(content, index)),
  }
}

function variables(name: string): readonly object[] {
  const datasource = { type: 'prometheus', uid: '${datasource}' }
  const query = (variable: string, text: string): object => ({
    name: variable,
    type: 'query',
    datasource,
    query: { query: text, refId: variable },
    refresh: 2,
    sort: 1,
  })
  return [
    { name: 'datasource', type: 'datasource', query: 'prometheus' },
    query(
      'namespace',
      `label_values(controller_runtime_max_concurrent_reconciles{job="${name}-metrics"}, namespace)`,
    ),
    query(
      'job',
      `label_values(controller_runtime_max_concurrent_reconciles{namespace="$namespace",job="${name}-metrics"}, job)`,
    ),
  ]
}

function panel(content: PanelContent, index: number): object {
  const { title, description, unit, queries, stacked = false } = content
  const datasource = { type: 'prometheus', uid: '${datasource}' }
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    ...(description === undefined ? {} : { description }),
    datasource,
    gridPos: {
      x: (index % 2) * panelWidth,
      y: Math.floor(index / 2) * rowHeight,
      w: panelWidth,
      h: rowHeight,
    },
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        custom: {
          fillOpacity: stacked ? 30 : 0,
          stacking: { mode: stacked ? 'normal' : 'none' },
        },
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom' },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: queries.map(({ expr, legend }, position) => ({
      refId: String.fromCodePoint('A'.codePointAt(0)! + position),
      datasource,
      expr,
      legendFormat: legend,
    })),
  }
}

/** The quantiles of a histogram, by one label. */
function quantiles(metric: string, label: string): Query[] {
  return [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (${label}, le) (rate(${metric}_bucket{${selector}}[$__rate_interval])))`,
    legend: `{{${label}}} p${quantile * 100}`,
  }))
}

function reconcilePanels(): PanelContent[] {
  return [
    {
      title: 'Reconciles by result',
      unit: 'ops',
      stacked: true,
      queries: [
        {
          expr: `sum by (controller, result) (rate(controller_runtime_reconcile_total{${selector}}[$__rate_interval]))`,
          legend: '{{controller}} {{result}}',
        },
      ],
    },
    {
      title: 'Failed reconciles',
      description: 'All errors, those after which an object is given up, timeouts, and bugs.',
      unit: 'ops',
      queries: ['errors', 'terminal_reconcile_errors', 'timeouts', 'panics'].map((what) => ({
        expr: `sum by (controller) (rate(controller_runtime_${what === 'terminal_reconcile_errors' ? what : `reconcile_${what}`}_total{${selector}}[$__rate_interval]))`,
        legend: `{{controller}} ${what.replaceAll('_', ' ')}`,
      })),
    },
    {
      title: 'Duration of reconciles',
      unit: 's',
      queries: quantiles('controller_runtime_reconcile_time_seconds', 'controller'),
    },
    {
      title: 'Reasons of reconciles',
      unit: 'ops',
      stacked: true,
      queries: [
        {
          expr: `sum by (controller, cause) (rate(setpoint_run_reasons_total{${selector}}[$__rate_interval]))`,
          legend: '{{controller}} {{cause}}',
        },
      ],
    },
  ]
}

function queuePanels(): PanelContent[] {
  return [
    {
      title: 'Objects that wait for a reconcile',
      unit: 'short',
      queries: [
        {
          expr: `sum by (controller) (workqueue_depth{${selector}})`,
          legend: '{{controller}}',
        },
      ],
    },
    {
      title: 'Time in the queue',
      unit: 's',
      queries: quantiles('workqueue_queue_duration_seconds', 'controller'),
    },
    {
      title: 'Running reconciles',
      unit: 'short',
      queries: [
        {
          expr: `sum by (controller) (controller_runtime_active_workers{${selector}})`,
          legend: '{{controller}}',
        },
        {
          expr: `max by (controller) (controller_runtime_max_concurrent_reconciles{${selector}})`,
          legend: '{{controller}} concurrency',
        },
      ],
    },
    {
      title: 'Longest running reconcile',
      unit: 's',
      queries: [
        {
          expr: `max by (controller) (workqueue_longest_running_processor_seconds{${selector}})`,
          legend: '{{controller}}',
        },
      ],
    },
  ]
}

function apiPanels(): PanelContent[] {
  return [
    {
      title: 'Requests to the API server',
      unit: 'reqps',
      stacked: true,
      queries: [
        {
          expr: `sum by (method, code) (rate(rest_client_requests_total{${selector}}[$__rate_interval]))`,
          legend: '{{method}} {{code}}',
        },
      ],
    },
    {
      title: 'Time since the API server sent anything, by kind',
      description: 'A server sends a bookmark every minute.',
      unit: 's',
      queries: [
        {
          expr: `max by (kind) (setpoint_cache_silent_seconds{${selector}})`,
          legend: '{{kind}}',
        },
      ],
    },
    {
      title: 'Cached objects',
      unit: 'short',
      queries: [
        {
          expr: `max by (kind) (setpoint_cache_objects{${selector}})`,
          legend: '{{kind}}',
        },
      ],
    },
    {
      title: 'Leader',
      description: 'The pod that reconciles has 1.',
      unit: 'short',
      queries: [
        {
          expr: `max by (pod) (leader_election_master_status{${selector}})`,
          legend: '{{pod}}',
        },
      ],
    },
  ]
}

function webhookPanels(): PanelContent[] {
  return [
    {
      title: 'Requests to webhooks',
      unit: 'reqps',
      queries: [
        {
          expr: `sum by (webhook, code) (rate(controller_runtime_webhook_requests_total{${selector}}[$__rate_interval]))`,
          legend: '{{webhook}} {{code}}',
        },
      ],
    },
    {
      title: 'Latency of webhooks',
      unit: 's',
      queries: quantiles('controller_runtime_webhook_latency_seconds', 'webhook'),
    },
  ]
}

function processPanels(): PanelContent[] {
  return [
    {
      title: 'CPU',
      unit: 'short',
      queries: [
        {
          expr: `sum by (pod) (rate(process_cpu_seconds_total{${selector}}[$__rate_interval]))`,
          legend: '{{pod}}',
        },
      ],
    },
    {
      title: 'Memory',
      unit: 'bytes',
      queries: [
        {
          expr: `max by (pod) (process_resident_memory_bytes{${selector}})`,
          legend: '{{pod}} resident',
        },
        {
          expr: `max by (pod) (nodejs_heap_size_used_bytes{${selector}})`,
          legend: '{{pod}} heap',
        },
      ],
    },
  ]
}
