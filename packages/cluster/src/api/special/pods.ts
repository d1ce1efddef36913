import { isJsonObject, type JsonObject } from 'setpoint/schema'
import { formatTime, keyOf, metadataOf, nameOf } from '../../object/index.ts'
import { ApiError, badRequest, conflict, notFound, unforeseen } from '../../status/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { readTyped } from '../body.ts'
import { statusAnswer, textResponse, type JsonAnswer } from '../http/respond.ts'
import { readObject } from '../object-text.ts'
import type { Outcome } from '../outcome.ts'
import { deleteOptions } from '../options/delete-options.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { commitPut } from '../verbs/commit.ts'
import { removeObject } from '../verbs/delete.ts'

const success = statusAnswer({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
})

/** POST of a Binding: the pod gets its node. */
export async function bindPod(request: ApiRequest, pods: ServedResource): Promise<JsonAnswer> {
  const binding = await readTyped(request, { apiVersion: 'v1', kind: 'Binding' })
  const target = (binding['target'] ?? {}) as { kind?: string; name?: string }
  const problems: string[] = []
  if (!['', 'Node'].includes(target.kind ?? '')) {
    problems.push(
      `target.kind: Unsupported value: ${JSON.stringify(target.kind)}: supported values: "Node", "<empty>"`,
    )
  }
  if ((target.name ?? '') === '') problems.push('target.name: Required value')
  if (problems.length > 0) {
    throw unforeseen(problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`)
  }
  const name = request.info.subresource === '' ? nameOf(binding) : request.info.name
  const key = keyOf(request.info.namespace, name)
  const stored = request.server.store.get(pods.bucket, key)
  const where = { group: '', resource: 'pods' }
  if (stored === undefined) throw notFound(where, name)
  const pod = readObject(pods, stored)
  const spec = pod['spec'] as { nodeName?: string }
  if (metadataOf(pod).deletionTimestamp !== undefined) {
    throw conflict(
      { group: '', resource: 'pods/binding' },
      name,
      `pod ${name} is being deleted, cannot be assigned to a host`,
    )
  }
  if ((spec.nodeName ?? '') !== '') {
    throw conflict(
      { group: '', resource: 'pods/binding' },
      name,
      `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`,
    )
  }
  spec.nodeName = target.name ?? ''
  setScheduled(pod, formatTime(request.server.host.now()))
  const annotations = metadataOf(binding).annotations
  if (annotations !== undefined) {
    metadataOf(pod).annotations = { ...metadataOf(pod).annotations, ...annotations }
  }
  if (!request.info.query.getAll('dryRun').includes('All')) {
    commitPut(request, { resource: pods, object: pod, expected: stored.revision })
  }
  return success
}

function setScheduled(pod: JsonObject, now: string): void {
  const status = (pod['status'] ??= {}) as { conditions?: JsonObject[] }
  const others = (status.conditions ?? []).filter(
    (condition) => condition['type'] !== 'PodScheduled',
  )
  status.conditions = [
    ...others,
    { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now },
  ]
}

interface DisruptionBudget {
  readonly metadata: { readonly name: string }
  readonly spec?: {
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> }
  }
  readonly status?: { readonly disruptionsAllowed?: number }
}

/** POST of an Eviction: a deletion that disruption budgets may forbid. */
export async function evictPod(request: ApiRequest, pods: ServedResource): Promise<JsonAnswer> {
  const eviction = await readTyped(request, { apiVersion: 'policy/v1', kind: 'Eviction' })
  const { namespace, name } = request.info
  const stored = request.server.store.get(pods.bucket, keyOf(namespace, name))
  if (stored === undefined) throw notFound({ group: '', resource: 'pods' }, name)
  const pod = readObject(pods, stored)
  const budgets = budgetsOf(request, pod)
  if (budgets.length > 1) {
    throw unforeseen(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    )
  }
  const [budget] = budgets
  if (budget !== undefined && (budget.status?.disruptionsAllowed ?? 0) <= 0) throw blocked(budget)
  const given = eviction['deleteOptions']
  const options = deleteOptions(isJsonObject(given) ? given : {}, request.info.query)
  await removeObject(request, pods, { stored, options })
  return success
}

function budgetsOf(request: ApiRequest, pod: JsonObject): DisruptionBudget[] {
  const { labels = {}, namespace = '' } = metadataOf(pod)
  const budgets: DisruptionBudget[] = []
  for (const stored of request.server.store.list('policy/poddisruptionbudgets', `${namespace}/`)) {
    const budget = JSON.parse(`{${stored.text}`) as DisruptionBudget
    const wanted = budget.spec?.selector?.matchLabels
    if (wanted === undefined) continue
    if (Object.entries(wanted).every(([key, value]) => labels[key] === value)) budgets.push(budget)
  }
  return budgets
}

function blocked(budget: DisruptionBudget): ApiError {
  const { name } = budget.metadata
  const allowed = budget.status?.disruptionsAllowed ?? 0
  return new ApiError({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [
        {
          reason: 'DisruptionBudget',
          message: `The disruption budget ${name} needs ${allowed} healthy pods and has 0 currently`,
        },
      ],
      retryAfterSeconds: 10,
    },
  })
}

/** What needs a kubelet: a pod that no node runs cannot be talked to. */
export function needsNode(request: ApiRequest, resource: ServedResource): Outcome {
  const { namespace, name, subresource } = request.info
  const key = keyOf(resource.namespaced ? namespace : '', name)
  const stored = request.server.store.get(resource.bucket, key)
  if (stored === undefined) throw notFound({ group: '', resource: resource.plural }, name)
  if (resource.plural !== 'pods') {
    throw new ApiError({
      code: 503,
      reason: 'ServiceUnavailable',
      message: `no endpoints available for ${resource.singular} "${name}"`,
    })
  }
  const pod = readObject(resource, stored)
  const { nodeName = '' } = (pod['spec'] ?? {}) as { nodeName?: string }
  // A pod that never ran has an empty log.
  if (nodeName === '' && subresource === 'log') return { response: textResponse(200, '') }
  if (nodeName === '') throw badRequest(`pod ${name} does not have a host assigned`)
  throw new ApiError({
    code: 501,
    reason: 'NotImplemented',
    message: `pods/${subresource} needs a node, and this cluster runs none`,
  })
}
