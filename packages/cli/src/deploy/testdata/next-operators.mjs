// The resource of application.ts with a field more.
import { defineResource, operator } from 'setpoint'
import * as z from 'zod'

const Application = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Application',
  spec: z.object({
    image: z.string().min(1),
    replicas: z.int32().min(0).default(1),
    port: z.int32().optional(),
  }),
  status: z.object({ url: z.string().optional() }),
  conditions: ['Ready'],
})

export default [operator(Application).reconcile(async () => undefined)]
