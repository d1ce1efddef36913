import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerV1,
  HPAScalingRules,
} from 'setpoint/kinds'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

const cpuPercent = 80
const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics'

function fillAutoscaler({ spec }: HorizontalPodAutoscaler): void {
  spec.minReplicas ??= 1
  if ((spec.metrics ?? []).length === 0) {
    const target = { type: 'Utilization', averageUtilization: cpuPercent }
    spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }]
  }
  if (spec.behavior === undefined) return
  spec.behavior.scaleUp = scaleUpRules(spec.behavior.scaleUp)
  spec.behavior.scaleDown = scaleDownRules(spec.behavior.scaleDown)
}

/** By default at most four pods or 100% within 15 seconds; the larger number counts. */
function scaleUpRules(rules: HPAScalingRules | undefined): HPAScalingRules {
  return {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
    ...rules,
  }
}

/** By default 100% within 15 seconds; the stabilization window is a setting of the controller. */
function scaleDownRules(rules: HPAScalingRules | undefined): HPAScalingRules {
  return {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
    ...rules,
  }
}

/** v1 has only the CPU target, unless an annotation carries other metrics. */
function fillAutoscalerV1({ metadata, spec }: HorizontalPodAutoscalerV1): void {
  spec.minReplicas ??= 1
  if (metadata.annotations?.[metricsAnnotation] === undefined) {
    spec.targetCPUUtilizationPercentage ??= cpuPercent
  }
}

/** Autoscalers in both versions. */
export const autoscalingDefaults: TypeDefaults = {
  ...inPackage('k8s.io.api.autoscaling.v2', {
    HorizontalPodAutoscaler: typed<HorizontalPodAutoscaler>(fillAutoscaler),
  }),
  ...inPackage('k8s.io.api.autoscaling.v1', {
    HorizontalPodAutoscaler: typed<HorizontalPodAutoscalerV1>(fillAutoscalerV1),
  }),
}
