import { operator, type RecordedEvent, type AnyOperator } from 'setpoint'
import {
  CustomResourceDefinition,
  Deployment,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  selects,
  StatefulSet,
} from 'setpoint/kinds'
import { jsonEquals } from 'setpoint/schema'
import { controllerOptions } from '../controller-options.ts'
import {
  budgetStatus,
  deletionTimeoutMs,
  demandOf,
  disruptedPods,
  failedStatus,
  needsScale,
} from './budget-status.ts'
import { ScaleError, expectedScale } from './pod-controllers.ts'
import { selectorText } from './selector-text.ts'

const enqueueNone = (): string[] => []

/** Computes for every budget the healthy pods and the allowed disruptions. */
export const disruptionController: AnyOperator = operator(PodDisruptionBudget, {
  ...controllerOptions,
  name: 'disruption',
  eventSource: 'controllermanager',
})
  .watch(Pod, ({ metadata: { namespace, labels } }, view) =>
    view
      .list(PodDisruptionBudget, namespace)
      .filter(({ spec }) => selects(spec.selector, labels))
      .map(({ metadata }) => `${namespace}/${metadata.name}`),
  )
  // Their replicas are read from the cache. A change of replicas is followed by a change of pods.
  .watch(Deployment, enqueueNone)
  .watch(ReplicaSet, enqueueNone)
  .watch(ReplicationController, enqueueNone)
  .watch(StatefulSet, enqueueNone)
  .watch(CustomResourceDefinition, enqueueNone)
  .reconcile(async (budget, ctx) => {
    const { namespace } = budget.metadata
    const { selector } = budget.spec
    const nowMs = ctx.now()
    const pods = selector === undefined ? [] : ctx.list(Pod, { namespace, labels: selector })
    const events: RecordedEvent[] = []
    if (pods.length === 0) events.push({ reason: 'NoPods', message: 'No matching pods found' })
    let status
    const { evicted, overdue } = disruptedPods(budget, pods, nowMs)
    try {
      const { scale, hasUnmanaged } = needsScale(budget)
        ? await expectedScale(pods, ctx)
        : { scale: 0, hasUnmanaged: false }
      if (hasUnmanaged) events.push(unmanaged(selectorText(selector)))
      const demand = demandOf(budget, pods.length, scale)
      status = budgetStatus({ budget, pods, demand, evicted, nowMs })
      for (const pod of overdue) {
        const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`
        await ctx.recordEvent({ type: 'Warning', reason: 'NotDeleted', message, regarding: pod })
      }
    } catch (error) {
      if (!(error instanceof ScaleError)) throw error
      events.push(notCounted(error.message))
      status = failedStatus(budget, error.message, nowMs)
    }
    for (const event of events) await ctx.recordEvent(event)
    if (!jsonEquals(budget.status ?? {}, status)) {
      await ctx.updateStatus(status)
      // In a real cluster the status update triggers another reconcile, which records the Events
      // again.
      for (const event of events) await ctx.recordEvent(event)
    }
    const ends = Object.values(evicted).map((since) => Date.parse(since) + deletionTimeoutMs)
    return ends.length === 0 ? undefined : { recheckAfter: Math.min(...ends) - nowMs + 1 }
  })

function unmanaged(selector: string): RecordedEvent {
  const message =
    `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. ` +
    'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.'
  return { type: 'Warning', reason: 'UnmanagedPods', message }
}

function notCounted(why: string): RecordedEvent {
  const message = `Failed to calculate the number of expected pods: ${why}`
  return { type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message }
}
