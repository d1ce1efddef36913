import type { JsonObject } from 'setpoint/schema'
import { workload } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['HorizontalPodAutoscaler', 'Deployment']
const scaler = 'HorizontalPodAutoscaler/web'

const create = (spec: JsonObject = {}): Step => ({
  create: {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
        },
      ],
      ...spec,
    },
  },
})
const deployment = (replicas: number): Step => ({
  create: workload('Deployment', 'web', { replicas }),
})
const untilCondition = (type: string, is: string): Step => ({
  until: scaler,
  path: `status.conditions.${type}.status`,
  is,
})

/** Autoscalers on a cluster without metrics: bounds, and reported errors. */
export const autoscalerScenarios: readonly Scenario[] = [
  {
    name: 'reports missing metrics',
    kinds,
    steps: [
      deployment(2),
      { pods: { of: 'app=web' }, to: 'ready' },
      create(),
      untilCondition('ScalingActive', 'False'),
      { read: 'inactive' },
    ],
  },
  {
    name: 'reports a missing target',
    kinds,
    steps: [create(), untilCondition('AbleToScale', 'False'), { read: 'unable' }],
  },
  {
    name: 'scales up to the minimum',
    kinds,
    steps: [
      deployment(1),
      create({ minReplicas: 2 }),
      { until: 'Deployment/web', path: 'spec.replicas', is: 2 },
      { read: 'corrected' },
    ],
  },
  {
    name: 'scales down to the maximum',
    kinds,
    steps: [
      deployment(5),
      create(),
      { until: 'Deployment/web', path: 'spec.replicas', is: 3 },
      { read: 'corrected' },
    ],
  },
  {
    name: 'ignores a target that is scaled to zero',
    kinds,
    steps: [
      deployment(0),
      create(),
      untilCondition('ScalingActive', 'False'),
      { read: 'disabled' },
    ],
  },
  {
    name: 'reports missing pod and external metrics',
    kinds: ['HorizontalPodAutoscaler'],
    steps: [
      deployment(1),
      create({
        metrics: [
          {
            type: 'Pods',
            pods: {
              metric: { name: 'requests' },
              target: { type: 'AverageValue', averageValue: '5' },
            },
          },
          {
            type: 'External',
            external: { metric: { name: 'queue' }, target: { type: 'Value', value: '10' } },
          },
        ],
      }),
      untilCondition('ScalingActive', 'False'),
      { read: 'inactive' },
    ],
  },
]
