import { operator, type AnyOperator } from 'setpoint'
import {
  ControllerRevision,
  PersistentVolumeClaim,
  Pod,
  selects,
  StatefulSet,
} from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { claim, controllerOf } from '../pods/claim.ts'
import { truncateHistory, revisionsOf } from './set-revisions.ts'
import { StatefulPodControl } from './stateful-pod-control.ts'
import { ordinalOf } from './stateful-pod.ts'
import { StatefulSetRun } from './stateful-set-run.ts'

/** Runs pods with stable names, an order and their own storage. */
export const statefulSetController: AnyOperator = operator(StatefulSet, {
  ...controllerOptions,
  name: 'statefulset-controller',
  reconcileDeleting: true,
})
  .owns(Pod)
  .owns(ControllerRevision)
  .writes(PersistentVolumeClaim)
  .watch(Pod, (pod, view) => {
    if (controllerOf(pod) !== undefined) return []
    const { namespace, labels } = pod.metadata
    return view
      .list(StatefulSet, namespace)
      .filter(({ spec }) => selects(spec.selector, labels))
      .map(({ metadata }) => `${namespace}/${metadata.name}`)
  })
  .watch(
    PersistentVolumeClaim,
    ({ metadata: { name, namespace } }, view) =>
      view
        .list(StatefulSet, namespace)
        .filter(({ spec, metadata }) =>
          spec.volumeClaimTemplates?.some((template) =>
            name.startsWith(`${template.metadata.name}-${metadata.name}-`),
          ),
        )
        .map(({ metadata }) => `${namespace}/${metadata.name}`),
    // A pod may wait until the claim of an earlier pod is deleted.
    { filter: ({ type }) => type === 'removed' },
  )
  .reconcile(async (set, ctx) => {
    const pods = await claim(ctx, {
      owner: set,
      ownerKind: StatefulSet,
      kind: Pod,
      selector: set.spec.selector,
      isCandidate: ({ metadata }) => ordinalOf(set, metadata.name) !== undefined,
    })
    const revisions = await revisionsOf(set, ctx)
    const control = new StatefulPodControl(set, ctx)
    const run = new StatefulSetRun({ set, pods, revisions, control, nowMs: ctx.now() })
    try {
      await run.reconcile()
    } finally {
      // The status reports the steps that succeeded, even when a later one failed.
      const status = run.status()
      await ctx.updateStatus(status)
      await truncateHistory({ ...set, status }, ctx, { revisions, pods: run.pods })
    }
    return run.outcome()
  })
