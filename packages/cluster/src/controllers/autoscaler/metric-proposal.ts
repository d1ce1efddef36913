import { MetricError } from './metric-values.ts'
import { externalProposal, objectProposal } from './object-and-external-metrics.ts'
import { podsProposal, resourceProposal } from './pod-metrics.ts'
import type { Failure, Metric, Proposal, MetricInput } from './proposal.ts'

/** The replicas that one metric proposes. */
export function proposalOf(metric: Metric, input: MetricInput): Proposal | Failure {
  const { propose, reason, inner = '', outer } = sourceOf(metric)
  try {
    return propose(input)
  } catch (error) {
    if (!(error instanceof MetricError)) throw error
    const { message: note } = error
    return { reason, note, error: `${outer}: ${inner}${note}` }
  }
}

interface Source {
  readonly propose: (input: MetricInput) => Proposal
  readonly reason: string
  /** A prefix of the metric's own error. */
  readonly inner?: string
  readonly outer: string
}

function sourceOf(metric: Metric): Source {
  const { type, resource, containerResource, pods, object, external } = metric
  if (type === 'Resource' && resource !== undefined) {
    return {
      propose: (input) => resourceProposal(resource, input),
      reason: 'FailedGetResourceMetric',
      outer: `failed to get ${resource.name} resource metric value`,
    }
  }
  if (type === 'ContainerResource' && containerResource !== undefined) {
    return {
      propose: (input) => resourceProposal(containerResource, input),
      reason: 'FailedGetContainerResourceMetric',
      outer: `failed to get ${containerResource.container} container metric value`,
    }
  }
  if (type === 'Pods' && pods !== undefined) {
    return {
      propose: (input) => podsProposal(pods, input),
      reason: 'FailedGetPodsMetric',
      outer: 'failed to get pods metric value',
    }
  }
  if (type === 'Object' && object !== undefined) {
    const { name } = object.metric
    const isShare = object.target.type === 'AverageValue'
    return {
      propose: (input) => objectProposal(object, input),
      reason: 'FailedGetObjectMetric',
      ...(isShare ? { inner: `failed to get ${name} object metric: ` } : {}),
      outer: 'failed to get object metric value',
    }
  }
  if (type === 'External' && external !== undefined) {
    const { name } = external.metric
    const isShare = external.target.averageValue !== undefined
    return {
      propose: (input) => externalProposal(external, input),
      reason: 'FailedGetExternalMetric',
      inner: isShare
        ? `failed to get ${name} external metric: `
        : `failed to get external metric ${name}: `,
      outer: `failed to get ${name} external metric value`,
    }
  }
  const propose = (): never => {
    throw new MetricError(`unknown metric source type ${JSON.stringify(type)}`)
  }
  return { propose, reason: 'InvalidMetricSourceType', outer: 'invalid metric' }
}
