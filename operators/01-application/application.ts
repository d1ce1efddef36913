import * as z from 'zod'
import { defineResource } from 'setpoint'

/** A web application: an image, the number of pods, and its port. */
export const Application = defineResource({
  group: 'shclub.github.io',
  version: 'v1',
  kind: 'Application',
  shortNames: ['app'],
  description: 'A web application, run as a Deployment behind a Service.',
  spec: z.object({
    image: z.string().min(1).describe('The container image to run.'),
    replicas: z.int32().min(0).default(1).describe('The number of pods.'),
    port: z
      .int32()
      .min(1)
      .max(65535)
      .describe('The port the container listens on and the Service serves.'),
  }),
  status: z.object({
    url: z.string().optional().describe('The URL of the application inside of the cluster.'),
    create: z
      .object({ deployment: z.string(), service: z.string() })
      .optional()
      .describe('The objects that the handler of operator-handlers.ts created.'),
  }),
  conditions: ['Ready'],
  columns: {
    Image: '.spec.image',
    Replicas: '.spec.replicas',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    URL: { jsonPath: '.status.url', priority: 1 },
  },
})
