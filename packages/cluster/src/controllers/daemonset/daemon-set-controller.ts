import { operator, type AnyOperator } from 'setpoint'
import { ControllerRevision, DaemonSet, Node, Pod, selects } from 'setpoint/kinds'
import { jsonEquals } from 'setpoint/schema'
import { controllerOptions } from '../controller-options.ts'
import { claim, controllerOf } from '../pods/claim.ts'
import type { DaemonSetObject } from './daemon-pod.ts'
import { daemonRevisions } from './daemon-revisions.ts'
import { DaemonSetRun, type DaemonMemory } from './daemon-set-run.ts'
import { FailedPodBackoff } from './failed-pod-backoff.ts'
import { DeletedPods } from './deleted-pods.ts'
import { fitnessOf } from './node-fitness.ts'

const keyOf = ({ metadata }: DaemonSetObject): string => `${metadata.namespace}/${metadata.name}`

/** Keeps one pod of every DaemonSet on every node that fits. */
export function daemonSetController(): AnyOperator {
  const memory: DaemonMemory = { backoff: new FailedPodBackoff(), deletedPods: new DeletedPods() }
  return operator(DaemonSet, { ...controllerOptions, name: 'daemonset-controller' })
    .owns(Pod)
    .owns(ControllerRevision)
    .watch(Pod, (pod, view) => {
      if (controllerOf(pod) !== undefined) return []
      const { namespace, labels } = pod.metadata
      return view
        .list(DaemonSet, namespace)
        .filter(({ spec }) => selects(spec.selector, labels))
        .map(keyOf)
    })
    .watch(
      Node,
      ({ metadata: { name } }, view) => {
        // Setpoint maps the old version of a changed node too. Only the current version counts.
        const node = view.get(Node, name)
        if (node === undefined) return []
        const isConcerned = (set: DaemonSetObject): boolean => {
          const { namespace, uid } = set.metadata
          const { shouldRun, mayStay } = fitnessOf(set, node)
          const hasPod = view
            .list(Pod, { namespace, labels: set.spec.selector })
            .some((pod) => pod.spec.nodeName === name && controllerOf(pod)?.uid === uid)
          if (!hasPod) return shouldRun
          return !mayStay || (set.status?.numberMisscheduled ?? 0) > 0
        }
        return view.list(DaemonSet).filter(isConcerned).map(keyOf)
      },
      {
        // Kubelets update their nodes every few seconds. Only labels and taints decide about pods.
        filter: ({ type, object, old }) =>
          type !== 'removed' &&
          (!jsonEquals(object.metadata.labels ?? {}, old?.metadata.labels ?? null) ||
            !jsonEquals(object.spec.taints ?? [], old?.spec.taints ?? [])),
      },
    )
    .onEvent(async ({ type, object }) => {
      if (type === 'removed') memory.deletedPods.forget(object.metadata.uid)
    })
    .reconcile(async (set, ctx) => {
      const { selector } = set.spec
      const pods = await claim(ctx, { owner: set, ownerKind: DaemonSet, kind: Pod, selector })
      const revisions = await daemonRevisions(set, pods, ctx)
      return new DaemonSetRun(set, { pods, revisions }, { ctx, memory }).reconcile()
    })
}
