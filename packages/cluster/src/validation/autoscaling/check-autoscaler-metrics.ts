import type { HorizontalPodAutoscalerSpec } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { labelProblems, pathSegmentProblems } from '../fields/name-rules.ts'
import { signOf } from '../fields/compare-quantities.ts'
import { checkContainerResourceName } from '../fields/resource-names.ts'
import { checkTargetReference, type TargetOptions } from './target-reference.ts'

type Spec = Decoded<HorizontalPodAutoscalerSpec>
type Metric = NonNullable<Spec['metrics']>[number]
type Target = NonNullable<NonNullable<Metric['resource']>['target']>

const types = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']

/** Checks the metrics of an autoscaler. */
export function checkMetrics(spec: Spec, at: FieldPath, options: TargetOptions): void {
  const metrics = spec.metrics ?? []
  for (const [index, metric] of metrics.entries()) checkMetric(metric, at.index(index), options)
  const canScaleFromZero = metrics.some(({ type }) => type === 'Object' || type === 'External')
  if (spec.minReplicas === 0 && !canScaleFromZero) {
    const detail =
      'must specify at least one Object or External metric to support scaling to zero replicas'
    at.forbidden(detail)
  }
}

function checkMetric(metric: Metric, at: FieldPath, options: TargetOptions): void {
  const { type = '' } = metric
  const typeAt = at.child('type')
  if (type === '') typeAt.required('must specify a metric source type')
  if (!types.includes(type)) typeAt.notSupported(type, types)
  const fields = ['object', 'external', 'pods', 'resource', 'containerResource'] as const
  const present = fields.filter((field) => metric[field] !== undefined)
  const [first] = present
  if (first !== undefined) checkSource(metric, { field: first, at: at.child(first) }, options)
  const expected = types.includes(type) ? type.charAt(0).toLowerCase() + type.slice(1) : undefined
  if (expected === undefined) typeAt.notSupported(type, types)
  else if (!(present as readonly string[]).includes(expected)) {
    at.child(expected).required('must populate information for the given metric source')
  }
  if (present.length === 1) return
  for (const field of present) {
    if (field === expected) continue
    at.child(field).forbidden('must populate the given metric source only')
  }
}

interface PlacedSource {
  readonly field: 'object' | 'external' | 'pods' | 'resource' | 'containerResource'
  readonly at: FieldPath
}

function checkSource(metric: Metric, { field, at }: PlacedSource, options: TargetOptions): void {
  const source = metric[field]
  const target: Target = source?.target ?? {}
  const targetAt = at.child('target')
  if (field === 'object') {
    const described = metric.object?.describedObject ?? {}
    checkTargetReference(described, at.child('describedObject'), options)
  }
  if (field === 'object' || field === 'external' || field === 'pods') {
    checkMetricName(metric[field]?.metric?.name ?? '', at.child('metric', 'name'))
    checkTarget(target, targetAt)
    checkValues(field, target, targetAt)
    return
  }
  const name = metric[field]?.name ?? ''
  if (name === '') at.child('name').required('must specify a resource name')
  if (field === 'containerResource') {
    const container = metric.containerResource?.container ?? ''
    if (name !== '') checkContainerResourceName(name, at.child('name'))
    if (container === '') at.child('container').required('must specify a container')
    else at.child('container').invalidEach(container, labelProblems(container))
  }
  checkTarget(target, targetAt)
  checkUtilization(target, targetAt)
}

function checkMetricName(name: string, at: FieldPath): void {
  if (name === '') at.required('must specify a metric name')
  else at.invalidEach(name, pathSegmentProblems(name))
}

function checkValues(
  field: 'object' | 'external' | 'pods',
  { value, averageValue }: Target,
  at: FieldPath,
): void {
  const averageAt = at.child('averageValue')
  if (field === 'pods') {
    if (averageValue === undefined)
      averageAt.required('must specify a positive target averageValue')
    return
  }
  if (value === undefined && averageValue === undefined) {
    const detail =
      field === 'object'
        ? 'must set either a target value or averageValue'
        : 'must set either a target value for metric or a per-pod target'
    averageAt.required(detail)
  }
  if (field === 'external' && value !== undefined && averageValue !== undefined) {
    const detail = 'may not set both a target value for metric and a per-pod target'
    at.child('value').forbidden(detail)
  }
}

function checkUtilization({ averageUtilization, averageValue }: Target, at: FieldPath): void {
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = 'must set either a target raw value or a target utilization'
    at.child('averageUtilization').required(detail)
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const detail = 'may not set both a target raw value and a target utilization'
    at.child('averageValue').forbidden(detail)
  }
}

function checkTarget(target: Target, at: FieldPath): void {
  const { type = '', averageUtilization } = target
  if (type === '') at.child('type').required('must specify a metric target type')
  if (type !== 'Utilization' && type !== 'Value' && type !== 'AverageValue') {
    at.child('type').invalidNamed(type, 'must be either Utilization, Value, or AverageValue')
  }
  for (const field of ['value', 'averageValue'] as const) {
    const amount = target[field]
    if (amount !== undefined && signOf(amount) <= 0) {
      at.child(field).invalid(amount, 'must be positive')
    }
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    at.child('averageUtilization').invalid(averageUtilization, 'must be greater than 0')
  }
}
