import type { JsonObject } from 'setpoint/schema'
import {
  formatTime,
  metadataOf,
  nameOf,
  namespaceOf,
  transitionTime,
  upsertCondition,
} from '../../object/index.ts'
import { ApiError, forbidden } from '../../status/index.ts'
import type { StoredObject } from '../../store/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { readObject } from '../object-text.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { labelSelectorText } from '../select/label-selector-text.ts'
import { parseLabelSelector } from '../select/label-selector.ts'
import { commitPut } from '../verbs/commit.ts'
import { withManagedFields } from '../verbs/field-manager.ts'

interface Condition {
  type: string
  status: string
  reason?: string
  message?: string
  lastTransitionTime?: string
  observedGeneration?: number
}

interface BudgetStatus {
  observedGeneration?: number
  disruptionsAllowed?: number
  currentHealthy?: number
  desiredHealthy?: number
  disruptedPods?: Record<string, string>
  conditions?: Condition[]
}

/** How many evictions may wait until the disruption controller has observed them. */
const disruptedPodsMax = 2000

/** A budget that selects a pod. */
interface Budget {
  readonly resource: ServedResource
  readonly stored: StoredObject
  readonly object: JsonObject
}

/** The budgets whose selectors match a pod. */
export function budgetsOf(request: ApiRequest, pod: JsonObject): Budget[] {
  const resource = request.server.registry.find('policy', 'v1', 'poddisruptionbudgets')
  if (resource === undefined) return []
  const { labels = {} } = metadataOf(pod)
  const budgets: Budget[] = []
  for (const stored of request.server.store.list(resource.bucket, `${namespaceOf(pod)}/`)) {
    const object = readObject(resource, stored)
    const { selector } = (object['spec'] ?? {}) as { selector?: JsonObject }
    if (selector === undefined) continue
    const matches = parseLabelSelector(labelSelectorText(selector))
    if (matches === undefined || matches(labels)) budgets.push({ resource, stored, object })
  }
  return budgets
}

/** Uses one of the disruptions that a budget allows; 429 when there is none. */
export function takeDisruption(
  request: ApiRequest,
  budget: Budget,
  { pod, isDryRun }: { readonly pod: JsonObject; readonly isDryRun: boolean },
): void {
  const status = (budget.object['status'] ?? {}) as BudgetStatus
  if (!isReady(pod) && mayEvictUnready(budget.object, status)) return
  const { generation = 0 } = metadataOf(budget.object)
  const name = nameOf(budget.object)
  if ((status.observedGeneration ?? 0) < generation) {
    throw blocked(`The disruption budget ${name} is still being processed by the server.`, 10)
  }
  const allowed = status.disruptionsAllowed ?? 0
  const where = { group: 'policy', resource: 'poddisruptionbudget' }
  if (allowed < 0) throw forbidden(where, name, 'pdb disruptions allowed is negative')
  if (Object.keys(status.disruptedPods ?? {}).length > disruptedPodsMax) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller'
    throw forbidden(where, name, why)
  }
  if (allowed === 0) throw blocked(whyBlocked(name, status), 0)
  if (!isDryRun) recordDisruption(request, budget, pod)
}

function isReady(pod: JsonObject): boolean {
  const { conditions = [] } = (pod['status'] ?? {}) as { conditions?: Condition[] }
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
}

/** An unready pod needs no allowed disruption while enough other pods are healthy. */
function mayEvictUnready(budget: JsonObject, status: BudgetStatus): boolean {
  const { unhealthyPodEvictionPolicy } = (budget['spec'] ?? {}) as {
    unhealthyPodEvictionPolicy?: string
  }
  if (unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { currentHealthy = 0, desiredHealthy = 0 } = status
  return currentHealthy >= desiredHealthy && desiredHealthy > 0
}

function whyBlocked(name: string, status: BudgetStatus): string {
  const { conditions = [], currentHealthy = 0, desiredHealthy = 0 } = status
  const condition = conditions.find(({ type }) => type === 'DisruptionAllowed')
  const text = condition?.status === 'False' ? (condition.message ?? '') : ''
  const refusal = `The disruption budget ${name} does not allow evicting pods currently`
  if (text !== '' && condition?.reason === 'SyncFailed') {
    return `${refusal} because it failed sync: ${text}`
  }
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  }
  return text === '' ? refusal : `${refusal} (${condition?.reason ?? ''}): ${text}`
}

function blocked(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
    },
  })
}

/** Records the pod in the budget's status until the disruption controller observes its deletion. */
function recordDisruption(
  request: ApiRequest,
  { resource, stored, object }: Budget,
  pod: JsonObject,
): void {
  const now = formatTime(request.server.host.now())
  const updated = readObject(resource, stored)
  const status = (updated['status'] ?? {}) as BudgetStatus
  const left = (status.disruptionsAllowed ?? 0) - 1
  status.disruptionsAllowed = left
  status.disruptedPods = { ...status.disruptedPods, [nameOf(pod)]: now }
  if (left === 0) status.conditions = withoutDisruptions(status, now)
  const recorded = withManagedFields(request, resource, {
    live: object,
    updated,
    manager: 'kube-apiserver',
    subresource: 'status',
  })
  commitPut(request, { resource, object: recorded, expected: stored.revision })
}

function withoutDisruptions(status: BudgetStatus, now: string): Condition[] {
  const type = 'DisruptionAllowed'
  const { conditions = [], observedGeneration = 0 } = status
  const old = conditions.find((condition) => condition.type === type)
  return upsertCondition(conditions, {
    type,
    status: 'False',
    observedGeneration,
    lastTransitionTime: transitionTime(old, 'False', now),
    reason: 'InsufficientPods',
    message: '',
  })
}
