import type { JsonObject } from 'setpoint/schema'
import { metadataOf } from '../../object/index.ts'

/** The amounts of a target or of a measurement. */
export interface MetricAmounts {
  readonly value?: string | undefined
  readonly averageValue?: string | undefined
  readonly averageUtilization?: number | undefined
}

/** One metric of an autoscaler, target or current. */
export interface Metric {
  readonly type: string
  /** The name of the resource; other metrics show none. */
  readonly name: string
  readonly amounts: MetricAmounts
}

/** The targets and current values of an autoscaler, in the same order. */
interface AutoscalerMetrics {
  readonly targets: readonly Metric[]
  readonly current: readonly Metric[]
}

/** Reads the metrics of either version: v1 has all but the CPU target in annotations. */
export function autoscalerMetrics(object: JsonObject): AutoscalerMetrics {
  return object['apiVersion'] === 'autoscaling/v1' ? metricsOfV1(object) : metricsOfV2(object)
}

interface MetricSource {
  readonly name?: string
  readonly target?: MetricAmounts
  readonly current?: MetricAmounts
}

/** One metric of a spec or status; its details are in a field that is named after the type. */
interface RawMetric {
  readonly type: string
}

interface AutoscalerV2 {
  readonly spec?: { readonly metrics?: readonly RawMetric[] }
  readonly status?: { readonly currentMetrics?: readonly RawMetric[] | null }
}

function metricsOfV2(object: JsonObject): AutoscalerMetrics {
  const { spec, status } = object as unknown as AutoscalerV2
  return {
    targets: (spec?.metrics ?? []).map((metric) => metricOf(metric, 'target')),
    current: (status?.currentMetrics ?? []).map((metric) => metricOf(metric, 'current')),
  }
}

function metricOf(metric: RawMetric, side: 'target' | 'current'): Metric {
  const { name = '', [side]: amounts = {} } = sourceOf<MetricSource>(metric) ?? {}
  return { type: metric.type, name, amounts }
}

function sourceOf<Source>(metric: RawMetric): Source | undefined {
  const field = metric.type.charAt(0).toLowerCase() + metric.type.slice(1)
  return (metric as unknown as Readonly<Record<string, Source | undefined>>)[field]
}

interface MetricSourceV1 extends MetricSource {
  readonly targetValue?: string
  readonly targetAverageValue?: string
  readonly targetAverageUtilization?: number
  readonly currentValue?: string
  readonly currentAverageValue?: string
  readonly currentAverageUtilization?: number
}

function metricsOfV1(object: JsonObject): AutoscalerMetrics {
  const { spec } = object as unknown as {
    readonly spec?: { readonly targetCPUUtilizationPercentage?: number }
  }
  const cpu = spec?.targetCPUUtilizationPercentage
  const others = annotatedMetrics(object, 'metrics').map((metric): Metric => {
    const source = sourceOf<MetricSourceV1>(metric) ?? {}
    const amounts = source.target ?? {
      value: source.targetValue,
      averageValue: source.targetAverageValue,
      averageUtilization: source.targetAverageUtilization,
    }
    return { type: metric.type, name: source.name ?? '', amounts }
  })
  return {
    targets: cpu === undefined ? others : [cpuTarget(cpu), ...others],
    current: annotatedMetrics(object, 'current-metrics').map((metric): Metric => {
      const source = sourceOf<MetricSourceV1>(metric) ?? {}
      const amounts = source.current ?? {
        value: source.currentValue,
        averageValue: source.currentAverageValue,
        averageUtilization: source.currentAverageUtilization,
      }
      return { type: metric.type, name: source.name ?? '', amounts }
    }),
  }
}

function cpuTarget(averageUtilization: number): Metric {
  return { type: 'Resource', name: 'cpu', amounts: { averageUtilization } }
}

function annotatedMetrics(object: JsonObject, name: string): RawMetric[] {
  const text = metadataOf(object).annotations?.[`autoscaling.alpha.kubernetes.io/${name}`]
  if (text === undefined) return []
  try {
    const metrics = JSON.parse(text) as unknown
    return Array.isArray(metrics) ? metrics.filter(isMetric) : []
  } catch {
    // A user edited the annotation so that it is invalid: the autoscaler has no further metrics.
    return []
  }
}

function isMetric(metric: unknown): metric is RawMetric {
  return (
    typeof metric === 'object' &&
    metric !== null &&
    'type' in metric &&
    typeof metric.type === 'string'
  )
}
