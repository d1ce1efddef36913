import { operator, type AnyOperator } from 'setpoint'
import { Pod } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'
import { controllerOptions } from '../controller-options.ts'
import { isFinished, type PodObject } from '../pods/pod-state.ts'

/** How long the DisruptionTarget condition may be true without a deletion. */
const staleMs = 2 * 60_000

/** Resets the DisruptionTarget condition of a pod that was not deleted. */
export const disruptionTargetController: AnyOperator = operator(Pod, {
  ...controllerOptions,
  name: 'disruption-target',
  eventSource: 'controllermanager',
  filter: ({ object }) => hasDisruptionTarget(object),
}).reconcile(async (pod, ctx) => {
  const { status } = pod
  const { conditions = [] } = status ?? {}
  const existing = conditions.find(({ type }) => type === 'DisruptionTarget')
  if (existing?.status !== 'True' || isFinished(pod)) return
  // The kubelet may take any time for its own terminations.
  if (existing.reason === 'TerminationByKubelet') return
  const nowMs = ctx.now()
  const waitMs = Date.parse(existing.lastTransitionTime ?? '') + staleMs - nowMs
  if (waitMs > 0) return { recheckAfter: waitMs }
  const { generation } = pod.metadata
  const reset = {
    type: existing.type,
    status: 'False' as const,
    lastTransitionTime: formatTime(nowMs),
    ...(existing.lastProbeTime !== undefined && { lastProbeTime: existing.lastProbeTime }),
    ...(generation !== undefined && { observedGeneration: generation }),
  }
  await ctx.updateStatus({
    ...status,
    conditions: conditions.map((condition) => (condition === existing ? reset : condition)),
  })
  return undefined
})

/** Whether a pod has the condition that announces its disruption. */
export function hasDisruptionTarget({ status }: PodObject): boolean {
  return status?.conditions?.some(({ type }) => type === 'DisruptionTarget') === true
}
