import * as z from 'zod'
import { defineResource, duration, minProperties } from 'setpoint'

/** A failure on purpose: part of an application stops or is cut off, and must recover. */
export const FailureDrill = defineResource({
  group: 'resilience.example.com',
  version: 'v1',
  kind: 'FailureDrill',
  shortNames: ['drill'],
  description: 'Stops or isolates some pods of an application, and checks that it recovers.',
  spec: z.object({
    /** The labels of the pods of the application. */
    selector: z.record(z.string(), z.string()).check(minProperties(1)),
    /** Whether the pods are deleted, or cut off from the network for some time. */
    action: z.enum(['stop', 'isolate']).default('stop'),
    /** How many pods are hit. */
    count: z.int32().min(1).default(1),
    isolateFor: duration().default('30s'),
    /** How long the application may take until it has as many ready pods as before. */
    recoverWithin: duration().default('2m'),
  }),
  status: z.object({ recoverySeconds: z.int32().optional() }),
  runbooks: ['drill'],
  columns: {
    Action: '.spec.action',
    State: '.status.runbooks.drill.state',
    Recovery: '.status.recoverySeconds',
    Message: '.status.runbooks.drill.message',
  },
})
