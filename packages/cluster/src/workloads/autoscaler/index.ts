/**
 * workloads/autoscaler/: HorizontalPodAutoscalers.
 *
 * `autoscalerController` looks at every autoscaler each 15 s and sets the scale of its target, through its `scale`. Nothing
 * in this cluster measures: values come from the annotation `setpoint.dev/metrics` of the autoscaler, and without it
 * everything goes as on a cluster without a metrics server. `autoscaler-run.ts` is one look; `*-metrics.ts` turn metrics
 * into numbers of replicas by `replica-count.ts`; `scaling-limits.ts` brings those within bounds.
 *
 * Promises: the arithmetic, conditions and Events are those of the real one; in a steady state only warnings are repeated.
 */
export { autoscalerController } from './autoscaler-controller.ts'
