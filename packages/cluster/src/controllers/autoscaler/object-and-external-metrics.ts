import type { Frozen } from 'setpoint'
import type { ExternalMetricSource, MetricTarget, ObjectMetricSource } from 'setpoint/kinds'
import { selectorText } from '../disruption/selector-text.ts'
import type { Proposal, MetricInput } from './proposal.ts'
import { MetricError, milliOf, milliText } from './metric-values.ts'
import { replicasForRatio, replicasForShare } from './replica-count.ts'

const noCustomMetrics =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'
const noExternalMetrics =
  'unable to fetch metrics from external metrics API: the server could not find the requested resource'

/** The replicas that a metric of another object proposes. */
export function objectProposal(
  { metric, target, describedObject }: Frozen<ObjectMetricSource>,
  input: MetricInput,
): Proposal {
  const { kind, name } = describedObject
  const total = amountOf(
    `object/${kind}/${name}/${metric.name}`,
    input,
    (why = noCustomMetrics) => {
      // Kubernetes formats the message in this order.
      return `unable to get metric ${metric.name}: ${kind} on ${input.namespace} ${name}/${why}`
    },
  )
  const { replicas, current, isShare } = byTarget(total, target, input)
  return {
    replicas,
    name: isShare
      ? `external metric ${metric.name}(${selectorText(metric.selector)})`
      : `${kind} metric ${metric.name}`,
    status: {
      type: 'Object',
      object: { metric: { ...metric }, describedObject: { ...describedObject }, current },
    },
  }
}

/** The replicas that an external metric proposes. */
export function externalProposal(
  { metric, target }: Frozen<ExternalMetricSource>,
  input: MetricInput,
): Proposal {
  const selector = selectorText(metric.selector)
  const missing = `${noExternalMetrics} (get ${metric.name}.external.metrics.k8s.io)`
  const total = amountOf(`external/${metric.name}`, input, (why = missing) => {
    return `unable to get external metric ${input.namespace}/${metric.name}/${selector}: ${why}`
  })
  const { replicas, current } = byTarget(total, target, input)
  return {
    replicas,
    name: `external metric ${metric.name}(${selector})`,
    status: { type: 'External', external: { metric: { ...metric }, current } },
  }
}

function amountOf(
  key: string,
  { values }: MetricInput,
  messageOf: (why?: string) => string,
): number {
  let value
  try {
    value = values(key)
  } catch (error) {
    if (!(error instanceof MetricError)) throw error
    throw new MetricError(messageOf(error.message))
  }
  if (value === undefined) throw new MetricError(messageOf())
  if ('milli' in value) return value.milli
  throw new MetricError(messageOf(`${key} must be a quantity, not a percentage`))
}

interface ByTarget {
  readonly replicas: number
  readonly current: { readonly value: string } | { readonly averageValue: string }
  readonly isShare: boolean
}

/** An average value is divided among the replicas; a plain value is compared as a whole. */
function byTarget(
  total: number,
  { value, averageValue }: Frozen<MetricTarget>,
  { pods, specReplicas, statusReplicas, tolerances }: MetricInput,
): ByTarget {
  if (averageValue !== undefined) {
    const share = milliOf(averageValue)
    const replicas = replicasForShare({ total, share }, { current: statusReplicas, tolerances })
    const current = {
      averageValue: milliText(statusReplicas === 0 ? 0 : Math.ceil(total / statusReplicas)),
    }
    return { replicas, current, isShare: true }
  }
  const ratio = total / milliOf(value ?? '0')
  const replicas = replicasForRatio(ratio, { pods, current: specReplicas, tolerances })
  return { replicas, current: { value: milliText(total) }, isShare: false }
}
