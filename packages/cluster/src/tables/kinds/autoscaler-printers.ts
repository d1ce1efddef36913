import type { JsonObject, JsonValue } from 'setpoint/schema'
import { nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import { autoscalerMetrics, type Metric, type MetricAmounts } from './autoscaler-metric-text.ts'
import type { CellPrinters } from '../row-printer.ts'
import { shortenedList } from '../shortened-list.ts'

/** Horizontal autoscalers of both versions. */
export const autoscalerPrinters: CellPrinters = {
  'autoscaling/horizontalpodautoscalers': autoscalerCells,
}

interface Autoscaler {
  readonly spec?: {
    readonly scaleTargetRef?: { readonly kind?: string; readonly name?: string }
    readonly minReplicas?: number
    readonly maxReplicas?: number
  }
  readonly status?: { readonly currentReplicas?: number }
}

function autoscalerCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec, status } = object as unknown as Autoscaler
  const target = spec?.scaleTargetRef
  return [
    nameOf(object),
    `${target?.kind ?? ''}/${target?.name ?? ''}`,
    metricsText(object),
    spec?.minReplicas?.toString() ?? '<unset>',
    spec?.maxReplicas ?? 0,
    status?.currentReplicas ?? 0,
    ageOf(object, nowMs),
  ]
}

function metricsText(object: JsonObject): string {
  const { targets, current } = autoscalerMetrics(object)
  if (targets.length === 0) return '<none>'
  const texts = targets.map((target, index) => metricText(target, current[index]))
  return shortenedList(texts, { max: 2, separator: ', ' })
}

const unknown = '<unknown>'
/** Go's text for a missing quantity. */
const missing = '<nil>'

function metricText(metric: Metric, reported: Metric | undefined): string {
  const { type, name, amounts } = metric
  const current = reported?.type === type ? reported.amounts : undefined
  switch (type) {
    case 'External':
    case 'Object':
      return valueText(amounts, current)
    case 'Pods':
      return `${averageOf(current)}/${amounts.averageValue ?? missing}`
    case 'Resource':
    case 'ContainerResource':
      return `${name}: ${resourceText(amounts, current)}`
    default:
      return '<unknown type>'
  }
}

function valueText(target: MetricAmounts, current: MetricAmounts | undefined): string {
  if (target.averageValue !== undefined) {
    return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`
  }
  const value = current === undefined ? unknown : (current.value ?? missing)
  return `${value}/${target.value ?? missing}`
}

function resourceText(target: MetricAmounts, current: MetricAmounts | undefined): string {
  if (target.averageValue !== undefined) return `${averageOf(current)}/${target.averageValue}`
  return `${percent(current, unknown)}/${percent(target, '<auto>')}`
}

function averageOf(current: MetricAmounts | undefined): string {
  return current === undefined ? unknown : (current.averageValue ?? missing)
}

function percent(amounts: MetricAmounts | undefined, otherwise: string): string {
  const utilization = amounts?.averageUtilization
  return utilization === undefined ? otherwise : `${utilization}%`
}
