import { operator, type AnyOperator } from 'setpoint'
import { Pod } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'
import { controllerOptions } from '../controller-options.ts'
import { isFinished } from '../pods/pod-state.ts'

/** How long a pod may say that it is about to be disrupted without being deleted. */
const staleMs = 2 * 60_000

/** Takes back what a pod says about its coming end when nobody brought it about. */
export const disruptionTargetController: AnyOperator = operator(Pod, {
  ...controllerOptions,
  ...{ name: 'disruption-target', eventSource: 'controllermanager' },
  filter: ({ object: { status } }) =>
    status?.conditions?.some(({ type }) => type === 'DisruptionTarget') === true,
}).reconcile(async (pod, ctx) => {
  const { status } = pod
  const { conditions = [] } = status ?? {}
  const said = conditions.find(({ type }) => type === 'DisruptionTarget')
  if (said?.status !== 'True' || isFinished(pod)) return
  // A kubelet that says so may take as long as it likes.
  if (said.reason === 'TerminationByKubelet') return
  const nowMs = ctx.now()
  const waitMs = Date.parse(said.lastTransitionTime ?? '') + staleMs - nowMs
  if (waitMs > 0) return { recheckAfter: waitMs }
  const { generation } = pod.metadata
  const withdrawn = {
    ...{ type: said.type, status: 'False' as const, lastTransitionTime: formatTime(nowMs) },
    ...(said.lastProbeTime !== undefined && { lastProbeTime: said.lastProbeTime }),
    ...(generation !== undefined && { observedGeneration: generation }),
  }
  await ctx.updateStatus({
    ...status,
    conditions: conditions.map((condition) => (condition === said ? withdrawn : condition)),
  })
  return undefined
})
