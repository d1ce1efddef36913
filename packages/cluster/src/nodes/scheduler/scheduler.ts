import { operator, type AnyOperator } from 'setpoint'
import {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
} from 'setpoint/kinds'
import { jsonEquals } from 'setpoint/schema'
import { isFinished } from '../../controllers/pods/pod-state.ts'
import { isTerminating } from '../../object/index.ts'
import type { PodView } from '../behaviour/index.ts'
import { SchedulingAttempt } from './scheduling-attempt.ts'
import { SchedulingState } from './scheduling-state.ts'
import { SchedulingEvents } from './scheduling-events.ts'

const schedulerName = 'default-scheduler'

/**
 * The scheduler, as an operator on pods. A pod without a node is bound to the best node that fits,
 * or gets a condition with the reason why there is none. It is retried after a change that could
 * help. It does not preempt.
 */
export function scheduler(recordsEvents = true): AnyOperator {
  const state = new SchedulingState()
  const events = new SchedulingEvents(recordsEvents)
  return operator(Pod, {
    name: schedulerName,
    fieldManager: 'kube-scheduler',
    reconcileDeleting: true,
    failureEvents: false,
    concurrency: 16,
    // The kubelet changes the status several times while a pod starts.
    filter: ({ object, old }) =>
      old === undefined || needsScheduling(object) || !usesTheSame(object, old),
  })
    .writes(PersistentVolumeClaim)
    .writes(PersistentVolume)
    .watch(Node, () => state.waiting())
    .watch(PersistentVolumeClaim, () => state.waiting())
    .watch(PersistentVolume, () => state.waiting())
    .watch(StorageClass, () => state.waiting())
    .watch(Namespace, () => [])
    .source(
      'places',
      (signal) => state.due.keys(signal),
      (key) => [key],
    )
    .onEvent(async ({ type, object }) => {
      if (type === 'removed' || type === 'deselected') state.forget(object)
    })
    .reconcile(async (pod, ctx) => {
      if (state.isFirst) state.begin(ctx.list(Pod))
      state.note(pod)
      if (needsScheduling(pod)) await new SchedulingAttempt(pod, ctx, { state, events }).run()
    })
}

/** Whether a pod waits for this scheduler. */
function needsScheduling(pod: PodView): boolean {
  const { spec } = pod
  return (
    (spec.nodeName ?? '') === '' &&
    (spec.schedulerName ?? schedulerName) === schedulerName &&
    (spec.schedulingGates ?? []).length === 0 &&
    !isTerminating(pod)
  )
}

/** Whether two versions of a pod use the same node, and the same of it. */
function usesTheSame(pod: PodView, old: PodView): boolean {
  return (
    pod.spec.nodeName === old.spec.nodeName &&
    isFinished(pod) === isFinished(old) &&
    isTerminating(pod) === isTerminating(old) &&
    jsonEquals(pod.metadata.labels ?? {}, old.metadata.labels ?? {}) &&
    jsonEquals(pod.spec, old.spec)
  )
}
