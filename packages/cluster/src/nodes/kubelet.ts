import { operator, type AnyOperator } from 'setpoint'
import { ConfigMap, Pod, Secret } from 'setpoint/kinds'
import { KeySource } from '../controllers/key-source.ts'
import type { PodBehaviours } from './behaviour/index.ts'
import type { SimulatedNode } from './node-options.ts'
import { nextPodState } from './pod-lifecycle/index.ts'
import { ServedPods } from './served-pods.ts'
import { WaitingPods } from './waiting-pods.ts'

interface KubeletOptions {
  readonly nodes: readonly SimulatedNode[]
  readonly behaviours: PodBehaviours
}

/**
 * The kubelets of all simulated nodes, as one operator. It writes the status of every pod that is
 * bound to one of them, records its Events, and removes it when its deletion is finished. Pods are
 * simulated: no process runs.
 */
export function kubelet({ nodes, behaviours }: KubeletOptions): AnyOperator {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const served = new ServedPods()
  const waiting = new WaitingPods()
  const changed = new KeySource()
  behaviours.onChange(() => {
    for (const key of served.keys()) changed.add(key)
  })
  return operator(Pod, {
    name: 'kubelet',
    reconcileDeleting: true,
    failureEvents: false,
    concurrency: 16,
  })
    .writes(Pod)
    .watch(ConfigMap, (configMap) => waiting.waitingFor('ConfigMap', configMap))
    .watch(Secret, (secret) => waiting.waitingFor('Secret', secret))
    .source(
      'behaviours',
      (signal) => changed.keys(signal),
      (key) => [key],
    )
    .onEvent(async ({ type, object }) => {
      if (type !== 'removed' && type !== 'deselected') return
      served.forget(object)
      waiting.forget(object)
    })
    .reconcile(async (pod, ctx) => {
      const node = byName.get(pod.spec.nodeName ?? '')
      if (node === undefined) return
      if (served.isFirst) served.begin(ctx.list(Pod))
      const podIP = served.addressOf(pod, node)
      const nowMs = ctx.now()
      const { namespace } = pod.metadata
      const problems = waiting.problemsOf(pod, {
        configMap: (name) => ctx.get(ConfigMap, `${namespace}/${name}`),
        secret: (name) => ctx.get(Secret, `${namespace}/${name}`),
      })
      const behaviourOf = problems.behaviourOf(behaviours.of(pod))
      const { isHeld } = problems
      const state = nextPodState({ pod, behaviourOf, nowMs, hostIP: node.hostIP, podIP, isHeld })
      await ctx.updateStatus(state.status)
      for (const { isRecordedOnce = false, ...event } of [...problems.events, ...state.events]) {
        if (isRecordedOnce && !served.isUnreported(pod, event)) continue
        const recorded = ctx.recordEvent({ ...event, node: node.name })
        // In a terminating namespace Events are refused, but its pods have to finish.
        await recorded.catch((err: unknown) =>
          ctx.log.debug({ err }, `failed to record the Event: ${event.message}`),
        )
      }
      if (state.canBeRemoved) {
        await ctx.delete(Pod, pod, { gracePeriodSeconds: 0, evenIfChanged: true })
        return
      }
      return state.wakeAtMs === undefined ? undefined : { recheckAfter: state.wakeAtMs - nowMs }
    })
}
