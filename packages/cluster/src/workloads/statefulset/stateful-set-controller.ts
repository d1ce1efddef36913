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
import { forgetRevisions, revisionsOf } from './set-revisions.ts'
import { StatefulPodControl } from './stateful-pod-control.ts'
import { ordinalOf } from './stateful-pod.ts'
import { StatefulSetRun } from './stateful-set-run.ts'

/** Keeps pods that have a name, a place in the order and storage of their own. */
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
    // A pod may wait until the claim of its predecessor is gone.
    { filter: ({ type }) => type === 'removed' },
  )
  .reconcile(async (set, ctx) => {
    const pods = await claim(ctx, {
      ...{ owner: set, ownerKind: StatefulSet, kind: Pod, selector: set.spec.selector },
      isCandidate: ({ metadata }) => ordinalOf(set, metadata.name) !== undefined,
    })
    const revisions = await revisionsOf(set, ctx)
    const control = new StatefulPodControl(set, ctx)
    const run = new StatefulSetRun({ set, pods, revisions, control, nowMs: ctx.now() })
    try {
      await run.go()
    } finally {
      // What could be done is told, whatever could not.
      const status = run.status()
      await ctx.updateStatus(status)
      await forgetRevisions({ ...set, status }, ctx, { revisions, pods: run.pods })
    }
    return run.outcome()
  })
