import { operator, type AnyOperator } from 'setpoint'
import { Pod } from 'setpoint/kinds'
import { KeyFeed } from '../workloads/key-feed.ts'
import type { PodBehaviours } from './behaviour/index.ts'
import type { SimulatedNode } from './node-options.ts'
import { nextPodState } from './pod-life/index.ts'
import { ServedPods } from './served-pods.ts'

/** What the kubelets of a cluster need. */
interface KubeletOptions {
  readonly nodes: readonly SimulatedNode[]
  readonly behaviours: PodBehaviours
}

/**
 * The kubelets of all simulated nodes, as one operator: it gives every pod that is bound to one of them the status its
 * life has come to, tells its Events, and removes it when its deletion is finished. What pods do is played, not run.
 */
export function kubelet({ nodes, behaviours }: KubeletOptions): AnyOperator {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const served = new ServedPods()
  const changed = new KeyFeed()
  behaviours.onChange(() => {
    for (const key of served.keys()) changed.add(key)
  })
  return operator(Pod, {
    ...{ name: 'kubelet', reconcileDeleting: true, failureEvents: false, concurrency: 16 },
  })
    .writes(Pod)
    .source(
      'behaviours',
      (signal) => changed.keys(signal),
      (key) => [key],
    )
    .onEvent(async ({ type, object }) => {
      if (type === 'removed' || type === 'deselected') served.forget(object)
    })
    .reconcile(async (pod, ctx) => {
      const node = byName.get(pod.spec.nodeName ?? '')
      if (node === undefined) return
      if (served.isFirst) served.begin(ctx.list(Pod))
      const podIP = served.addressOf(pod, node)
      const nowMs = ctx.now()
      const behaviourOf = behaviours.of(pod)
      const state = nextPodState({ pod, behaviourOf, nowMs, hostIP: node.hostIP, podIP })
      await ctx.updateStatus(state.status)
      for (const { isBeginning = false, ...event } of state.events) {
        if (isBeginning && !served.isNews(pod, event)) continue
        const telling = ctx.recordEvent({ ...event, node: node.name })
        // In a namespace that goes away nothing can be told any more, but its pods have to end.
        await telling.catch((err: unknown) =>
          ctx.log.debug({ err }, `could not tell: ${event.message}`),
        )
      }
      if (state.isGone) {
        await ctx.delete(Pod, pod, { gracePeriodSeconds: 0, evenIfChanged: true })
        return
      }
      return state.wakeAtMs === undefined ? undefined : { recheckAfter: state.wakeAtMs - nowMs }
    })
}
