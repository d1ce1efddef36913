/**
 * The benchmark's validating webhook with Setpoint. Bundled before it runs; its address and its
 * certificate are in the variables that generated manifests set.
 */
import * as z from 'zod'
import { defineResource, operator, problem, run } from 'setpoint'

const Application = defineResource({
  group: 'bench.example.com',
  version: 'v1',
  kind: 'Application',
  spec: z.object({
    image: z.string(),
    replicas: z.int32(),
    port: z.int32(),
    env: z.record(z.string(), z.string()).optional(),
  }),
})

const replicasMax = 100

const applications = operator(Application).validate(
  ({ spec }, context) => {
    const { old } = context
    if (spec.image.endsWith(':latest')) context.warn('the tag latest changes without notice')
    return [
      ...(spec.replicas > replicasMax ? [problem('spec.replicas', 'at most 100')] : []),
      ...(old !== undefined && spec.replicas > old.spec.replicas * 2
        ? [problem('spec.replicas', 'at most doubled in one step')]
        : []),
    ]
  },
  { id: 'rules' },
)

await run([applications], { install: true, probes: false })
