import { operator, type AnyOperator } from 'setpoint'
import { CustomResourceDefinition, HorizontalPodAutoscaler } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { AutoscalerRun } from './autoscaler-run.ts'
import { RecommendationHistory } from './recommendation-history.ts'

/** How often each autoscaler is evaluated, independent of changes. */
const periodMs = 15_000

/** Changes the scale of workloads to keep metrics at their targets. */
export function autoscalerController(): AnyOperator {
  const memories = new Map<string, RecommendationHistory>()
  return operator(HorizontalPodAutoscaler, {
    ...controllerOptions,
    name: 'horizontal-pod-autoscaler',
  })
    .watch(CustomResourceDefinition, () => [])
    .onEvent(async ({ type, object }) => {
      if (type === 'removed') memories.delete(object.metadata.uid)
    })
    .reconcile(async (autoscaler, ctx) => {
      const { uid, namespace } = autoscaler.metadata
      const nowMs = ctx.now()
      const memory = memories.get(uid) ?? new RecommendationHistory(nowMs + periodMs)
      memories.set(uid, memory)
      if (memory.nextMs > nowMs) return { recheckAfter: memory.nextMs - nowMs }
      memory.nextMs = nowMs + periodMs
      const others = ctx
        .list(HorizontalPodAutoscaler, namespace)
        .filter(({ metadata }) => metadata.uid !== uid)
        .map(({ metadata: { name, uid: other } }) => {
          return { name, selector: memories.get(other)?.selector ?? '' }
        })
        .filter(({ selector }) => selector !== '')
      await new AutoscalerRun(autoscaler, { ctx, memory, others }).reconcile()
      return { recheckAfter: periodMs }
    })
}
