// The resource of application.ts with a second version, which needs conversion.
import { defineResource, operator } from 'setpoint'
import * as z from 'zod'

const Application = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Application',
  spec: z.object({ image: z.string().min(1), replicas: z.int32().min(0).default(1) }),
  status: z.object({ url: z.string().optional() }),
  conditions: ['Ready'],
  versions: {
    v1beta1: {
      spec: z.object({ picture: z.string() }),
      up: ({ spec: { picture } }) => ({ spec: { image: picture, replicas: 1 } }),
      down: ({ spec: { image } }) => ({ spec: { picture: image } }),
    },
  },
})

export default [operator(Application).reconcile(async () => undefined)]
