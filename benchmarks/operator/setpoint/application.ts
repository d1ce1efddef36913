import * as z from 'zod'
import { defineResource } from 'setpoint'

/** The resource of every program in the benchmark; the harness installs its CRD. */
export const Application = defineResource({
  group: 'bench.example.com',
  version: 'v1',
  kind: 'Application',
  spec: z.object({
    image: z.string(),
    replicas: z.int32().min(0),
    port: z.int32().min(1).max(65_535),
  }),
  status: z.object({ url: z.string().optional(), observedGeneration: z.int().optional() }),
})
