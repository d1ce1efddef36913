import type { Pod, PodAffinityTerm, PodStatus } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import { containerResources, qosClassOf } from '../object/index.ts'
import { namesMatch, type Counter, type ScopeSelector } from './counter.ts'
import { quantitiesOf, sum, type Quantities } from './quantities.ts'

type PodSpec = Partial<Pod['spec']>
type Amounts = Readonly<Record<string, string>>

const compute = ['cpu', 'memory', 'ephemeral-storage']
const names = new Set([
  'count/pods',
  'pods',
  ...compute,
  ...compute.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
])

/** The resources that each container must specify if a quota limits them. */
const requiredResources = [
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
]

function specOf(object: JsonObject): PodSpec {
  return (object['spec'] ?? {}) as unknown as PodSpec
}

function isExtended(name: string): boolean {
  return name.includes('/') && !/^(?:[^/]*\.)?kubernetes\.io\//.test(name)
}

/** Requests and limits with their names in quotas. */
function quotaNames(requests: Amounts, limits: Amounts): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, amount] of Object.entries(requests)) {
    if (compute.includes(name) || name.startsWith('hugepages-')) result[name] = amount
    if (name in result || isExtended(name)) result[`requests.${name}`] = amount
  }
  for (const [name, amount] of Object.entries(limits)) {
    if (compute.includes(name)) result[`limits.${name}`] = amount
  }
  return result
}

/** Pod-level resources override those of containers; overhead is added. */
function podAmounts(spec: PodSpec, kind: 'requests' | 'limits'): Amounts {
  const amounts = containerResources(spec, kind)
  for (const [name, amount] of Object.entries(spec.resources?.[kind] ?? {})) {
    amounts.set(name, amount)
  }
  const overhead = Object.entries(spec.overhead ?? {}).filter(
    ([name]) => kind === 'requests' || (amounts.get(name) ?? '0') !== '0',
  )
  const total = sum(
    quantitiesOf(Object.fromEntries(amounts)),
    quantitiesOf(Object.fromEntries(overhead)),
  )
  return Object.fromEntries([...total].map(([name, amount]) => [name, amount.toText()]))
}

function hasDeadline(object: JsonObject): boolean {
  return (specOf(object).activeDeadlineSeconds ?? -1) >= 0
}

/** A pod whose grace period is over no longer counts, even if its status was not updated. */
function isFinished({ metadata, status }: Partial<Pod>, nowMs = -Infinity): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {}
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false
  return nowMs > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1_000
}

/** The resources in the container statuses, as text. */
function resourcesInUse({ status }: Partial<Pod>): string {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {}
  return JSON.stringify(
    [...containerStatuses, ...initContainerStatuses].map(({ name, resources }) => [
      name,
      resources,
    ]),
  )
}

function hasCrossNamespaceAffinity({ affinity }: PodSpec): boolean {
  const terms: PodAffinityTerm[] = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap(
    (one) => [
      ...(one?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(one?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
        ({ podAffinityTerm }) => podAffinityTerm,
      ),
    ],
  )
  return terms.some(
    ({ namespaces = [], namespaceSelector }) =>
      namespaces.length > 0 || namespaceSelector !== undefined,
  )
}

/** The class that the status has counts, also one that a client sent. */
function qosClassIn(object: JsonObject): string {
  const { qosClass = '' } = (object['status'] ?? {}) as PodStatus
  return qosClass === '' ? qosClassOf(specOf(object)) : qosClass
}

function matchesScope(object: JsonObject, selector: ScopeSelector): boolean {
  const spec = specOf(object)
  switch (selector.scopeName) {
    case 'Terminating':
      return hasDeadline(object)
    case 'NotTerminating':
      return !hasDeadline(object)
    case 'BestEffort':
      return qosClassIn(object) === 'BestEffort'
    case 'NotBestEffort':
      return qosClassIn(object) !== 'BestEffort'
    case 'PriorityClass': {
      const { priorityClassName = '' } = spec
      return namesMatch(selector, priorityClassName === '' ? [] : [priorityClassName])
    }
    case 'CrossNamespacePodAffinity':
      return hasCrossNamespaceAffinity(spec)
    default:
      return false
  }
}

function missing(object: JsonObject, limited: readonly string[]): string | undefined {
  const spec = specOf(object)
  if (Object.keys({ ...spec.resources?.requests, ...spec.resources?.limits }).length > 0) {
    return undefined
  }
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  const sentences = requiredResources
    .filter((name) => limited.includes(name))
    .sort()
    .flatMap((name) => {
      const incomplete = containers
        .filter(({ resources }) => {
          const specified = quotaNames(resources?.requests ?? {}, resources?.limits ?? {})
          return !Object.hasOwn(specified, name)
        })
        .map((container) => container.name)
      return incomplete.length === 0
        ? []
        : [`${name} for: ${[...new Set(incomplete)].sort().join(',')}`]
    })
  return sentences.length === 0 ? undefined : `must specify ${sentences.join('; ')}`
}

function usage(object: JsonObject, nowMs?: number): Quantities {
  const counted = quantitiesOf({ 'count/pods': '1' })
  if (isFinished(object, nowMs)) return counted
  const spec = specOf(object)
  const amounts = quotaNames(podAmounts(spec, 'requests'), podAmounts(spec, 'limits'))
  return sum(counted, quantitiesOf({ pods: '1', ...amounts }))
}

/** Pods count by their number and by their requests and limits. */
export const podCounter: Counter = {
  counts({ operation, subresource, object, old }) {
    if (subresource === 'resize') return operation === 'UPDATE'
    if (subresource !== '' || operation === 'DELETE') return false
    return operation === 'CREATE' || hasDeadline(old ?? {}) !== hasDeadline(object)
  },
  isAbout: (name) =>
    names.has(name) ||
    /^(?:requests\.)?hugepages-/.test(name) ||
    (name.startsWith('requests.') && isExtended(name)) ||
    name.startsWith('requests.deviceclass.resource.kubernetes.io/'),
  usage,
  frees: (old, object) =>
    hasDeadline(old) !== hasDeadline(object) ||
    (!isFinished(old) && isFinished(object)) ||
    resourcesInUse(old) !== resourcesInUse(object),
  matchesScope,
  missing,
}
