import type { Frozen } from 'setpoint'
import type {
  ContainerResourceMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from 'setpoint/kinds'
import type { Proposal, MetricInput } from './proposal.ts'
import { MetricError, milliOf, milliText, type MetricValue } from './metric-values.ts'
import { podRequests } from './pod-requests.ts'
import { replicasForPods, type PodUsage } from './replica-count.ts'

type Resource = Frozen<ResourceMetricSource> & Partial<Frozen<ContainerResourceMetricSource>>

const noResourceMetrics =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)'
const noCustomMetrics =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'

/**
 * The replicas that a resource metric of pods or of one container proposes, by utilization or by
 * quantity.
 */
export function resourceProposal(source: Resource, input: MetricInput): Proposal {
  const { name: resource, container, target } = source
  const { averageValue, averageUtilization } = target
  const isShare = averageValue === undefined
  const what = isShare ? 'utilization' : 'usage'
  try {
    const usage = resourceUsage(source, input)
    const proposed = isShare
      ? byShare({ source, usage, target: averageUtilization ?? 0 }, input)
      : byAmount({ usage, target: milliOf(averageValue), isCpu: resource === 'cpu' }, input)
    const { replicas, average, utilization } = proposed
    const current = {
      averageValue: milliText(average, resource),
      ...(utilization === undefined ? {} : { averageUtilization: utilization }),
    }
    const kind = container === undefined ? '' : ' container'
    const name = isShare
      ? `${resource}${kind} resource utilization (percentage of request)`
      : `${resource} resource`
    return {
      replicas,
      name,
      status:
        container === undefined
          ? { type: 'Resource', resource: { name: resource, current } }
          : {
              type: 'ContainerResource',
              containerResource: { name: resource, container, current },
            },
    }
  } catch (error) {
    if (!(error instanceof MetricError)) throw error
    throw new MetricError(`failed to get ${resource} ${what}: ${error.message}`)
  }
}

/** The replicas that a metric of pods proposes. */
export function podsProposal(source: Frozen<PodsMetricSource>, input: MetricInput): Proposal {
  const { metric, target } = source
  const value = withPrefix(`unable to get metric ${metric.name}`, () => {
    const found = input.values(`pods/${metric.name}`)
    if (found === undefined) throw new MetricError(noCustomMetrics)
    return found
  })
  const usage = usageOf(value, input)
  const amount = { usage, target: milliOf(target.averageValue ?? '0'), isCpu: false }
  const { replicas, average } = byAmount(amount, input)
  const current = { averageValue: milliText(average) }
  return {
    replicas,
    name: `pods metric ${metric.name}`,
    status: { type: 'Pods', pods: { metric: { ...metric }, current } },
  }
}

function resourceUsage({ name, container }: Resource, input: MetricInput): PodUsage {
  const key = container === undefined ? name : `container/${container}/${name}`
  const value = withPrefix(`unable to get metrics for resource ${name}`, () => {
    const found = input.values(key)
    if (found === undefined) throw new MetricError(noResourceMetrics)
    return found
  })
  return usageOf(value, input, { resource: name, container })
}

/** Assumes the same usage for every running pod. */
function usageOf(
  value: MetricValue,
  { pods }: MetricInput,
  requested?: { readonly resource: string; readonly container: string | undefined },
): PodUsage {
  const measured = pods.filter(({ status }) => status?.phase === 'Running')
  if ('milli' in value) return new Map(measured.map(({ metadata }) => [metadata.name, value.milli]))
  if (requested === undefined)
    throw new MetricError('a metric of pods must be a quantity, not a percentage')
  const requests = podRequests(measured, requested)
  return new Map(
    [...requests].map(([name, request]) => [name, Math.trunc((request * value.percent) / 100)]),
  )
}

interface Proposed {
  readonly replicas: number
  readonly average: number
  readonly utilization?: number
}

function byShare(
  { source, usage: given, target }: { source: Resource; usage: PodUsage; target: number },
  { pods, specReplicas, tolerances, nowMs }: MetricInput,
): Proposed {
  const { name: resource, container } = source
  // Missing requests are an error only when there are pods to count.
  let known: ReadonlyMap<string, number> | undefined
  const requestOf = (pod: string): number => {
    known ??= podRequests(pods, { resource, container })
    return known.get(pod) ?? 0
  }
  const utilizationOf = (usage: PodUsage): number => {
    const requested = total([...usage.keys()].map(requestOf))
    if (requested === 0) throw new MetricError('no metrics returned matched known pods')
    return Math.trunc((total(usage.values()) * 100) / requested)
  }
  const { replicas, usage } = replicasForPods({
    pods,
    usage: given,
    current: specReplicas,
    tolerances,
    nowMs,
    isCpu: resource === 'cpu',
    ratioOf: (usages) => utilizationOf(usages) / target,
    atMost: (pod) => Math.trunc((requestOf(pod) * Math.max(100, target)) / 100),
  })
  return { replicas, average: averageOf(usage), utilization: utilizationOf(usage) }
}

function byAmount(
  { usage: given, target, isCpu }: { usage: PodUsage; target: number; isCpu: boolean },
  { pods, specReplicas, tolerances, nowMs }: MetricInput,
): Proposed {
  const { replicas, usage } = replicasForPods({
    pods,
    usage: given,
    current: specReplicas,
    tolerances,
    nowMs,
    isCpu,
    ratioOf: (usages) => averageOf(usages) / target,
    atMost: () => target,
  })
  return { replicas, average: averageOf(usage) }
}

function averageOf(usage: PodUsage): number {
  return Math.trunc(total(usage.values()) / usage.size)
}

function total(amounts: Iterable<number>): number {
  return [...amounts].reduce((sum, amount) => sum + amount, 0)
}

/** Adds a prefix to the error of `get`. */
function withPrefix(what: string, get: () => MetricValue): MetricValue {
  try {
    return get()
  } catch (error) {
    if (!(error instanceof MetricError)) throw error
    throw new MetricError(`${what}: ${error.message}`)
  }
}
