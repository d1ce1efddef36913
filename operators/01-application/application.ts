import * as z from 'zod'
import { defineResource } from 'setpoint'

/** A web application: an image, how many of it, and the port it is served on. */
export const Application = defineResource({
  group: 'shclub.github.io',
  version: 'v1',
  kind: 'Application',
  shortNames: ['app'],
  description: 'A web application, run as a Deployment behind a Service.',
  spec: z.object({
    image: z.string().min(1).describe('The container image to run.'),
    replicas: z.int32().min(0).default(1).describe('How many pods run it.'),
    port: z
      .int32()
      .min(1)
      .max(65535)
      .describe('The port the container listens on and the Service serves.'),
  }),
  status: z.object({
    url: z.string().optional().describe('Where the application is reached inside the cluster.'),
    create: z
      .object({ deployment: z.string(), service: z.string() })
      .optional()
      .describe('What the handler of operator-handlers.ts made.'),
  }),
  conditions: ['Ready'],
  columns: {
    Image: '.spec.image',
    Replicas: '.spec.replicas',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    URL: { jsonPath: '.status.url', priority: 1 },
  },
})
