import { isJsonObject, type JsonObject } from 'setpoint/schema'
import { formatTime, isTerminating, nameOf } from '../../object/index.ts'
import { badRequest, unexpectedError } from '../../status/index.ts'
import type { StoredObject } from '../../store/index.ts'
import type { ApiRequest } from '../api-request.ts'
import type { JsonAnswer } from '../http/respond.ts'
import { readObject } from '../object-text.ts'
import { deleteOptions, type DeleteOptions } from '../options/delete-options.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { typedTarget } from '../typed-target.ts'
import { commitPut } from '../verbs/commit.ts'
import { checkDeletePreconditions, removeAdmitted } from '../verbs/delete.ts'
import { storedOrMissing } from '../verbs/read.ts'
import { admitPosted } from './admit-subresource.ts'
import { budgetsOf, takeDisruption } from './disruption-budgets.ts'
import { setPodCondition } from './pod-condition.ts'
import { done, readPosted } from './posted-object.ts'

const target = typedTarget({ group: 'policy', version: 'v1', kind: 'Eviction' }, ['policy/v1beta1'])

/** POST of an Eviction: a deletion that disruption budgets may refuse. */
export async function evictPod(request: ApiRequest, pods: ServedResource): Promise<JsonAnswer> {
  const { object: eviction, options: post } = await readPosted(request, target)
  if (nameOf(eviction) !== request.info.name) {
    throw badRequest('name in URL does not match name in Eviction object')
  }
  await admitPosted(request, pods, {
    target,
    object: eviction,
    manager: post.fieldManager,
    isDryRun: post.isDryRun,
  })
  const given = eviction['deleteOptions']
  const options = deleteOptions(isJsonObject(given) ? given : {}, new URLSearchParams())
  const isDryRun = options.isDryRun || post.isDryRun
  const stored = storedOrMissing(request, pods)
  const pod = readObject(pods, stored)
  if (!isExemptFromBudgets(pod)) checkBudgets(request, pod, isDryRun)
  remove(request, pods, { stored, options: { ...options, isDryRun } })
  return done
}

/** A pending, finished or terminating pod can be evicted without a disruption. */
function isExemptFromBudgets(pod: JsonObject): boolean {
  const { phase = '' } = (pod['status'] ?? {}) as { phase?: string }
  return ['Succeeded', 'Failed', 'Pending'].includes(phase) || isTerminating(pod)
}

function checkBudgets(request: ApiRequest, pod: JsonObject, isDryRun: boolean): void {
  const budgets = budgetsOf(request, pod)
  if (budgets.length > 1) {
    throw unexpectedError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    )
  }
  const [budget] = budgets
  if (budget !== undefined) takeDisruption(request, budget, { pod, isDryRun })
}

/** Sets the condition DisruptionTarget before the pod is deleted. */
function remove(
  request: ApiRequest,
  pods: ServedResource,
  { stored, options }: { stored: StoredObject; options: DeleteOptions },
): void {
  const pod = readObject(pods, stored)
  checkDeletePreconditions(pods, pod, options)
  if (options.isDryRun) {
    removeAdmitted(request, pods, { stored, live: pod, options })
    return
  }
  const reason = 'EvictionByEvictionAPI'
  const message = 'Eviction API: evicting'
  const condition = { type: 'DisruptionTarget', status: 'True', reason, message } as const
  setPodCondition(pod, condition, formatTime(request.server.host.now()))
  const updated = commitPut(request, { resource: pods, object: pod, expected: stored.revision })
  const remaining = { ...options, resourceVersion: undefined }
  const live = readObject(pods, updated)
  removeAdmitted(request, pods, { stored: updated, live, options: remaining })
}
