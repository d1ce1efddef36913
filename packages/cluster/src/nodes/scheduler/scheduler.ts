import { operator, type AnyOperator } from 'setpoint'
import {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
} from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import type { PodView } from '../behaviour/index.ts'
import { Placing } from './placing.ts'
import { SchedulingBoard } from './scheduling-board.ts'
import { SchedulingEvents } from './scheduling-events.ts'

const schedulerName = 'default-scheduler'

/**
 * The scheduler, as an operator on pods: one without a node gets the best that it fits on, or a condition that says why
 * there is none; those are tried again when something changes that could help. It does not preempt.
 */
export function scheduler(): AnyOperator {
  const board = new SchedulingBoard()
  const events = new SchedulingEvents()
  return operator(Pod, {
    ...{ name: schedulerName, fieldManager: 'kube-scheduler' },
    ...{ servesDeleted: true, failureEvents: false, concurrency: 16 },
  })
    .writes(PersistentVolumeClaim)
    .writes(PersistentVolume)
    .watch(Node, () => board.waiting())
    .watch(PersistentVolumeClaim, () => board.waiting())
    .watch(PersistentVolume, () => board.waiting())
    .watch(StorageClass, () => board.waiting())
    .watch(Namespace, () => [])
    .source(
      'places',
      (signal) => board.due.keys(signal),
      (key) => [key],
    )
    .onEvent(async ({ type, object }) => {
      if (type === 'removed' || type === 'left') board.forget(object)
    })
    .reconcile(async (pod, ctx) => {
      if (board.isFirst) board.begin(ctx.list(Pod))
      board.note(pod)
      if (isToBePlaced(pod)) await new Placing(pod, ctx, { board, events }).run()
    })
}

/** Whether a pod waits for this scheduler to give it a node. */
function isToBePlaced(pod: PodView): boolean {
  const { spec } = pod
  return (
    (spec.nodeName ?? '') === '' &&
    (spec.schedulerName ?? schedulerName) === schedulerName &&
    (spec.schedulingGates ?? []).length === 0 &&
    !isTerminating(pod)
  )
}
