/**
 * controllers/autoscaler/: HorizontalPodAutoscalers.
 *
 * `autoscalerController` evaluates every autoscaler each 15 s and sets the scale of its target
 * through the `scale` subresource. This cluster has no metrics server: values come from the
 * annotation `setpoint.dev/metrics` of the autoscaler. Without it the autoscaler behaves as in a
 * cluster without a metrics server. `autoscaler-run.ts` is one evaluation, `*-metrics.ts` convert
 * metrics to replicas with `replica-count.ts`, and `scaling-limits.ts` applies the bounds.
 *
 * The arithmetic, conditions and Events are those of Kubernetes. In the steady state only warnings
 * are repeated.
 */
export { autoscalerController } from './autoscaler-controller.ts'
