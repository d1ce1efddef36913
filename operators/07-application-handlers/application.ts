import * as z from 'zod'
import { defineResource } from 'setpoint'

/** The Application of 01, for an operator that notes in the status what it made. */
export const Application = defineResource({
  group: 'shclub.github.io',
  version: 'v1',
  kind: 'Application',
  spec: z.object({
    image: z.string().min(1),
    replicas: z.int32().min(0).default(1),
    port: z.int32().min(1).max(65535),
  }),
  status: z.object({
    create: z.object({ deployment: z.string(), service: z.string() }).optional(),
  }),
})
