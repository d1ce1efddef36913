import * as z from 'zod'
import { defineResource } from 'setpoint'

/** A web application of a Java tutorial, which defines the kind but not its fields. */
export const ElevenStApp = defineResource({
  group: '11st.example.com',
  version: 'v1',
  kind: 'ElevenStApp',
  spec: z.object({
    image: z.string().min(1),
    replicas: z.int32().min(0).default(1),
    port: z.int32().min(1).max(65535).default(8080),
  }),
  status: z.object({ availableReplicas: z.int32().min(0).optional() }),
  conditions: ['Ready'],
  columns: {
    Image: '.spec.image',
    Available: '.status.availableReplicas',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
  },
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.availableReplicas',
  },
})
