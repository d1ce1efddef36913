/** The counterpart of shell-operator's examples/206-mutating-webhook. */
import * as z from 'zod'
import { defineResource, operator } from 'setpoint'

export const ScaledCronTab = defineResource({
  group: 'stable.example.com',
  version: 'v1',
  kind: 'CronTab',
  shortNames: ['ct'],
  spec: z.object({
    cronSpec: z.string().optional(),
    image: z.string().optional(),
    replicas: z.int().optional(),
  }),
})

export const manyReplicas = operator(ScaledCronTab).mutate(
  ({ spec }) => void (spec.replicas = 333),
  { namespaceSelector: { name: 'example-206' } },
)
