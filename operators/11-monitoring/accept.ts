import * as z from 'zod'
import type { PodMonitorSpec } from './kinds/pod-monitor.ts'
import type { PrometheusRuleSpec } from './kinds/prometheus-rule.ts'
import type { ServiceMonitorSpec } from './kinds/service-monitor.ts'

/**
 * What this operator supports of the well-known kinds. Their complete CRDs have more fields:
 * objects that use them are refused, because without its `basicAuth` or its relabelings a monitor
 * would do something else than its author wants.
 */
const unitMs = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
}

const duration = z.string().regex(/^([0-9]+(ms|[smhdwy]))+$/, 'is not a duration of Prometheus')

const strings = z.record(z.string(), z.string())

const selector = z.strictObject({
  matchLabels: strings.optional(),
  matchExpressions: z
    .array(
      z.strictObject({
        key: z.string(),
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: z.array(z.string()).optional(),
      }),
    )
    .optional(),
})

const common = {
  selector,
  namespaceSelector: z
    .strictObject({ any: z.boolean().optional(), matchNames: z.array(z.string()).optional() })
    .optional(),
  jobLabel: z.string().optional(),
}

const endpoint = z
  .strictObject({
    port: z.string().min(1),
    path: z.string().optional(),
    scheme: z.enum(['http', 'https']).optional(),
    interval: duration.optional(),
    scrapeTimeout: duration.optional(),
    honorLabels: z.boolean().optional(),
  })
  .refine(
    ({ interval, scrapeTimeout }) =>
      interval === undefined ||
      scrapeTimeout === undefined ||
      durationMs(scrapeTimeout) <= durationMs(interval),
    'scrapeTimeout is longer than interval',
  )

const rule = z
  .strictObject({
    alert: z.string().optional(),
    record: z.string().optional(),
    expr: z.union([z.string(), z.number()]),
    for: duration.optional(),
    labels: strings.optional(),
    annotations: strings.optional(),
  })
  .refine(({ alert, record }) => (alert === undefined) !== (record === undefined), {
    message: 'must have either alert or record',
  })

const group = z.strictObject({
  name: z.string().min(1),
  interval: duration.optional(),
  rules: z.array(rule).optional(),
})

/** The supported spec of each kind. The types are those that `setpoint kinds` makes of the CRDs. */
const supported = {
  ServiceMonitor: z.strictObject({
    ...common,
    endpoints: z.array(endpoint),
  }) satisfies z.ZodType<Loose<ServiceMonitorSpec>>,
  PodMonitor: z.strictObject({
    ...common,
    podMetricsEndpoints: z.array(endpoint),
  }) satisfies z.ZodType<Loose<PodMonitorSpec>>,
  PrometheusRule: z.strictObject({
    groups: z.array(group).optional(),
  }) satisfies z.ZodType<Loose<PrometheusRuleSpec>>,
}

/** Zod's optional fields may be `undefined`. */
type Loose<T> = T extends readonly (infer Item)[]
  ? Loose<Item>[]
  : T extends object
    ? {
        [Field in keyof T]: undefined extends T[Field]
          ? Loose<T[Field]> | undefined
          : Loose<T[Field]>
      }
    : T

/** Why an object cannot be used; `undefined` if it can. */
export function problemOf({
  kind,
  spec,
}: {
  readonly kind: keyof typeof supported
  readonly spec: unknown
}): string | undefined {
  const [issue] = supported[kind].safeParse(spec).error?.issues ?? []
  if (issue === undefined) return undefined
  const path = ['spec', ...issue.path].map(String)
  if (issue.code === 'unrecognized_keys') {
    return `${[...path, issue.keys[0] ?? ''].join('.')} is not supported`
  }
  return `${path.join('.')}: ${issue.message}`
}

/** Why a file of a ConfigMap is not a dashboard; `undefined` if it is. */
export function dashboardProblem(text: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `is not JSON: ${(error as Error).message}`
  }
  const isDashboard = z.looseObject({ title: z.string().min(1) }).safeParse(value).success
  return isDashboard ? undefined : 'is not a dashboard: it has no title'
}

function durationMs(text: string): number {
  return [...text.matchAll(/([0-9]+)(ms|[smhdwy])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs],
    0,
  )
}
