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
import { ScaleError, wantedScale } from './pod-controllers.ts'
import { selectorText } from './selector-text.ts'

const nobody = (): string[] => []

/** Counts for every budget how many pods are well and how many may be evicted. */
export const disruptionController: AnyOperator = operator(PodDisruptionBudget, {
  ...controllerOptions,
  ...{ name: 'disruption', eventSource: 'controllermanager' },
})
  .watch(Pod, ({ metadata: { namespace, labels } }, view) =>
    view
      .list(PodDisruptionBudget, namespace)
      .filter(({ spec }) => selects(spec.selector, labels))
      .map(({ metadata }) => `${namespace}/${metadata.name}`),
  )
  // How many pods these want is looked up; when it changes, their pods will, too.
  .watch(Deployment, nobody)
  .watch(ReplicaSet, nobody)
  .watch(ReplicationController, nobody)
  .watch(StatefulSet, nobody)
  .watch(CustomResourceDefinition, nobody)
  .reconcile(async (budget, ctx) => {
    const { namespace } = budget.metadata
    const { selector } = budget.spec
    const nowMs = ctx.now()
    const pods = selector === undefined ? [] : ctx.list(Pod, { namespace, labels: selector })
    const news: RecordedEvent[] = []
    if (pods.length === 0) news.push({ reason: 'NoPods', message: 'No matching pods found' })
    let status
    const { awaited, overdue } = disruptedPods(budget, pods, nowMs)
    try {
      const { scale, hasUnmanaged } = needsScale(budget)
        ? await wantedScale(pods, ctx)
        : { scale: 0, hasUnmanaged: false }
      if (hasUnmanaged) news.push(unmanaged(selectorText(selector)))
      const demand = demandOf(budget, pods.length, scale)
      status = budgetStatus({ budget, pods, demand, awaited, nowMs })
      for (const pod of overdue) {
        const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`
        await ctx.recordEvent({ type: 'Warning', reason: 'NotDeleted', message, regarding: pod })
      }
    } catch (error) {
      if (!(error instanceof ScaleError)) throw error
      news.push(notCounted(error.message))
      status = failedStatus(budget, error.message, nowMs)
    }
    for (const event of news) await ctx.recordEvent(event)
    if (!jsonEquals(budget.status ?? {}, status)) {
      await ctx.updateStatus(status)
      // In a real cluster a new status makes the controller look once more, and tell once more.
      for (const event of news) await ctx.recordEvent(event)
    }
    const ends = Object.values(awaited).map((since) => Date.parse(since) + deletionTimeoutMs)
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
