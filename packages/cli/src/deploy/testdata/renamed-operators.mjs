// The resource of application.ts, whose only version has another name.
import { defineResource, operator } from 'setpoint'
import * as z from 'zod'

const Application = defineResource({
  group: 'example.com',
  version: 'v2',
  kind: 'Application',
  spec: z.object({
    image: z.string().min(1),
    replicas: z.int32().min(0).default(1),
  }),
  status: z.object({ url: z.string().optional() }),
  conditions: ['Ready'],
})

export default [operator(Application).reconcile(async () => undefined)]
